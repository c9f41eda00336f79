package io.metaq.client;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A client of a {@link FakeCluster}, each test with its own of both. */
abstract class ClientTestBase {
  static final Duration LIMIT = Duration.ofSeconds(60);
  static final String TOPIC = FakeCluster.TOPIC;
  static final Message HELLO = Message.to(TOPIC).body("hello");

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

  /** Options of a client of the cluster. */
  MetaqClientOptions options() {
    return new MetaqClientOptions().setNameServers(cluster.address());
  }

  MetaqClient client() {
    return MetaqClient.create(vertx, options());
  }

  static MetaqException failure(Uni<?> uni) {
    return catchThrowableOfType(MetaqException.class, () -> uni.await().atMost(LIMIT));
  }
}
