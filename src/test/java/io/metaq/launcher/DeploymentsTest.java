package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.coordinator.RegistrationVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeploymentsTest {
  private static final int SOON_MS = 30;

  private final Vertx vertx = Vertx.vertx();
  private final Steps steps = new Steps();
  private final Deployments deployments = new Deployments(
      vertx, steps, null, (kind, failure) -> new StartFailure(kind.name() + ": " + failure.getMessage(), failure));
  private final List<String> happened = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> quickHasStarted = new CompletableFuture<>();
  private final Promise<Void> slowStart = Promise.promise();

  /** Starts when the test says so. */
  private final class Slow extends VerticleBase {
    @Override
    public Future<?> start() {
      return slowStart.future().onSuccess(started -> happened.add("+slow"));
    }

    @Override
    public Future<?> stop() {
      happened.add("-slow");
      return Future.succeededFuture();
    }
  }

  private final class Quick extends VerticleBase {
    @Override
    public Future<?> start() {
      happened.add("+quick");
      quickHasStarted.complete(null);
      return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
      happened.add("-quick");
      return Future.succeededFuture();
    }
  }

  static List<VerticleKind> kindsThatNeedOthers() {
    VerticleKind quick = VerticleKind.of(Quick.class, none -> null);
    return List.of(quick.after(Slow.class), quick.listensOn("listenPort"), quick.opening());
  }

  @AfterEach
  void close() {
    slowStart.tryComplete();
    steps.stop();
    Steps.await(vertx.close());
  }

  @Test
  void shouldBeginOneBesideAnotherAndStopBothInReverse() {
    begin(VerticleKind.of(Slow.class, rooms -> new Slow()));
    begin(VerticleKind.of(Quick.class, rooms -> new Quick()));
    quickHasStarted.join();
    slowStart.complete();
    deployments.awaitAll();

    assertThat(steps.stop()).isTrue();

    assertThat(happened).containsExactly("+quick", "+slow", "-quick", "-slow");
  }

  @ParameterizedTest
  @MethodSource("kindsThatNeedOthers")
  void shouldBeginOneThatNeedsAnotherWhenThatHasStarted(VerticleKind needing) {
    begin(VerticleKind.of(Slow.class, rooms -> new Slow()));
    vertx.setTimer(SOON_MS, timer -> slowStart.complete());

    begin(new VerticleKind(needing.type(), rooms -> new Quick(), needing.component(), needing.portKey(), false, needing.pool(), false,
        needing.after(), needing.opens()));
    deployments.awaitAll();

    assertThat(happened).containsExactly("+slow", "+quick");
  }

  /** What a name server answers is told once, and what was begun before has to hear it. */
  @Test
  void shouldRegisterABrokerWhenAllBeforeHaveStarted() {
    assertThat(VerticleKinds.all()).filteredOn(kind -> kind.type() == RegistrationVerticle.class).allMatch(VerticleKind::opens).isNotEmpty();
  }

  @Test
  void shouldTellTheFirstOfSeveralThatFail() {
    begin(VerticleKind.of(Slow.class, rooms -> new Slow()));
    begin(failing("second"));
    vertx.setTimer(SOON_MS, timer -> slowStart.fail("first"));

    assertThatThrownBy(deployments::awaitAll).isInstanceOf(StartFailure.class).hasMessage("Slow: first");
    assertThat(steps.stop()).isTrue();
  }

  @Test
  void shouldStopWhatIsStillStartingWhenAnotherHasFailed() {
    begin(failing("no"));
    begin(VerticleKind.of(Slow.class, rooms -> new Slow()));
    assertThatThrownBy(deployments::awaitAll).hasMessage("Quick: no");
    vertx.setTimer(SOON_MS, timer -> slowStart.complete());

    assertThat(steps.stop()).isTrue();

    assertThat(happened).containsExactly("+slow", "-slow");
  }

  @Test
  void shouldTellOfOneThatCannotBeMade() {
    begin(VerticleKind.of(Quick.class, rooms -> {
      throw new IllegalStateException("no");
    }));

    assertThatThrownBy(deployments::awaitAll).isInstanceOf(StartFailure.class).hasMessage("Quick: no");
  }

  private VerticleKind failing(String why) {
    return VerticleKind.of(Quick.class, rooms -> new VerticleBase() {
      @Override
      public Future<?> start() {
        return Future.failedFuture(new IllegalStateException(why));
      }
    });
  }

  private void begin(VerticleKind kind) {
    deployments.begin(kind, new DeploymentOptions());
  }
}
