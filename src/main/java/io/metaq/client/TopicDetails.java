package io.metaq.client;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A topic with its queues, sorted by broker and number, and the groups that read it.
 *
 * @param kind whose it is
 * @param shares what each broker has of it, by broker
 * @param groups that have subscribed to it, or have progress in it
 * @param storedPerSecond messages, mean of the last minute; empty when no broker says
 * @param storedBytesPerSecond mean of the last minute; empty when no broker says
 * @param missing brokers that told nothing: all of the above is without what they have
 */
public record TopicDetails(
    String topic, TopicSummary.Kind kind, List<Share> shares, List<Queue> queues, List<String> groups, OptionalDouble storedPerSecond,
    OptionalDouble storedBytesPerSecond, List<MissingBroker> missing) {
  public TopicDetails {
    shares = List.copyOf(shares);
    queues = List.copyOf(queues);
    groups = List.copyOf(groups);
    missing = List.copyOf(missing);
  }

  /**
   * What one broker has of it.
   *
   * @param readable whether it may be read there
   * @param writable whether it may be sent to there
   * @param ordered whether it was made for consumption in order
   * @param type {@code NORMAL}, {@code FIFO}, {@code DELAY}, {@code TRANSACTION} or {@code MIXED}; {@code NORMAL} when none was set
   */
  public record Share(String broker, int readQueues, int writeQueues, boolean readable, boolean writable, boolean ordered, String type) {}

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

  /** Messages that are kept. */
  public long messages() {
    return queues.stream().mapToLong(Queue::messages).sum();
  }
}
