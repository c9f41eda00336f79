/** The remoting protocol: frames, headers in JSON and binary form, request and answer shapes. Bytes to model and back; no sockets. */
package io.metaq.codec.remoting;
