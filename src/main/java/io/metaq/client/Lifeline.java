package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.smallrye.mutiny.Uni;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * Closes a client when its Vert.x is closed, or the verticle is undeployed that it was made in: a verticle that does nothing but hear of it,
 * while the loops still run. Vert.x tells nobody else in time.
 */
@OwnedBy("the context it is deployed on; the flags are the client's as well")
final class Lifeline extends AbstractVerticle {
  private final Vertx owner;
  private final Uni<Void> close;
  private volatile boolean stopping;
  private volatile boolean cut;
  private Future<String> deployed;

  private Lifeline(Vertx owner, Uni<Void> close) {
    this.owner = owner;
    this.close = close;
  }

  /** Ties a client to a Vert.x. */
  static Lifeline tie(Vertx owner, Uni<Void> close) {
    Lifeline lifeline = new Lifeline(owner, close);
    lifeline.deployed = lifeline.deploy();
    return lifeline;
  }

  /** Unties it; completes anywhere, and never fails. The client calls this at its end, also when that was begun from here. */
  Future<Void> cut() {
    cut = true;
    return deployed.compose(id -> stopping ? Future.succeededFuture() : owner.undeploy(id)).otherwiseEmpty();
  }

  @Override
  public void stop(Promise<Void> stopped) {
    stopping = true;
    if (cut) {
      stopped.complete();
    } else {
      close.subscribe().with(done -> stopped.complete(), failure -> stopped.complete());
    }
  }

  /**
   * Vert.x 4 throws where Vert.x 5 fails the future, as when it is closed: nothing can be begun then that has to end. The one kind of supplier
   * that both take is of a class of ours; what they call a thing to deploy differs.
   */
  private Future<String> deploy() {
    Supplier<Lifeline> self = () -> this;
    try {
      return owner.deployVerticle(self, new DeploymentOptions());
    } catch (RuntimeException closed) {
      return Future.failedFuture(closed);
    }
  }
}
