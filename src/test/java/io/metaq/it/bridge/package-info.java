/** HTTP, events and WebSockets of the packaged jar, as programs and pages meet them. */
package io.metaq.it.bridge;
