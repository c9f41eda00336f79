package io.metaq.coordinator.api;

/**
 * The group's reader of a queue was sent to where an {@link OffsetReset} moved it; told to OffsetCoordinatorVerticle, and by it to every
 * loop.
 *
 * @param queueOffset where it was moved to: a later move to elsewhere is not settled by this
 */
public record ResetSettled(String group, String topic, int queueId, long queueOffset) {}
