package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.MetaqException.Reason;
import io.metaq.model.RequestCode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that do well, throw, fail late or never answer, and subscribers that break the rules. */
@Timeout(180)
class HandlerTest extends ConsumerTestBase {
  private final CompletableFuture<Throwable> ended = new CompletableFuture<>();

  @Test
  void shouldAcknowledgeWhatTheHandlerHasDone() {
    fill(0, 20);

    consume(4, delivery -> Uni.createFrom().item(delivery.message().text()));

    until(() -> Long.valueOf(20).equals(cluster.offset(GROUP, TOPIC, 0)));
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).isEmpty();
  }

  @Test
  void shouldSendBackWhenTheHandlerThrowsFailsLateOrGivesNothing() {
    fill(0, 4);

    consume(1, delivery -> switch ((int) delivery.queueOffset()) {
      case 0 -> throw new IllegalStateException("at once");
      case 1 -> null;
      case 2 -> Uni.createFrom().<Void>emitter(late -> vertx.setTimer(20, ignored -> late.fail(new IllegalStateException("late"))));
      default -> Uni.createFrom().voidItem();
    });

    until(() -> Long.valueOf(4).equals(cluster.offset(GROUP, TOPIC, 0)));
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).hasSize(3);
    assertThat(ended).isNotDone();
  }

  @Test
  void shouldSendBackAgainUntilTheBrokerTakesIt() {
    fill(0, 2);
    cluster.first(2, RequestCode.CONSUMER_SEND_MSG_BACK, call -> call.refuse(1, "not now"));

    consume(1, delivery -> delivery.queueOffset() == 0
        ? Uni.createFrom().failure(new IllegalStateException("a bug"))
        : Uni.createFrom().voidItem());

    until(() -> Long.valueOf(2).equals(cluster.offset(GROUP, TOPIC, 0)));
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).hasSize(3);
  }

  @Test
  void shouldHandleOtherMessagesWhileAHandlerNeverAnswers() {
    fill(0, 1);
    fill(1, 50);

    consume(2, delivery -> delivery.queueId() == 0 ? Uni.createFrom().nothing() : Uni.createFrom().voidItem());

    until(() -> Long.valueOf(50).equals(cluster.offset(GROUP, TOPIC, 1)));
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isIn(null, 0L);
    until(() -> client.membership(GROUP).status().await().atMost(LIMIT).queues().stream().anyMatch(queue -> queue.stuck().isPresent()));
  }

  @Test
  void shouldHandleNoMoreAtATimeThanItIsTold() {
    fill(0, 50);
    fill(1, 50);
    AtomicInteger now = new AtomicInteger();
    Set<Integer> seen = ConcurrentHashMap.newKeySet();

    consume(3, delivery -> Uni.createFrom().<Void>emitter(emitter -> {
      seen.add(now.incrementAndGet());
      vertx.setTimer(1, ignored -> {
        now.decrementAndGet();
        emitter.complete(null);
      });
    }));

    until(() -> Long.valueOf(50).equals(cluster.offset(GROUP, TOPIC, 0)) && Long.valueOf(50).equals(cluster.offset(GROUP, TOPIC, 1)));
    assertThat(seen).isSubsetOf(1, 2, 3);
  }

  @Test
  void shouldCallTheHandlerOnTheSubscribersContext() throws Exception {
    fill(0, 20);
    BlockingQueue<Boolean> same = new LinkedBlockingQueue<>();

    vertx.runOnContext(ignored -> {
      Context caller = Vertx.currentContext();
      consume(2, delivery -> {
        same.add(Vertx.currentContext() == caller);
        return Uni.createFrom().voidItem();
      });
    });

    for (int i = 0; i < 20; i++) {
      assertThat(same.poll(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void shouldCompleteWhenTheClientIsClosedAndLeaveWhenItIsCancelled() {
    fill(0, 1);
    Cancellable running = consume(1, delivery -> Uni.createFrom().voidItem());
    until(() -> Long.valueOf(1).equals(cluster.offset(GROUP, TOPIC, 0)));

    running.cancel();
    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());
    consume(1, delivery -> Uni.createFrom().voidItem());
    until(() -> client.membership(GROUP).status().onFailure().recoverWithNull().await().atMost(LIMIT) != null);
    client.close().await().atMost(LIMIT);

    assertThat(ended.orTimeout(60, TimeUnit.SECONDS).join()).isNull();
  }

  @Test
  void shouldRefuseSubscribersThatComeBackWhileTheClientIsClosed() {
    List<Subscription> subscriptions = List.of(MEMBER, Subscription.to("U").group(GROUP), ALONE);
    List<CompletableFuture<Throwable>> failures = subscriptions.stream().map(subscription -> {
      CompletableFuture<Throwable> failed = new CompletableFuture<>();
      client.subscribe(subscription).onCompletion().switchTo(() -> client.subscribe(subscription))
          .subscribe().with(delivery -> {}, failed::complete);
      return failed;
    }).toList();
    until(() -> cluster.requests(RequestCode.PULL_MESSAGE).size() >= 4);

    client.close().await().atMost(LIMIT);

    assertThat(failures).allSatisfy(failed -> assertThat(failed.orTimeout(60, TimeUnit.SECONDS).join())
        .isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED)));
  }

  @Test
  void shouldRefuseToHandleNothingAtATime() {
    assertThatThrownBy(() -> client.consume(MEMBER, 0, delivery -> Uni.createFrom().voidItem()))
        .isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID));
  }

  @Test
  void shouldCancelASubscriberThatThrowsAndDeliverItsMessagesToTheNext() {
    fill(0, 3);

    client.subscribe(MEMBER).subscribe().withSubscriber(new Throwing());
    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());

    assertThat(take(MEMBER, Long.MAX_VALUE).next(3)).extracting(Delivery::queueOffset).containsExactly(0L, 1L, 2L);
  }

  @Test
  void shouldFailASubscriberThatRequestsANegativeNumberAndLeaveItsGroup() {
    Taker taker = take(MEMBER, 1);
    until(() -> !cluster.requests(RequestCode.HEART_BEAT).isEmpty());

    taker.request(-1);

    assertThat(taker.failure()).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("3.9");
    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());
  }

  @Test
  void shouldLeaveWhenASubscriberGoesAwayBeforeItHasItsQueues() {
    cluster.script(RequestCode.GET_CONSUMER_LIST_BY_GROUP, call -> {
      vertx.setTimer(50, ignored -> cluster.serve(call));
      return true;
    });
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    until(() -> !cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).isEmpty());

    taker.cancel();

    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());
    assertThat(failure(client.membership(GROUP).status()).reason()).isEqualTo(Reason.INVALID);
    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).isEmpty();
  }

  @Test
  void shouldReadOnByARetryWhenTheNameServerIsBack() throws Exception {
    int port = cluster.port();
    cluster.stop();
    AtomicInteger attempts = new AtomicInteger();
    BlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();
    client
        .subscribe(MEMBER)
        .onFailure(failure -> failure instanceof MetaqException typed && typed.reason() == Reason.NO_NAME_SERVER)
        .invoke(attempts::incrementAndGet)
        .onFailure()
        .retry()
        .withBackOff(Duration.ofMillis(10), Duration.ofMillis(100))
        .atMost(10_000)
        .subscribe()
        .with(arrived::add);
    until(() -> attempts.get() >= 2);

    cluster = FakeCluster.start(vertx, port);
    fill(0, 1);

    assertThat(arrived.poll(60, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void shouldReadByARetryAtOnceWhenAFilterWasRefusedBefore() {
    fill(0, 1);
    cluster.first(2, RequestCode.CHECK_CLIENT_CONFIG, call -> call.refuse(1, "not yet"));

    List<Delivery> read = client.subscribe(MEMBER.sql("a > 1"))
        .onFailure(failure -> failure instanceof MetaqException typed && typed.reason() == Reason.REFUSED)
        .retry().atMost(2)
        .select().first(1).collect().asList().await().atMost(LIMIT);

    assertThat(read).hasSize(1);
  }

  @Test
  void shouldDeliverAgainWhatAFailedPipelineHadInHand() {
    fill(0, 3);
    List<Long> first = client.subscribe(MEMBER)
        .onItem().transformToUniAndConcatenate(delivery -> delivery.queueOffset() == 1
            ? Uni.createFrom().<Long>failure(new IllegalStateException("a bug"))
            : delivery.ack().map(done -> delivery.queueOffset()))
        .onFailure().recoverWithCompletion()
        .collect().asList().await().atMost(LIMIT);

    assertThat(first).containsExactly(0L);
    assertThat(take(MEMBER, Long.MAX_VALUE).next(2)).extracting(Delivery::queueOffset).containsExactly(1L, 2L);
  }

  private Cancellable consume(int concurrency, Function<Delivery, Uni<?>> handler) {
    return client.consume(MEMBER.stuckAfter(Duration.ofMillis(50)), concurrency, handler).subscribe().with(
        done -> ended.complete(null), ended::complete);
  }

  /** Breaks rule 2.13; Mutiny tells it of that itself. */
  private static final class Throwing implements Flow.Subscriber<Delivery> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Delivery delivery) {
      throw new IllegalStateException("a subscriber must not throw");
    }

    @Override
    public void onError(Throwable failure) {
      assertThat(failure).hasMessageContaining("must not throw");
    }

    @Override
    public void onComplete() {
      throw new AssertionError("it is cancelled, not completed");
    }
  }
}
