package io.metaq.coordinator.api;

import io.metaq.model.RecordFilter;
import java.util.function.Supplier;

/**
 * A client wants messages of a topic for its group, whoever of the group gets which; its request has passed the checks that a loop
 * can make.
 *
 * @param loop where the answer is to go
 * @param connectionId whose request it is, so that it is forgotten with its connection
 * @param ticket names it in its answer; unique in its loop
 * @param queueId the queue wanted; {@link #ANY_QUEUE} for any
 * @param readQueues how many queues the topic has
 * @param retryQueues how many queues the group's retry topic of it has, 0 while there is none
 * @param maxMessages most messages wanted, 1 to 32
 * @param invisibleMs for how long nobody else is to get them
 * @param holdUntilMs until when it may wait for messages, by the broker's clock; 0: not at all
 * @param fromFirst whether a group without progress begins with the first message; else near the last
 * @param filter gives what selects messages of the topic, anew for each read
 * @param ordered whether a queue is blocked while messages of it are not settled
 * @param attemptId an ordered pop with the same one gets the same messages again; empty: none
 */
public record PopRequest(
    int loop,
    long connectionId,
    long ticket,
    Kind kind,
    String group,
    String topic,
    int queueId,
    int readQueues,
    int retryQueues,
    int maxMessages,
    long invisibleMs,
    long holdUntilMs,
    boolean fromFirst,
    Supplier<? extends RecordFilter> filter,
    boolean ordered,
    String attemptId) {
  /** In place of a queue id. */
  public static final int ANY_QUEUE = -1;

  /** What is wanted. */
  public enum Kind {
    /** Messages, which nobody else gets for a while. */
    POP,
    /** Messages, which stay where they are. */
    PEEK,
    /** To hear whether there are messages. */
    NOTICE
  }

  public boolean anyQueue() {
    return queueId < 0;
  }
}
