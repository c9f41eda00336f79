package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.StoredMessage;
import io.metaq.model.Clock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a feed does between lanes and a subscriber, on its own context. */
@Timeout(180)
class FeedTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final List<String> received = new ArrayList<>();
  private final AtomicBoolean cancelled = new AtomicBoolean();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldGiveEveryLaneItsTurn() throws Exception {
    onContext(() -> {
      Feed feed = feed(100, false);
      List<Lane> lanes = List.of(lane("a", 40), lane("b", 3));
      lanes.forEach(feed::ready);
      feed.drain();
    });

    assertThat(received).hasSize(43);
    assertThat(received.indexOf("b0")).isEqualTo(32);
  }

  @Test
  void shouldHandOutNoMoreThanAskedForAndNothingThroughAClosedGate() throws Exception {
    AtomicBoolean gate = new AtomicBoolean();
    onContext(() -> {
      Feed feed = feed(2, false);
      Lane shut = lane("shut", 5, gate);
      Lane open = lane("open", 5, new AtomicBoolean(true));
      feed.ready(shut);
      feed.ready(open);
      feed.drain();
      gate.set(true);
      feed.ready(shut);
      feed.drain();
      feed.request(6);
    });

    assertThat(received).startsWith("open0", "open1").hasSize(8).contains("shut0");
  }

  @Test
  void shouldCancelASubscriberThatThrowsAndGoOnItself() throws Exception {
    onContext(() -> {
      Feed broken = feed(10, true);
      broken.ready(lane("x", 3));
      broken.drain();
      broken.ready(lane("y", 3));
      broken.drain();
    });

    assertThat(cancelled).isTrue();
    assertThat(received).containsExactly("x0");
  }

  private Feed feed(long demand, boolean throwing) {
    Flow.Subscriber<Delivery> subscriber = new Flow.Subscriber<>() {
      @Override
      public void onSubscribe(Flow.Subscription subscription) {}

      @Override
      public void onNext(Delivery delivery) {
        received.add(delivery.message().text());
        if (throwing) {
          throw new IllegalStateException("a subscriber must not throw");
        }
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onComplete() {}
    };
    Feed feed = new Feed(new Home(vertx, Clock.system()), null, subscriber);
    feed.from(new Feed.Source() {
      @Override
      public void demanded() {}

      @Override
      public void cancelled() {
        cancelled.set(true);
      }
    });
    feed.request(demand);
    return feed;
  }

  private Lane lane(String name, int count) {
    return lane(name, count, new AtomicBoolean(true));
  }

  private Lane lane(String name, int count, AtomicBoolean gate) {
    Home home = new Home(vertx, Clock.system());
    TopicQueue queue = new TopicQueue("T", "b0", 0);
    QueueReader reader = new QueueReader(home, null, null, null, queue, null, null, count, count);
    Lane lane = new Lane(gate::get);
    for (int i = 0; i < count; i++) {
      byte[] body = (name + i).getBytes();
      StoredMessage stored = new StoredMessage(100, "T", 0, 0, i, i, 0, 0, body, 0, body, 0, 0, 0, body, Map.of());
      Received message = Received.plain(stored);
      lane.add(new QueuedDelivery(home, reader, reader.taken(message), message, new Settlement() {
        @Override
        public void handedOut(QueuedDelivery delivery) {}

        @Override
        public void acknowledged(QueuedDelivery delivery) {}

        @Override
        public Future<Void> sentBack(QueuedDelivery delivery, Optional<Duration> delay) {
          return Future.succeededFuture();
        }
      }));
    }
    return lane;
  }

  private void onContext(Runnable task) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    context.runOnContext(ignored -> {
      try {
        task.run();
        done.complete(null);
      } catch (RuntimeException failure) {
        done.completeExceptionally(failure);
      }
    });
    done.get(60, TimeUnit.SECONDS);
  }
}
