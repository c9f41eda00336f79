package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.MetaqException;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages back that nobody here has settled, to come again after the broker's shortest delay. Tried again while the broker is away:
 * an open message holds up its queue.
 */
@OwnedBy("BridgeVerticle")
final class GiveBack {
  private static final Logger log = LoggerFactory.getLogger(GiveBack.class);
  private static final Duration DELAY = Duration.ofSeconds(1);
  private static final long PAUSE_MS = 1_000;
  private static final int MOST_TRIES = 60;

  private final Vertx vertx;
  private final Set<Future<Void>> going = new HashSet<>();

  GiveBack(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Completes when the broker has it, or it is no longer ours to give. */
  Future<Void> soon(Delivery delivery) {
    Future<Void> back = attempt(delivery, 1);
    going.add(back);
    return back.onComplete(done -> going.remove(back));
  }

  /** Completes when nothing is on its way. */
  Future<Void> settled() {
    return Future.join(Set.copyOf(going).stream().toList()).transform(done -> Future.succeededFuture());
  }

  private Future<Void> attempt(Delivery delivery, int number) {
    return Unis.future(delivery.nack(DELAY)).recover(failure -> {
      if (gone(failure) || number == MOST_TRIES) {
        log.debug("message not sent back messageId={} cause={}", delivery.messageId(), failure.getMessage());
        return Future.succeededFuture();
      }
      return vertx.timer(PAUSE_MS).compose(again -> attempt(delivery, number + 1));
    });
  }

  private static boolean gone(Throwable failure) {
    return failure instanceof MetaqException known && switch (known.reason()) {
      case QUEUE_LOST, ALREADY_SETTLED, CLOSED -> true;
      default -> false;
    };
  }
}
