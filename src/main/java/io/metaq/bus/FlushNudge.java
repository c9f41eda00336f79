package io.metaq.bus;

/**
 * The log's end moved and should be forced. {@code waiting} has bit n set when sender n waits to hear of it; the flusher adds the bits
 * of all nudges up and tells those senders after the force that covers them.
 */
public record FlushNudge(long waiting) {}
