package io.metaq.bus;

/** The first message of a queue was dispatched; a slave's table of topics may not know of the topic yet. */
public record QueueBegun(String topic, int queueId) {}
