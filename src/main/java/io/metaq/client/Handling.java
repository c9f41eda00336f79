package io.metaq.client;

import io.metaq.client.MetaqException.Reason;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives deliveries to an application's handler and settles each by what became of it. One that cannot be sent back is tried again until it
 * can, or belongs to another member: it keeps its place meanwhile.
 */
record Handling(Function<Delivery, ? extends Uni<?>> handler) {
  private static final Logger log = LoggerFactory.getLogger(Handling.class);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** Nothing is left to send back, or nowhere to send it. */
  private static final Set<Reason> FINAL = Set.of(Reason.QUEUE_LOST, Reason.ALREADY_SETTLED, Reason.CLOSED, Reason.INVALID);

  /** Handles so many at a time; completes when the deliveries do. */
  Uni<Void> run(Multi<Delivery> deliveries, int concurrency) {
    if (concurrency < 1) {
      throw MetaqException.of(MetaqException.Reason.INVALID, "at least one message must be handled at a time, not " + concurrency);
    }
    return deliveries.onItem().transformToUni(this::handle).merge(concurrency).onItem().ignoreAsUni();
  }

  private Uni<Void> handle(Delivery delivery) {
    return answer(delivery)
        .onItemOrFailure()
        .transformToUni((done, failure) -> failure == null ? delivery.ack() : sendBack(delivery, failure))
        .onFailure()
        .recoverWithUni(unsettled -> leaveOpen(delivery, unsettled));
  }

  /** The handler's answer; it fails when the handler throws or has none. */
  private Uni<?> answer(Delivery delivery) {
    try {
      Uni<?> answer = handler.apply(delivery);
      return answer == null ? Uni.createFrom().failure(new NullPointerException("the handler gave no Uni")) : answer;
    } catch (RuntimeException | Error thrown) {
      return Uni.createFrom().failure(thrown);
    }
  }

  private static Uni<Void> sendBack(Delivery delivery, Throwable failure) {
    log.warn("a handler failed, its message is sent back delivery={} cause={}", delivery, failure.toString());
    log.debug("the failure was", failure);
    return delivery
        .nack()
        .onFailure(Handling::mayPass)
        .invoke(unsent -> log.debug("a message could not be sent back, tried again delivery={} cause={}", delivery, unsent.getMessage()))
        .onFailure(Handling::mayPass)
        .retry()
        .withBackOff(SHORTEST_PAUSE, LONGEST_PAUSE)
        .indefinitely();
  }

  /** Whether the message is open still: it holds up its queue until it is sent back. */
  private static boolean mayPass(Throwable unsent) {
    return unsent instanceof MetaqException known && !FINAL.contains(known.reason());
  }

  /** Settling failed: the message is delivered again, here or by the member that has its queue now. */
  private static Uni<Void> leaveOpen(Delivery delivery, Throwable unsettled) {
    log.warn("a message could not be settled and is delivered again delivery={} cause={}", delivery, unsettled.getMessage());
    return Uni.createFrom().voidItem();
  }
}
