package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A client that reads from a {@link FakeCluster}, and what its tests need to do and see. */
abstract class ConsumerTestBase {
  static final Duration LIMIT = Duration.ofSeconds(30);
  static final String TOPIC = FakeCluster.TOPIC;
  static final String GROUP = "g";
  static final Subscription ALONE = Subscription.to(TOPIC).from(Position.EARLIEST);
  static final Subscription MEMBER = ALONE.group(GROUP).handover(Duration.ofMillis(100));

  Vertx vertx;
  FakeCluster cluster;
  MetaqClient client;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    cluster = FakeCluster.start(vertx);
    client = client();
  }

  @AfterEach
  void stop() throws Exception {
    client.close().await().atMost(LIMIT);
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  MetaqClient client() {
    return MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(cluster.address()));
  }

  void fill(int queueId, int count) {
    for (int i = 0; i < count; i++) {
      cluster.store(TOPIC, queueId, "m" + i, Map.of("UNIQ_KEY", "id" + queueId + "-" + i), 0);
    }
  }

  static void await(Uni<Void> uni) {
    uni.await().atMost(LIMIT);
  }

  static MetaqException failure(Uni<?> uni) {
    return catchThrowableOfType(MetaqException.class, () -> uni.await().atMost(LIMIT));
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
