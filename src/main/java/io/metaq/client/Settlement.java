package io.metaq.client;

import io.vertx.core.Future;

/** What a subscriber's group offers for sending messages back. */
interface Settlement {
  /** Sends a message back to its broker for another delivery; completes when the broker has stored it. */
  Future<Void> sendBack(TopicQueue queue, Received received, int delayLevel);
}
