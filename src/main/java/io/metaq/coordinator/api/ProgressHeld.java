package io.metaq.coordinator.api;

/**
 * The reader of a queue passed over a message that others of its group want: the group's progress there is to stay in front of it.
 * Told to OffsetCoordinatorVerticle, and by it to every loop.
 *
 * @param queueOffset of that message
 * @param loop that has the reader
 * @param remote of the reader, for people
 */
public record ProgressHeld(String group, String topic, int queueId, long queueOffset, int loop, String remote) {
  /** In place of a loop when the reader was one of an earlier process. */
  public static final int NO_LOOP = -1;
}
