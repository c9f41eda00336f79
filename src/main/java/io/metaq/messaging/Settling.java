package io.metaq.messaging;

import io.metaq.client.Delivery;
import io.metaq.client.MetaqException;
import io.metaq.client.MetaqException.Reason;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a channel settles messages. A message that is another member's by now, or of a client that is closed, needs nothing more: it is
 * delivered again, and the stream must not end for it.
 *
 * @param retryDelay of {@code RETRY}; the broker's own when empty
 * @param stop hears of the failure that stops the channel
 */
record Settling(String channel, FailureStrategy strategy, Optional<Duration> retryDelay, Consumer<Throwable> stop) {
  private static final Logger log = LoggerFactory.getLogger(Settling.class);
  private static final Set<Reason> DELIVERED_AGAIN = Set.of(Reason.QUEUE_LOST, Reason.CLOSED);
  private static final Duration AT_ONCE_TO_DEAD_LETTERS = Duration.ofMillis(-1);
  private static final Set<Reason> FINAL = Set.of(Reason.ALREADY_SETTLED, Reason.INVALID);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  Uni<Void> processed(Delivery delivery) {
    return passingOver(delivery.ack());
  }

  Uni<Void> failed(Delivery delivery, Throwable reason) {
    return switch (strategy) {
      case FAIL -> {
        log.error("a message could not be processed, the channel stops channel={} message={}", channel, delivery.messageId(), reason);
        stop.accept(reason);
        yield Uni.createFrom().failure(reason);
      }
      case IGNORE -> {
        log.warn("a message could not be processed, it is passed over channel={} message={}", channel, delivery.messageId(), reason);
        yield processed(delivery);
      }
      case RETRY -> {
        log.warn("a message could not be processed, it will be delivered again channel={} message={} reconsumeTimes={}",
            channel, delivery.messageId(), delivery.reconsumeTimes(), reason);
        yield sentBack(retryDelay.map(delivery::nack).orElseGet(delivery::nack));
      }
      case DEAD_LETTER_QUEUE -> {
        log.warn("a message could not be processed, it goes to the dead letters channel={} message={}",
            channel, delivery.messageId(), reason);
        yield sentBack(delivery.nack(AT_ONCE_TO_DEAD_LETTERS));
      }
    };
  }

  /** Again until a broker takes it: an open message holds up its queue. */
  private static Uni<Void> sentBack(Uni<Void> nack) {
    return passingOver(nack)
        .onFailure(Settling::mayPass).retry().withBackOff(SHORTEST_PAUSE, LONGEST_PAUSE).indefinitely();
  }

  private static Uni<Void> passingOver(Uni<Void> settlement) {
    return settlement
        .onFailure(failure -> failure instanceof MetaqException known && DELIVERED_AGAIN.contains(known.reason()))
        .recoverWithNull();
  }

  private static boolean mayPass(Throwable failure) {
    return failure instanceof MetaqException known && !FINAL.contains(known.reason());
  }
}
