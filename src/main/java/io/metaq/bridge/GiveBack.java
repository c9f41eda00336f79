package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.MetaqException;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages back that nobody here has settled, to come again after the broker's shortest delay. Tried until the broker has it
 * or the queue is another's, for an open message holds up its queue; ever more seldom, for a broker may be away for long.
 */
@OwnedBy("BridgeVerticle")
final class GiveBack {
  private static final Logger log = LoggerFactory.getLogger(GiveBack.class);
  private static final Duration DELAY = Duration.ofSeconds(1);
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 10_000;
  private static final long LONGEST_SETTLING_MS = 1_000;

  private final Vertx vertx;
  private final Set<Future<Void>> going = new HashSet<>();
  private int failing;
  private boolean closing;

  GiveBack(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Completes after the first try, whatever came of it. */
  Future<Void> soon(Delivery delivery) {
    return attempt(delivery, 0);
  }

  /**
   * Tries nothing again from now on. Completes when the brokers have answered what is on its way, or have had the time for it: what
   * they do not have by then comes again because the group's progress is before it.
   */
  Future<Void> settled() {
    closing = true;
    Future<Void> answered = Future.join(List.copyOf(going)).mapEmpty();
    return Future.any(answered, vertx.timer(LONGEST_SETTLING_MS)).transform(done -> Future.succeededFuture());
  }

  /** @param pauseMs before this try; 0 for the first */
  private Future<Void> attempt(Delivery delivery, long pauseMs) {
    Future<Void> answer = Unis.future(delivery.nack(DELAY));
    going.add(answer);
    return answer.transform(done -> {
      going.remove(answer);
      boolean again = done.failed() && !gone(done.cause()) && !closing;
      count(pauseMs > 0, again, done.cause());
      if (again) {
        long longerMs = pauseMs == 0 ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        vertx.setTimer(longerMs, due -> {
          if (!closing) {
            attempt(delivery, longerMs);
          }
        });
      }
      return Future.succeededFuture();
    });
  }

  /** Says once that messages cannot be sent back, however many and often. */
  private void count(boolean failedBefore, boolean fails, Throwable cause) {
    if (fails && failing == 0) {
      log.warn("messages cannot be sent back to their broker, tried again until they can cause={}", cause.getMessage());
    }
    failing += (fails ? 1 : 0) - (failedBefore ? 1 : 0);
  }

  private static boolean gone(Throwable failure) {
    return failure instanceof MetaqException known && switch (known.reason()) {
      case QUEUE_LOST, ALREADY_SETTLED, CLOSED -> true;
      default -> false;
    };
  }
}
