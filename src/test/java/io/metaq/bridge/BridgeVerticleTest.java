package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.client.FakeCluster;
import io.metaq.model.AddressRanges;
import io.metaq.model.Clock;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What serves requests is made when the first one comes. */
@Timeout(60)
class BridgeVerticleTest {
  private static final int LIMIT_S = 30;

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  @Test
  void shouldMakeWhatServesRequestsAnewAfterItFailed() throws Exception {
    AtomicInteger made = new AtomicInteger();
    FakeCluster cluster = FakeCluster.start(vertx);
    int port = FreePorts.next();
    BridgeOptions options = new BridgeOptions(BridgeOptions.Scope.CLUSTER, "127.0.0.1", port, cluster.address(), 1_000,
        AddressRanges.LOOPBACK, List.of(), List.of(), BridgeLimits.standard(), List.of());
    vertx.deployVerticle(new BridgeVerticle(options, Clock.system(), (in, of, connections, clock) -> {
      if (made.incrementAndGet() == 1) {
        throw new IllegalStateException("no memory for it");
      }
      return BridgeService.make(in, of, connections, clock);
    })).toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);

    Http.Reply refused = new Http(port).get("/health/live");
    List<Integer> later = List.of(new Http(port).get("/health/live").status(), new Http(port).get("/health/live").status());

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isEqualTo("5");
    assertThat(refused.header("Connection")).isEqualTo("close");
    assertThat(refused.json().getString("detail")).contains("no memory for it");
    assertThat(later).containsExactly(200, 200);
    assertThat(made).hasValue(2);
  }
}
