package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A client that reads, and what its tests need to do and see. */
abstract class ConsumerTestBase extends ClientTestBase {
  static final String GROUP = "g";
  static final Subscription ALONE = Subscription.to(TOPIC).from(Position.EARLIEST);
  static final Subscription MEMBER = ALONE.group(GROUP).handover(Duration.ofMillis(100));

  void fill(int queueId, int count) {
    for (int i = 0; i < count; i++) {
      cluster.store(TOPIC, queueId, "m" + i, Map.of("UNIQ_KEY", "id" + queueId + "-" + i), 0);
    }
  }

  static void await(Uni<Void> uni) {
    uni.await().atMost(LIMIT);
  }

  static void until(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is over").isLessThan(deadlineNs);
      LockSupport.parkNanos(2_000_000);
    }
  }

  Taker take(Subscription subscription, long demand) {
    Taker taker = new Taker(demand);
    client.subscribe(subscription).subscribe().withSubscriber(taker);
    return taker;
  }
}
