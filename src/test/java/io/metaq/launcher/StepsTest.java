package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StepsTest {
  private final Steps steps = new Steps();
  private final List<String> happened = new ArrayList<>();

  @Test
  void shouldStopInTheExactReverseOrder() {
    start("a", Future.succeededFuture());
    start("b", Future.succeededFuture());
    start("c", Future.succeededFuture());

    boolean clean = steps.stop();

    assertThat(clean).isTrue();
    assertThat(happened).containsExactly("+a", "+b", "+c", "-c", "-b", "-a");
  }

  @Test
  void shouldStopTheOthersWhenOneFailsToStop() {
    start("a", Future.succeededFuture());
    start("b", Future.failedFuture("no"));

    boolean clean = steps.stop();

    assertThat(clean).isFalse();
    assertThat(happened).containsExactly("+a", "+b", "-b", "-a");
  }

  @Test
  void shouldStopOnlyOnce() {
    start("a", Future.succeededFuture());

    steps.stop();
    steps.stop();

    assertThat(happened).containsExactly("+a", "-a");
  }

  @Test
  void shouldStartNothingMoreOnceStopped() {
    steps.stop();

    assertThatThrownBy(() -> start("a", Future.succeededFuture())).isInstanceOf(StartFailure.class);
    assertThat(happened).isEmpty();
  }

  @Test
  void shouldGiveTheCauseOfAFailedStart() {
    BindException taken = new BindException("taken");

    assertThatThrownBy(() -> steps.start("a", () -> Future.failedFuture(taken), none -> Future.succeededFuture()))
        .hasCause(taken);
    assertThat(steps.stop()).isTrue();
  }

  @Test
  void shouldStopWhatWasBegunWhenItHasStarted() {
    Promise<String> slow = Promise.promise();
    Future<String> begun = steps.begin("slow", slow::future, started -> {
      happened.add("-" + started);
      return Future.succeededFuture();
    });
    start("quick", Future.succeededFuture());
    CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(steps::stop);

    slow.complete("slow");

    assertThat(stopped.join()).isTrue();
    assertThat(Steps.await(begun)).isEqualTo("slow");
    assertThat(happened).containsExactly("+quick", "-quick", "-slow");
  }

  @Test
  void shouldHaveNothingToStopOfWhatWasBegunAndFailed() {
    Future<String> begun = steps.begin("a", () -> Future.failedFuture(new StartFailure("no")), none -> Future.failedFuture("never started"));

    assertThatThrownBy(() -> Steps.await(begun)).isInstanceOf(StartFailure.class).hasMessage("no");
    assertThat(steps.stop()).isTrue();
  }

  private void start(String name, Future<?> stop) {
    steps.start(name, () -> {
      happened.add("+" + name);
      return Future.succeededFuture(name);
    }, started -> {
      happened.add("-" + started);
      return stop;
    });
  }
}
