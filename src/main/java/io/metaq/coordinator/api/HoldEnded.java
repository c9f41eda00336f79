package io.metaq.coordinator.api;

/**
 * A {@link ProgressHeld} does not count any more; told to OffsetCoordinatorVerticle, and by it to every loop.
 *
 * @param queueOffset where progress was held: a hold elsewhere does not end by this
 * @param agreement whether it ends because the members of the group do not contradict each other any more
 */
public record HoldEnded(String group, String topic, int queueId, long queueOffset, boolean agreement) {}
