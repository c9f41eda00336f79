package io.metaq.coordinator.api;

/**
 * Where a group stands in a queue.
 *
 * @param next next offset to consume
 * @param movedMs names the last move of the group in the queue by somebody else than its pops: when it was, and of two moves the
 *     later one has the greater. 0 when nobody moved it while it popped
 */
public record GroupPlace(String group, String topic, int queueId, long next, long movedMs) {}
