package io.metaq.client;

import java.util.OptionalInt;

/**
 * How one queue is read in a group.
 *
 * @param filter what the brokers are told
 * @param position where to begin without progress
 * @param ordered one message at a time, under a lock
 * @param local whether messages that are sent back stay here, and progress too
 * @param maxRetries empty for the usual number
 */
record QueueRules(
    io.metaq.model.Subscription filter, Position position, boolean ordered, boolean local, OptionalInt maxRetries, int readAhead,
    int maxUnsettled, long handoverMs, long stuckAfterMs) {
  private static final int MAX_RETRIES = 16;

  /** Of a subscribed topic. */
  static QueueRules of(Subscriber subscriber, Position position) {
    Subscription wanted = subscriber.subscription();
    return new QueueRules(
        subscriber.filter(), position, wanted.isOrdered() && !wanted.isBroadcasting(), wanted.isBroadcasting(), wanted.maxRetries(),
        wanted.readAhead(), wanted.maxUnsettled(), wanted.handover().toMillis(), wanted.stuckAfter().toMillis());
  }

  /** Of the retry topic of a subscriber's group: from its beginning, in any order. */
  static QueueRules ofRetries(io.metaq.model.Subscription filter, Subscription wanted) {
    return new QueueRules(
        filter, Position.EARLIEST, false, false, wanted.maxRetries(), wanted.readAhead(), wanted.maxUnsettled(),
        wanted.handover().toMillis(), wanted.stuckAfter().toMillis());
  }

  /** Whether messages that are sent back are delivered again by this client. */
  boolean redelivers() {
    return ordered || local;
  }

  /** Whether a message that was delivered again so often has no retry left here. */
  boolean usedUp(int retries) {
    return retries >= maxRetries.orElse(ordered ? Integer.MAX_VALUE : MAX_RETRIES);
  }
}
