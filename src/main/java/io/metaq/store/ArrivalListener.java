package io.metaq.store;

/** Hears, on the dispatcher's thread, once for each queue that got messages in a round. */
@FunctionalInterface
public interface ArrivalListener {
  /** Messages of the queue up to before {@code maxOffset} can be read now. */
  void arrived(String topic, int queueId, long maxOffset);
}
