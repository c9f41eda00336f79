package io.metaq.client;

import io.metaq.model.OwnedBy;
import java.util.List;

/** Picks the queue for a message: one after the other, passing over brokers that fail, as long as another is there. */
@OwnedBy("its client's context")
final class QueueChooser {
  private final BrokerHealth health;
  private int next;

  /**
   * @param start where the round begins; random, so that clients do not all begin at the same queue
   */
  QueueChooser(BrokerHealth health, int start) {
    this.health = health;
    this.next = start;
  }

  /**
   * The next queue.
   *
   * @param writable at least one
   * @param avoidBroker the broker the last attempt failed at, null on the first attempt
   */
  TopicQueue choose(List<TopicQueue> writable, String avoidBroker) {
    for (int i = 0; i < writable.size(); i++) {
      TopicQueue queue = take(writable);
      if (!queue.broker().equals(avoidBroker) && health.usable(queue.broker())) {
        return queue;
      }
    }
    return take(writable);
  }

  private TopicQueue take(List<TopicQueue> writable) {
    return writable.get(Math.floorMod(next++, writable.size()));
  }
}
