package io.metaq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchedVertxTest {
  private final WatchedVertx watched = new WatchedVertx();

  @Test
  void shouldFailATestThatBlocksAnEventLoop() throws Exception {
    watched.beforeEach(null);
    Vertx vertx = (Vertx) watched.resolveParameter(null, null);
    CountDownLatch over = new CountDownLatch(1);

    vertx.runOnContext(none -> {
      awaitForAWhile(new CountDownLatch(1));
      over.countDown();
    });
    over.await();

    assertThatThrownBy(() -> watched.afterEach(null))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("an event loop was blocked")
        .hasMessageContaining("awaitForAWhile");
  }

  @Test
  void shouldNotMindWorkersThatBlock() throws Exception {
    watched.beforeEach(null);
    Vertx vertx = (Vertx) watched.resolveParameter(null, null);

    var done = vertx.executeBlocking(() -> {
      awaitForAWhile(new CountDownLatch(1));
      return "done";
    });

    assertThat(done.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS)).isEqualTo("done");
    assertThatCode(() -> watched.afterEach(null)).doesNotThrowAnyException();
  }

  private static void awaitForAWhile(CountDownLatch never) {
    try {
      never.await(500, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }
}
