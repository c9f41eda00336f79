package io.metaq.client;

import java.util.List;
import java.util.Map;

/**
 * A consumer group with its members and how far it is.
 *
 * @param messageModel {@code CLUSTERING} or {@code BROADCASTING}; empty text when nobody is connected
 * @param consumeType {@code CONSUME_PASSIVELY} (push), {@code CONSUME_ACTIVELY} (pull) or {@code CONSUME_POP}; empty text when nobody is
 *     connected
 * @param consumedPerSecond messages given to it, sum over the brokers of the means of the last minute; 0 for none
 * @param subscriptions filter by topic, of the members connected now
 * @param contradictions what members want differently, a sentence each; RocketMQ tells of none
 * @param queues sorted by topic, broker and number
 * @param missing brokers that told nothing: all of the above is without what they have
 */
public record GroupDetails(
    String group, String messageModel, String consumeType, double consumedPerSecond, List<Member> members,
    Map<String, String> subscriptions, List<String> contradictions, List<Queue> queues,
    List<MissingBroker> missing) {
  public GroupDetails {
    members = List.copyOf(members);
    subscriptions = Map.copyOf(subscriptions);
    contradictions = List.copyOf(contradictions);
    queues = List.copyOf(queues);
    missing = List.copyOf(missing);
  }

  /**
   * A connected member.
   *
   * @param address {@code host:port} it is connected from
   * @param version number of its client's protocol version
   */
  public record Member(String clientId, String address, String language, int version) {}

  /**
   * One queue as the group sees it.
   *
   * @param maxOffset the next message's
   * @param offset the next one to consume
   * @param lastConsumedMs when the last message it consumed was stored, ms since 1970; 0 when unknown
   */
  public record Queue(String topic, String broker, int queueId, long maxOffset, long offset, long lastConsumedMs) {
    /** Messages still to consume. */
    public long lag() {
      return Math.max(0, maxOffset - offset);
    }
  }

  /** Messages still to consume; with {@link #missing}, at least so many. */
  public long lag() {
    return queues.stream().mapToLong(Queue::lag).sum();
  }
}
