package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.client.Position;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of messages that go back, while brokers and subscribers fail. */
@Timeout(180)
class GiveBackTest {
  private static final int LIMIT_S = 60;

  private final Vertx vertx = Vertx.vertx();
  private final HandClock clock = new HandClock();
  private Context loop;
  private GiveBack giveBack;

  /** Keeps handles, and takes messages or not. */
  private static final class Subscriber implements Outlet {
    private final List<String> handles = new ArrayList<>();
    private boolean there = true;

    @Override
    public Future<Void> message(Item item) {
      handles.add(item.handle());
      return there ? Future.succeededFuture() : Future.failedFuture("the connection is gone");
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  @BeforeEach
  void make() {
    loop = vertx.getOrCreateContext();
    giveBack = new GiveBack(vertx);
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  @Test
  void shouldTryUntilTheBrokerHasIt() throws Exception {
    HandDelivery delivery = new HandDelivery();
    delivery.failNacks(2);

    onLoop(() -> giveBack.soon(delivery));

    HttpApiTest.await("it is sent back", delivery::sentBack);
    assertThat(delivery.nacks()).isEqualTo(3);
  }

  @Test
  void shouldNotWaitAtTheEndForABrokerThatDoesNotAnswer() throws Exception {
    HandDelivery silent = new HandDelivery();
    silent.answerNothing();
    HandDelivery failing = new HandDelivery();
    failing.failNacks(Integer.MAX_VALUE);
    onLoop(() -> giveBack.soon(silent));
    onLoop(() -> giveBack.soon(failing));

    Future<Void> settled = onLoop(giveBack::settled);

    settled.toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    assertThat(failing.nacks()).isEqualTo(1);
  }

  @Test
  void shouldSendBackWhatASubscriberSentBackInVain() throws Exception {
    HandDelivery delivery = new HandDelivery();
    delivery.failNacks(1);
    Subscriber subscriber = new Subscriber();
    Seat seat = seat(subscriber, true);
    onLoop(() -> {
      seat.give(delivery);
      return null;
    });

    Future<Void> answer = onLoop(() -> seat.sendBack(subscriber.handles.get(0), Optional.empty()));

    HttpApiTest.await("it is sent back", delivery::sentBack);
    assertThat(answer.failed()).isTrue();
  }

  @Test
  void shouldGiveNothingMoreToAConnectionThatTookNothing() throws Exception {
    HandDelivery delivery = new HandDelivery();
    Subscriber subscriber = new Subscriber();
    Seat seat = seat(subscriber, false);
    assertThat(seat.free()).isPositive();
    subscriber.there = false;

    onLoop(() -> {
      seat.give(delivery);
      return null;
    });

    HttpApiTest.await("it is sent back", delivery::sentBack);
    assertThat(seat.free()).isZero();
  }

  private Seat seat(Outlet outlet, boolean byHand) {
    Wanted wanted = Wanted.of(HandDelivery.TOPIC, Optional.of("g"), Optional.empty(), Optional.empty(), Position.LATEST);
    return new Seat(new SharedReading(wanted, () -> { }), wanted, new Room(10), outlet, byHand, 60_000, giveBack, clock);
  }

  private <T> T onLoop(Callable<T> call) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.runOnContext(now -> {
      try {
        result.complete(call.call());
      } catch (Exception failure) {
        result.completeExceptionally(failure);
      }
    });
    return result.get(LIMIT_S, TimeUnit.SECONDS);
  }
}
