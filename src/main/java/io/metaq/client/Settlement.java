package io.metaq.client;

import io.vertx.core.Future;
import java.util.Optional;
import java.time.Duration;

/** What happens to deliveries that a subscriber settles. */
interface Settlement {
  /** A delivery was handed to the subscriber. */
  void handedOut(QueuedDelivery delivery);

  /** The subscriber is done with it. */
  void acknowledged(QueuedDelivery delivery);

  /**
   * The subscriber wants it delivered again.
   *
   * @param delay empty for the usual one; negative for the dead letters
   * @return completes when that is certain; when it fails the delivery is open as before
   */
  Future<Void> sentBack(QueuedDelivery delivery, Optional<Duration> delay);
}
