package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Optional;

/** What can be asked of RegistrationVerticle. */
public final class RegistrationProxy {
  public static final String AWAIT = "metaq.registration.await";
  public static final String ROUTE = "metaq.registration.route";
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

  /** Where the queues of a topic are, as a name server's answer has it; empty when none knows it, or none answers. */
  public Future<Optional<byte[]>> route(String topic) {
    return vertx.eventBus().<Optional<byte[]>>request(ROUTE, topic, LocalBus.LOCAL)
        .map(message -> message.body())
        .recover(failure -> nobodyRegisters(failure) ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(failure));
  }

  private static boolean nobodyRegisters(Throwable failure) {
    return failure instanceof ReplyException refused && refused.failureType() == ReplyFailure.NO_HANDLERS;
  }
}
