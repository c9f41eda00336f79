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
  private final SortedMap<String, SortedMap<String, Queues>> topics = new TreeMap<>();

  /** What a broker told last, and what clients are shown: an operator may have changed what is permitted meanwhile. */
  private record Queues(QueueData told, QueueData shown) {
    Queues permitting(IntUnaryOperator change) {
      return new Queues(told, shown.withPerm(change.applyAsInt(shown.perm())));
    }
  }

  void put(String topic, QueueData queues) {
    ofTopic(topic).put(queues.brokerName(), new Queues(queues, queues));
  }

  /** As {@link #put}, but where the broker told the same before, what an operator changed since stands. */
  void putIfNew(String topic, QueueData queues) {
    ofTopic(topic).merge(queues.brokerName(), new Queues(queues, queues), (old, told) -> old.told.equals(queues) ? old : told);
  }

  private SortedMap<String, Queues> ofTopic(String topic) {
    return topics.computeIfAbsent(topic, name -> new TreeMap<>());
  }

  boolean contains(String topic, String brokerName) {
    return topics.getOrDefault(topic, new TreeMap<>()).containsKey(brokerName);
  }

  /** The queues of one topic, by broker name. */
  Collection<QueueData> of(String topic) {
    return topics.getOrDefault(topic, new TreeMap<>()).values().stream().map(Queues::shown).toList();
  }

  /** Topics of which some broker's queues are as wanted. */
  List<String> where(Predicate<QueueData> wanted) {
    return topics.entrySet().stream()
        .filter(topic -> topic.getValue().values().stream().map(Queues::shown).anyMatch(wanted))
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
    for (SortedMap<String, Queues> queues : topics.values()) {
      if (queues.computeIfPresent(brokerName, (name, queue) -> queue.permitting(change)) != null) {
        count++;
      }
    }
    return count;
  }
}
