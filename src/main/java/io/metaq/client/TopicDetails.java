package io.metaq.client;

import java.util.List;

/**
 * A topic with its queues, sorted by broker and number, and the groups that read it.
 *
 * @param groups that have subscribed to it, or have progress in it
 */
public record TopicDetails(String topic, List<Queue> queues, List<String> groups) {
  public TopicDetails {
    queues = List.copyOf(queues);
    groups = List.copyOf(groups);
  }

  /**
   * One queue.
   *
   * @param minOffset of the oldest message that is kept
   * @param maxOffset the next message's
   * @param lastStoredMs when its last message was stored, ms since 1970; 0 when it has none
   */
  public record Queue(String broker, int queueId, long minOffset, long maxOffset, long lastStoredMs) {
    /** Messages that are kept. */
    public long messages() {
      return maxOffset - minOffset;
    }
  }
}
