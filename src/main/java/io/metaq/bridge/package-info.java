/**
 * HTTP, Server-Sent Events and WebSocket in front of brokers. A client of theirs like any other: all it knows of a cluster it asks by
 * {@link io.metaq.client.MetaqClient}, so it serves in front of any broker that speaks the protocol.
 */
package io.metaq.bridge;
