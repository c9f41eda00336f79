package io.metaq.client;

import java.util.List;
import java.util.Optional;

/**
 * A group as this client reads it at one moment.
 *
 * @param topics one for each subscriber, and one for the group's retry topic where the group has one
 * @param queues those this client has now, sorted by topic, broker and number
 */
public record MemberStatus(String group, String clientId, List<Topic> topics, List<Queue> queues) {
  public MemberStatus {
    topics = List.copyOf(topics);
    queues = List.copyOf(queues);
  }

  /**
   * What happened to messages of a topic since its subscriber came; a message of the retry topic counts for the topic it once was sent to.
   *
   * @param delivered handed to the subscriber; a message that was delivered again counts again
   * @param acknowledged settled by {@link Delivery#ack}
   * @param sentBack settled by {@link Delivery#nack}
   */
  public record Topic(String topic, long delivered, long acknowledged, long sentBack) {}

  /** What is going on in a queue. */
  public enum State {
    /** Waits for its turn: its former reader has it still, or another member holds its lock. */
    WAITING,
    /** Is read, as far as demand and window allow. */
    READING,
    /** Belongs to another member; waits for the messages the subscriber has in hand, at most {@link Subscription#handover}. */
    LEAVING
  }

  /**
   * One queue.
   *
   * @param state what is going on in it
   * @param paused by {@link Membership#pause}
   * @param progress the oldest message that is not settled, -1 while that is not known
   * @param readUpTo the next message to read, -1 while that is not known
   * @param maxOffset the next message the queue will get, as of the last answer that was not empty; -1 before
   * @param waiting messages that were read and wait for demand
   * @param inHand messages the subscriber has and did not settle
   * @param stuck a message that is in the subscriber's hands for longer than {@link Subscription#stuckAfter}
   */
  public record Queue(
      TopicQueue queue, State state, boolean paused, long progress, long readUpTo, long maxOffset, int waiting, int inHand,
      Optional<Stuck> stuck) {}

  /**
   * A message that holds up the progress of its queue.
   *
   * @param sinceMs how long ago it was delivered, ms
   */
  public record Stuck(long queueOffset, long sinceMs) {}
}
