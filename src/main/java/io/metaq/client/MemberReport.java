package io.metaq.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A member of a group with what it tells of itself (GET_CONSUMER_RUNNING_INFO).
 *
 * @param fault why it told nothing: no answer in time, or it is too old to be asked
 * @param told what it told; empty with a fault
 */
public record MemberReport(GroupDetails.Member member, Optional<String> fault, Optional<Told> told) {
  /**
   * What a member told. Times are ms since 1970.
   *
   * @param release of its client, {@code V5_5_0}; empty text when it said none
   * @param sinceMs when it began
   * @param ordered whether it consumes the messages of a queue one after the other
   * @param subscriptions filter by topic
   * @param queues it reads now, sorted
   * @param topics what became of their messages
   */
  public record Told(
      String release, OptionalLong sinceMs, boolean ordered, Map<String, String> subscriptions, List<Queue> queues, List<Topic> topics) {
    public Told {
      subscriptions = Map.copyOf(subscriptions);
      queues = List.copyOf(queues);
      topics = List.copyOf(topics);
    }
  }

  /**
   * One queue of a member.
   *
   * @param queue its number is -1 when the member pops from all queues of the topic at the broker
   * @param offset the next it will commit; empty when it pops, for the broker keeps the progress then
   * @param cachedMessages it has and did not settle
   * @param lastConsumedMs when it consumed a message last; members of MetaQ do not tell
   * @param locked whether it holds the queue's lock, to consume in order
   * @param leaving whether it gives the queue to another member
   * @param pop whether it pops from the queue, which others may do, too
   */
  public record Queue(
      TopicQueue queue, OptionalLong offset, int cachedMessages, OptionalLong lastPulledMs, OptionalLong lastConsumedMs,
      boolean locked, boolean leaving, boolean pop) {
    /** Whether it reads this queue. */
    boolean covers(TopicQueue other) {
      return queue.equals(other)
          || queue.queueId() < 0 && queue.topic().equals(other.topic()) && queue.broker().equals(other.broker());
    }
  }

  /**
   * What became of a topic's messages over the last minute, a second.
   *
   * @param consumeMs mean time one took; 0 of members of MetaQ, which do not measure it
   */
  public record Topic(String topic, double pulledPerSecond, double consumedPerSecond, double failedPerSecond, double consumeMs) {}

  /** Whether it reads a queue. */
  public boolean holds(TopicQueue queue) {
    return told.isPresent() && told.get().queues().stream().anyMatch(one -> one.covers(queue));
  }

  /**
   * What members subscribe to differently, a sentence for each topic; for brokers that do not look at it. Members that told nothing
   * do not count.
   */
  public static List<String> contradictions(List<MemberReport> members) {
    Map<String, Map<String, List<String>>> byTopic = new TreeMap<>();
    TreeSet<String> topics = new TreeSet<>();
    members.forEach(member -> member.told.ifPresent(told -> topics.addAll(told.subscriptions().keySet())));
    for (MemberReport member : members) {
      member.told.ifPresent(told -> topics.forEach(topic -> byTopic
          .computeIfAbsent(topic, name -> new TreeMap<>())
          .computeIfAbsent(told.subscriptions().getOrDefault(topic, ""), filter -> new ArrayList<>())
          .add(member.member.clientId())));
    }
    List<String> sentences = new ArrayList<>();
    byTopic.forEach((topic, filters) -> {
      if (filters.size() > 1) {
        List<String> sides = new ArrayList<>();
        filters.forEach((filter, clients) -> sides.add(
            String.join(", ", clients) + (filter.isEmpty() ? " not at all" : " with '" + filter + "'")));
        sentences.add("topic '" + topic + "' is subscribed to by " + String.join("; by ", sides));
      }
    });
    return sentences;
  }
}
