package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.model.Clock;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way onto a client's context and back. */
@Timeout(180)
class HomeTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() {
    closeVertx();
  }

  @Test
  void shouldRunWhatAWorkerOfItsOwnContextBringsOnTheLoop() throws Exception {
    CompletableFuture<Boolean> onTheLoop = new CompletableFuture<>();

    vertx.runOnContext(ignored -> {
      Home home = new Home(vertx, Clock.system());
      vertx.executeBlocking(
          () -> {
            home.run(() -> onTheLoop.complete(Context.isOnEventLoopThread()));
            return null;
          });
    });

    assertThat(onTheLoop.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldRunWhatComesBehindATaskThatThrows() throws Exception {
    Home home = new Home(vertx, Clock.system());
    CompletableFuture<Void> ran = new CompletableFuture<>();
    CompletableFuture<Void> queued = new CompletableFuture<>();

    home.later(queued::join);
    home.run(() -> {
      throw new IllegalStateException("thrown by a test");
    });
    home.run(() -> ran.complete(null));
    queued.complete(null);

    ran.get(60, TimeUnit.SECONDS);
  }

  @Test
  void shouldLetTimersHaveTheirTurnWhileTasksKeepComing() throws Exception {
    Home home = new Home(vertx, Clock.system());
    CompletableFuture<Void> turn = new CompletableFuture<>();
    Context[] context = new Context[1];

    home.run(() -> context[0] = Vertx.currentContext());
    home.run(() -> context[0].runOnContext(ignored -> turn.complete(null)));
    home.run(new Runnable() {
      @Override
      public void run() {
        if (!turn.isDone()) {
          Thread elsewhere = new Thread(() -> home.run(this));
          elsewhere.start();
          joined(elsewhere);
        }
      }
    });

    turn.get(60, TimeUnit.SECONDS);
  }

  @Test
  void shouldRefuseWhatComesWhenTheVertxIsClosed() {
    Home home = new Home(vertx, Clock.system());
    Uni<String> plain = home.uni(() -> Future.succeededFuture("done"));
    Uni<String> cancellable = home.cancellable(() -> Home.Work.of(Future.succeededFuture("done")));
    assertThat(plain.await().atMost(LIMIT)).isEqualTo("done");

    closeVertx();

    for (int i = 0; i < 2; i++) {
      assertThat(reason(plain)).isEqualTo(MetaqException.Reason.CLOSED);
      assertThat(reason(cancellable)).isEqualTo(MetaqException.Reason.CLOSED);
      assertThatCode(() -> home.run(() -> {})).doesNotThrowAnyException();
    }
  }

  @Test
  void shouldFailAllThatIsOpenAtItsEndThoughOneOfThemThrows() throws Exception {
    Home home = new Home(vertx, Clock.system());
    CompletableFuture<Void> thrown = new CompletableFuture<>();
    home.uni(() -> Promise.<String>promise().future()).subscribe().withSubscriber(new UniSubscriber<String>() {
      @Override
      public void onSubscribe(UniSubscription subscription) {}

      @Override
      public void onItem(String item) {}

      @Override
      public void onFailure(Throwable failure) {
        thrown.complete(null);
        throw new IllegalStateException("thrown by a test");
      }
    });
    CompletableFuture<String> other = home.uni(() -> Promise.<String>promise().future()).subscribeAsCompletionStage();

    home.run(home::end);

    thrown.get(60, TimeUnit.SECONDS);
    assertThat(catchThrowableOfType(ExecutionException.class, () -> other.get(60, TimeUnit.SECONDS)))
        .hasCauseInstanceOf(MetaqException.class);
  }

  @Test
  void shouldFailWithInvalidWhatThrowsBeforeItBegins() {
    Home home = new Home(vertx, Clock.system());
    String nothing = null;

    assertThat(reason(home.uni(() -> Future.succeededFuture(nothing.length())))).isEqualTo(MetaqException.Reason.INVALID);
    assertThat(reason(home.cancellable(() -> Home.Work.of(Future.succeededFuture(nothing.length())))))
        .isEqualTo(MetaqException.Reason.INVALID);
  }

  private void closeVertx() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MetaqException.Reason reason(Uni<?> uni) {
    return catchThrowableOfType(MetaqException.class, () -> uni.await().atMost(LIMIT)).reason();
  }
}
