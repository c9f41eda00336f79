package io.metaq.nameserver;

import io.metaq.codec.registry.QueueData;
import io.metaq.model.OwnedBy;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

/** The queues of each topic by broker name. A topic without queues does not exist. */
@OwnedBy("NameServerVerticle")
final class TopicQueues {
  private final SortedMap<String, SortedMap<String, QueueData>> topics = new TreeMap<>();

  void put(String topic, QueueData queues) {
    topics.computeIfAbsent(topic, name -> new TreeMap<>()).put(queues.brokerName(), queues);
  }

  boolean contains(String topic, String brokerName) {
    return topics.getOrDefault(topic, new TreeMap<>()).containsKey(brokerName);
  }

  /** The queues of one topic, by broker name. */
  Collection<QueueData> of(String topic) {
    return List.copyOf(topics.getOrDefault(topic, new TreeMap<>()).values());
  }

  /** Topics of which some broker's queues are as wanted. */
  List<String> where(Predicate<QueueData> wanted) {
    return topics.entrySet().stream()
        .filter(topic -> topic.getValue().values().stream().anyMatch(wanted))
        .map(Map.Entry::getKey)
        .toList();
  }

  void remove(String topic) {
    topics.remove(topic);
  }

  /** Takes the queues of some brokers out of one topic. */
  void remove(String topic, Set<String> brokerNames) {
    topics.computeIfPresent(topic, (name, queues) -> {
      queues.keySet().removeAll(brokerNames);
      return queues.isEmpty() ? null : queues;
    });
  }

  /** Takes a broker out of every topic but these. */
  void retain(String brokerName, Set<String> kept) {
    topics.entrySet().removeIf(topic -> {
      if (!kept.contains(topic.getKey())) {
        topic.getValue().remove(brokerName);
      }
      return topic.getValue().isEmpty();
    });
  }

  /**
   * Changes what may be done with every queue of a broker.
   *
   * @return how many topics it has
   */
  int changePerm(String brokerName, IntUnaryOperator change) {
    int count = 0;
    for (SortedMap<String, QueueData> queues : topics.values()) {
      if (queues.computeIfPresent(brokerName, (name, queue) -> queue.withPerm(change.applyAsInt(queue.perm()))) != null) {
        count++;
      }
    }
    return count;
  }
}
