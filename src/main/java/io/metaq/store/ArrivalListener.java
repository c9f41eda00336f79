package io.metaq.store;

/** Hears, on the dispatcher's thread, of the queues that got messages in a round. */
@FunctionalInterface
public interface ArrivalListener {
  /** The queue got its first message; told before {@link #arrived}. */
  default void begun(String topic, int queueId) {}

  /** Once for each queue: messages of the queue up to before {@code maxOffset} can be read now. */
  void arrived(String topic, int queueId, long maxOffset);
}
