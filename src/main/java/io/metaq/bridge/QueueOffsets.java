package io.metaq.bridge;

import io.metaq.client.TopicQueue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Offsets by queue as somebody wrote them: {@code {"3": 1200}} where one broker has the topic, {@code {"broker-a:3": 1200}} anywhere. */
final class QueueOffsets {
  private QueueOffsets() {}

  /** @param queues those the topic has */
  static Map<TopicQueue, Long> of(JsonReader offsets, List<TopicQueue> queues) {
    Map<TopicQueue, Long> byQueue = new LinkedHashMap<>();
    for (String name : offsets.names()) {
      Object offset = offsets.value(name);
      if (offset == null) {
        throw Fault.INVALID.because("the offset of queue '" + Text.printable(name) + "' must be a whole number, and not null");
      }
      byQueue.put(queue(name, queues), JsonReader.wholeNumber("the offset of queue '" + Text.printable(name) + "'", offset));
    }
    if (byQueue.isEmpty()) {
      throw Fault.INVALID.because("'to' names no queue");
    }
    return byQueue;
  }

  private static TopicQueue queue(String name, List<TopicQueue> queues) {
    List<TopicQueue> meant = queues.stream()
        .filter(queue -> name.equals(queue.broker() + ":" + queue.queueId()) || name.equals(Integer.toString(queue.queueId()))).toList();
    if (meant.isEmpty()) {
      throw Fault.UNKNOWN_QUEUE.because("the topic has no queue '" + Text.printable(name) + "'");
    }
    if (meant.size() > 1) {
      throw Fault.INVALID.because("several brokers have a queue '" + name + "'; write BROKER:" + name);
    }
    return meant.get(0);
  }
}
