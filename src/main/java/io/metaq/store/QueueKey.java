package io.metaq.store;

/** One queue, as a key. */
record QueueKey(String topic, int queueId) {}
