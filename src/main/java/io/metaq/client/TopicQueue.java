package io.metaq.client;

import java.util.Comparator;

/** One queue of a topic at one broker. The order is the one by which group members divide queues, the same in all clients. */
public record TopicQueue(String topic, String broker, int queueId) implements Comparable<TopicQueue> {
  private static final Comparator<TopicQueue> ORDER =
      Comparator.comparing(TopicQueue::topic).thenComparing(TopicQueue::broker).thenComparingInt(TopicQueue::queueId);

  @Override
  public int compareTo(TopicQueue other) {
    return ORDER.compare(this, other);
  }
}
