package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.RequestCode;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything is given up between every two of its steps: while the first, the second, the third of its requests has no answer yet. It gives
 * back what it held, and the client is as good as before. A signal that was under way may come after the cancel (Reactive Streams 2.8).
 */
@Timeout(300)
class CancellationTest extends ConsumerTestBase {
  private static final int MOST_STEPS = 40;

  /** Something to be given up, by a client and in a group of its own, so that no step begins where another came to. */
  private interface Undertaking {
    Multi<?> begin(MetaqClient client, String group);
  }

  /** Requests before it are served, it is kept; whether those behind it are does not matter. */
  private final AtomicReference<FakeCluster.Call> kept = new AtomicReference<>();

  static Stream<Named<Undertaking>> undertakings() {
    return Stream.of(
        named("send", (client, group) -> client.send(HELLO).toMulti()),
        named("send of a long body", (client, group) -> client.send(Message.to(TOPIC).body("x".repeat(10_000)).orderKey("k")).toMulti()),
        named("one-way", (client, group) -> client.sendOneWay(HELLO).toMulti()),
        named("list", (client, group) ->
            client.sendAll(List.of(HELLO, HELLO.deliverAfter(Duration.ofSeconds(1)), HELLO.orderKey("k"))).toMulti()),
        named("request", (client, group) -> client.request(HELLO, Duration.ofMillis(200)).onFailure().recoverWithNull().toMulti()),
        named("transaction", (client, group) -> client.transaction(group, message -> Uni.createFrom().item(Verdict.UNKNOWN))
            .send(HELLO, receipt -> Uni.createFrom().item(Verdict.COMMIT)).toMulti()),
        named("read", (client, group) -> client.read(new TopicQueue(TOPIC, FakeCluster.BROKER, 0), 0, 5, Duration.ZERO).toMulti()),
        named("offsets", (client, group) -> client.offsets(TOPIC, Position.LATEST).toMulti()),
        named("page", (client, group) -> client.admin().browse(TOPIC, Position.EARLIEST, 5).toMulti()),
        named("lone reader", (client, group) -> client.subscribe(ALONE).select().first(3)),
        named("member", (client, group) -> client.subscribe(MEMBER.group(group)).onItem().call(Delivery::ack).select().first(3)),
        named("member in order",
            (client, group) -> client.subscribe(MEMBER.group(group).ordered()).onItem().call(Delivery::ack).select().first(3)),
        named("member that sends back",
            (client, group) -> client.subscribe(MEMBER.group(group)).onItem().call(delivery -> delivery.nack()).select().first(2)));
  }

  private static Named<Undertaking> named(String name, Undertaking undertaking) {
    return Named.of(name, undertaking);
  }

  @ParameterizedTest
  @MethodSource("undertakings")
  void shouldGiveBackWhatItHeldWhenItIsGivenUpAtAnyStep(Undertaking undertaking) {
    fill(0, 3);

    int step = 0;
    while (givesUpAt(step, undertaking)) {
      step++;
      assertThat(step).isLessThan(MOST_STEPS);
    }

    assertThat(step).as("steps there were").isPositive();
  }

  /** Whether it had so many steps. */
  private boolean givesUpAt(int step, Undertaking undertaking) {
    MetaqClient fresh = MetaqClient.create(vertx, options().setMaxInFlight(1));
    kept.set(null);
    AtomicInteger left = new AtomicInteger(step);
    for (RequestCode code : RequestCode.values()) {
      cluster.script(code, request -> left.getAndDecrement() == 0 && kept.compareAndSet(null, request));
    }
    AtomicBoolean ended = new AtomicBoolean();
    Cancellable running = undertaking.begin(fresh, "g" + step).subscribe()
        .with(item -> {}, failure -> ended.set(true), () -> ended.set(true));
    until(() -> ended.get() || kept.get() != null);
    // Also when it did not wait for that one.
    boolean had = kept.get() != null;

    running.cancel();
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
    return had;
  }
}
