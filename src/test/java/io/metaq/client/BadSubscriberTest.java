package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.RequestCode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Subscribers that throw where they must not, send while they receive, want all there is and take none of it. */
@Timeout(180)
class BadSubscriberTest extends ConsumerTestBase {

  /** Does something at each signal. */
  private static final class Doing implements Flow.Subscriber<Delivery> {
    private final Runnable onNext;
    private final Runnable onEnd;
    private final List<Long> offsets = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    Doing(Runnable onNext, Runnable onEnd) {
      this.onNext = onNext;
      this.onEnd = onEnd;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Delivery delivery) {
      offsets.add(delivery.queueOffset());
      onNext.run();
    }

    @Override
    public void onError(Throwable failure) {
      ended.complete(null);
      onEnd.run();
    }

    @Override
    public void onComplete() {
      ended.complete(null);
      onEnd.run();
    }
  }

  private static void error() {
    throw new NoClassDefFoundError("a class of the application");
  }

  private static void exception() {
    throw new IllegalStateException("a subscriber must not throw");
  }

  @Test
  void shouldEndEveryoneAlthoughASubscriberThrowsAtItsEnd() {
    cluster.topic("U", 1);
    List<Doing> all = new ArrayList<>();
    for (Runnable end : List.<Runnable>of(BadSubscriberTest::exception, BadSubscriberTest::error)) {
      String group = GROUP + all.size();
      for (Subscription one : List.of(ALONE, ALONE.group(group), Subscription.to("U").group(group), Subscription.to("U").group(group + "o"))) {
        Doing doing = new Doing(() -> {}, end);
        all.add(doing);
        client.subscribe(one).subscribe().withSubscriber(doing);
      }
    }
    until(() -> cluster.requests(RequestCode.PULL_MESSAGE).size() >= all.size());

    await(client.close());

    assertThat(all).allSatisfy(doing -> assertThat(doing.ended).isCompleted());
  }

  @Test
  void shouldCancelASubscriberThatThrowsAnErrorAndDeliverItsMessagesToTheNext() {
    fill(0, 3);

    client.subscribe(MEMBER).subscribe().withSubscriber(new Doing(BadSubscriberTest::error, () -> {}));
    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());

    assertThat(take(MEMBER, Long.MAX_VALUE).next(3)).extracting(Delivery::queueOffset).containsExactly(0L, 1L, 2L);
  }

  @Test
  void shouldSendBackWhatAHandlerThrowsAnErrorAtAndGoOn() {
    fill(0, 3);

    client.consume(MEMBER, 1, delivery -> {
      if (delivery.queueOffset() == 1) {
        error();
      }
      return Uni.createFrom().voidItem();
    }).subscribe().with(done -> {});

    until(() -> Long.valueOf(3).equals(cluster.offset(GROUP, TOPIC, 0)));
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).hasSize(1);
  }

  /** Seen as a danger: an answer's subscriber runs where the connection is read. */
  @Test
  void shouldKeepItsConnectionWhenTheSubscriberOfAnAnswerThrows() throws Exception {
    client.send(HELLO).await().atMost(LIMIT);
    CountDownLatch called = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      client.send(HELLO).subscribe().withSubscriber(new UniSubscriber<SendReceipt>() {
        @Override
        public void onSubscribe(UniSubscription subscription) {}

        @Override
        public void onItem(SendReceipt item) {
          called.countDown();
          exception();
        }

        @Override
        public void onFailure(Throwable failure) {
          called.countDown();
        }
      });
    }
    assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();

    assertThat(client.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).as("none was sent again").hasSize(4);
  }

  @Test
  void shouldSendWhatAHandlerSendsWhileItReceives() {
    fill(0, 200);
    cluster.topic("U", 1);
    List<SendReceipt> sent = new CopyOnWriteArrayList<>();

    client.consume(MEMBER, 8, delivery -> {
      // Nobody waits for the first, and the second is waited for.
      client.send(Message.to("U").body("first")).subscribe().with(sent::add);
      return client.send(Message.to("U").body("second")).invoke(sent::add);
    }).subscribe().with(done -> {});

    until(() -> Long.valueOf(200).equals(cluster.offset(GROUP, TOPIC, 0)) && sent.size() == 400);
    assertThat(sent).extracting(SendReceipt::queueOffset).doesNotHaveDuplicates();
  }

  @Test
  void shouldCloseWhenASubscriberAsksForItWhileItReceives() {
    fill(0, 50);
    CompletableFuture<Void> closed = new CompletableFuture<>();

    Doing doing = new Doing(() -> client.close().subscribe().with(done -> closed.complete(null)), () -> {});
    client.subscribe(MEMBER).subscribe().withSubscriber(doing);

    until(closed::isDone);
    until(doing.ended::isDone);
  }

  /** What is wanted without end goes to a context that is busy: it must not pile up there. */
  @Test
  void shouldReadNoFurtherAheadForAContextThatIsBusyWhateverTheDemand() throws Exception {
    cluster.topic(TOPIC, 1);
    cluster.topic("U", 1);
    fill(0, 8_000);
    Vertx callers = Vertx.vertx();
    Context caller = callers.getOrCreateContext();
    CountDownLatch blocked = new CountDownLatch(1);
    Doing doing = new Doing(() -> {
      try {
        blocked.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }, () -> {});

    caller.runOnContext(ignored -> client.subscribe(ALONE).subscribe().withSubscriber(doing));
    until(() -> doing.offsets.size() == 1);
    for (int pulls = -1; pulls < cluster.requests(RequestCode.PULL_MESSAGE).size(); ) {
      pulls = cluster.requests(RequestCode.PULL_MESSAGE).size();
      // As many turns of the client as a reading that goes on would have taken.
      for (int turns = 0; turns < 50; turns++) {
        client.send(Message.to("U").body("turn")).await().atMost(LIMIT);
      }
    }
    long readUpTo = cluster.requests(RequestCode.PULL_MESSAGE).stream().mapToLong(pull -> pull.requireLong("queueOffset")).max().orElse(0);
    blocked.countDown();

    assertThat(readUpTo).isLessThan(2_000);
    until(() -> doing.offsets.size() == 8_000);
    assertThat(doing.offsets).isSorted();
    await(client.close());
    callers.close().toCompletionStage().toCompletableFuture().get();
  }
}
