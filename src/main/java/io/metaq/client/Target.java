package io.metaq.client;

import java.util.List;
import java.util.Optional;

/**
 * Where in its topic a message has to go.
 *
 * @param queue this queue and no other, null if that is free
 * @param orderKey the queue of all messages with this key, null if that is free
 */
record Target(TopicQueue queue, String orderKey) {
  static final Target ANY = new Target(null, null);

  static Target of(Message message) {
    Optional<TopicQueue> queue = message.queue();
    if (queue.isPresent()) {
      return new Target(queue.get(), null);
    }
    return message.orderKey().map(key -> new Target(null, key)).orElse(ANY);
  }

  boolean isAny() {
    return queue == null && orderKey == null;
  }

  /** The queue, empty when it is not among these; only when it is not free. */
  Optional<TopicQueue> in(List<TopicQueue> writable) {
    if (queue != null) {
      return writable.contains(queue) ? Optional.of(queue) : Optional.empty();
    }
    // The choice of official producers that select by hash.
    return Optional.of(writable.get(Math.abs(orderKey.hashCode() % writable.size())));
  }

  @Override
  public String toString() {
    return queue != null ? "queue " + queue.queueId() + " of broker '" + queue.broker() + "'" : "order key '" + orderKey + "'";
  }
}
