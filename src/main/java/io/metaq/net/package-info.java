/**
 * The server's wire in both directions: frames in, one write for each connection and loop round out, and links to other servers. The
 * only package that touches Netty and Vert.x internals.
 */
package io.metaq.net;
