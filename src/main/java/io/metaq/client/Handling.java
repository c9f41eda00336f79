package io.metaq.client;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives deliveries to an application's handler and settles each by what became of it. */
record Handling(Function<Delivery, ? extends Uni<?>> handler) {
  private static final Logger log = LoggerFactory.getLogger(Handling.class);

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
    } catch (RuntimeException thrown) {
      return Uni.createFrom().failure(thrown);
    }
  }

  private static Uni<Void> sendBack(Delivery delivery, Throwable failure) {
    log.warn("a handler failed, its message is sent back delivery={} cause={}", delivery, failure.toString());
    log.debug("the failure was", failure);
    return delivery.nack();
  }

  /** Settling failed: the message is delivered again, here or by the member that has its queue now. */
  private static Uni<Void> leaveOpen(Delivery delivery, Throwable unsettled) {
    log.warn("a message could not be settled and is delivered again delivery={} cause={}", delivery, unsettled.getMessage());
    return Uni.createFrom().voidItem();
  }
}
