package io.metaq.store;

/** Is told of queues, one after the other. */
public interface QueueVisitor {
  /**
   * One queue.
   *
   * @param messages that came since the store was opened
   * @param bytes of their records
   */
  void queue(String topic, int queueId, long messages, long bytes);
}
