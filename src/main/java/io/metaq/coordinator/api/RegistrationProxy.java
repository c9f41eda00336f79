package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;

/** What can be asked of RegistrationVerticle. */
public final class RegistrationProxy {
  public static final String AWAIT = "metaq.registration.await";

  public static final String PERMIT = "metaq.registration.permit";

  private final Vertx vertx;

  public RegistrationProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Waits until a name server has the topics as they are now, so that clients who ask it find what was just made.
   *
   * @return true when one has, or there is none to tell; false when none took the table within {@code limitMs}
   */
  public Future<Boolean> registered(long limitMs) {
    return vertx.eventBus().<Boolean>request(AWAIT, limitMs, LocalBus.LOCAL)
        .map(message -> message.body())
        .recover(failure -> nobodyRegisters(failure) ? Future.succeededFuture(true) : Future.failedFuture(failure));
  }

  /** What the broker permits from now on, bits of {@link io.metaq.model.Perm}; name servers are told at once. */
  public void permit(int permission) {
    vertx.eventBus().send(PERMIT, permission, LocalBus.LOCAL);
  }

  private static boolean nobodyRegisters(Throwable failure) {
    return failure instanceof ReplyException refused && refused.failureType() == ReplyFailure.NO_HANDLERS;
  }
}
