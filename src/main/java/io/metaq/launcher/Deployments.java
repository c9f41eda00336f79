package io.metaq.launcher;

import io.metaq.model.OwnedBy;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Deploys verticles in the order in which they come, without waiting for one before the next begins unless the next needs it: event loops and
 * workers start side by side, and the store is opened meanwhile. What listens or has others told where the process does needs all that came
 * before: nobody is let in earlier, and what a name server answers finds who wants to hear it. Of several failures the first in that order is
 * told.
 */
@OwnedBy("the thread that starts the process")
final class Deployments {
  private final Vertx vertx;
  private final Steps steps;
  private final Rooms rooms;
  private final BiFunction<VerticleKind, RuntimeException, StartFailure> told;
  private final List<Begun> begun = new ArrayList<>();

  private record Begun(VerticleKind kind, Future<String> deployed) {}

  /**
   * @param told how a failure of a kind is told
   */
  Deployments(Vertx vertx, Steps steps, Rooms rooms, BiFunction<VerticleKind, RuntimeException, StartFailure> told) {
    this.vertx = vertx;
    this.steps = steps;
    this.rooms = rooms;
    this.told = told;
  }

  /**
   * Begins to deploy one more.
   *
   * @throws StartFailure when one fails that it needs
   */
  void begin(VerticleKind kind, DeploymentOptions options) {
    if (kind.opens()) {
      awaitAll();
    } else {
      begun.stream().filter(earlier -> kind.after().contains(earlier.kind().type())).forEach(this::await);
    }
    begun.add(new Begun(
        kind, steps.begin(kind.name(), () -> vertx.deployVerticle(() -> kind.factory().apply(rooms), options), vertx::undeploy)));
  }

  /**
   * Waits for all that were begun.
   *
   * @throws StartFailure for the first that failed
   */
  void awaitAll() {
    begun.forEach(this::await);
  }

  private void await(Begun part) {
    try {
      Steps.await(part.deployed());
    } catch (StartFailure failure) {
      throw failure;
    } catch (RuntimeException failure) {
      throw told.apply(part.kind(), failure);
    }
  }
}
