package io.metaq.bus;

import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * "Look again", sent at most once until it was taken: the sender raises it and sends a bus message only when none is on its way; the
 * receiver takes it before it looks, so that nothing published later is missed.
 */
public final class Nudge {
  private final AtomicBoolean raised = new AtomicBoolean();

  /** True when the caller must send the message; false when one is on its way already. */
  public boolean raise() {
    return !raised.get() && raised.compareAndSet(false, true);
  }

  /** Has whoever takes it at {@code address} look again, unless it is on its way there. */
  public void send(Vertx vertx, String address) {
    if (raise()) {
      vertx.eventBus().send(address, this, LocalBus.LOCAL);
    }
  }

  /** Called by the receiver first of all. */
  public void take() {
    raised.set(false);
  }
}
