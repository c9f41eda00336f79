package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.RequestCode;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything is given up between every two of its steps: while the first, the second, the third of its requests has no answer yet. It gives
 * back what it held, and the client is as good as before.
 */
@Timeout(90)
class CancellationTest extends ConsumerTestBase {
  private static final int MOST_STEPS = 40;

  /** Requests up to one are served, that one is kept; whether those behind it are does not matter. */
  private final AtomicReference<FakeCluster.Call> kept = new AtomicReference<>();

  static Stream<Named<Function<MetaqClient, Multi<?>>>> calls() {
    return Stream.of(
        named("send", client -> client.send(HELLO).toMulti()),
        named("send of a long body", client -> client.send(Message.to(TOPIC).body("x".repeat(10_000)).orderKey("k")).toMulti()),
        named("one-way", client -> client.sendOneWay(HELLO).toMulti()),
        named("list", client -> client.sendAll(List.of(HELLO, HELLO.deliverAfter(Duration.ofSeconds(1)), HELLO.orderKey("k"))).toMulti()),
        named("request", client -> client.request(HELLO, Duration.ofMillis(200)).onFailure().recoverWithNull().toMulti()),
        named("transaction", client -> client.transaction("p", message -> Uni.createFrom().item(Verdict.UNKNOWN))
            .send(HELLO, receipt -> Uni.createFrom().item(Verdict.COMMIT)).toMulti()),
        named("read", client -> client.read(new TopicQueue(TOPIC, FakeCluster.BROKER, 0), 0, 5, Duration.ZERO).toMulti()),
        named("offsets", client -> client.offsets(TOPIC, Position.LATEST).toMulti()),
        named("page", client -> client.admin().browse(TOPIC, Position.EARLIEST, 5).toMulti()),
        named("lone reader", client -> client.subscribe(ALONE).select().first(3)),
        named("member", client -> client.subscribe(MEMBER).onItem().call(Delivery::ack).select().first(3)),
        named("member in order", client -> client.subscribe(MEMBER.ordered()).onItem().call(Delivery::ack).select().first(3)),
        named("member that sends back", client -> client.subscribe(MEMBER).onItem().call(() -> Uni.createFrom().voidItem())
            .onItem().call(delivery -> delivery.nack()).select().first(2)));
  }

  private static Named<Function<MetaqClient, Multi<?>>> named(String name, Function<MetaqClient, Multi<?>> call) {
    return Named.of(name, call);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldGiveBackWhatItHeldWhenItIsGivenUpAtAnyStep(Function<MetaqClient, Multi<?>> call) {
    for (int i = 0; i < 3; i++) {
      cluster.store(TOPIC, 0, "m" + i, Map.of(), 0);
    }

    int step = 0;
    while (givesUpAt(step, call)) {
      step++;
      assertThat(step).isLessThan(MOST_STEPS);
    }

    assertThat(step).as("steps there were").isPositive();
  }

  /** Whether the call had so many steps. */
  private boolean givesUpAt(int step, Function<MetaqClient, Multi<?>> call) {
    MetaqClient fresh = MetaqClient.create(vertx, options().setMaxInFlight(1));
    kept.set(null);
    AtomicInteger left = new AtomicInteger(step);
    for (RequestCode code : RequestCode.values()) {
      cluster.script(code, request -> left.getAndDecrement() == 0 && kept.compareAndSet(null, request));
    }
    AtomicBoolean ended = new AtomicBoolean();
    AtomicBoolean cancelled = new AtomicBoolean();
    AtomicInteger after = new AtomicInteger();
    Cancellable running = call.apply(fresh).onItem().invoke(item -> {
      if (cancelled.get()) {
        after.incrementAndGet();
      }
    }).subscribe().with(item -> {}, failure -> ended.set(true), () -> ended.set(true));
    until(() -> ended.get() || kept.get() != null);
    boolean had = kept.get() != null && !ended.get();

    running.cancel();
    cancelled.set(true);
    for (RequestCode code : RequestCode.values()) {
      cluster.noScript(code);
    }
    if (kept.get() != null) {
      cluster.serveKept(kept.get());
    }

    assertThat(fresh.send(HELLO).await().atMost(LIMIT).stage()).as("room for one is free after step %d", step)
        .isEqualTo(SendReceipt.Stage.STORED);
    Taker taker = new Taker(1);
    fresh.subscribe(MEMBER.group("h" + step)).subscribe().withSubscriber(taker);
    assertThat(taker.next(1)).as("delivered after step %d", step).hasSize(1);
    await(fresh.close());
    assertThat(after.get()).as("signals after the cancel at step %d", step).isZero();
    return had;
  }
}
