package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongPredicate;

/** Those who wait until a name server holds a revision of the topic table. */
@OwnedBy("RegistrationVerticle")
final class RegistrationWaiters {
  private final Vertx vertx;
  private final List<Waiter> waiters = new ArrayList<>();

  RegistrationWaiters(Vertx vertx) {
    this.vertx = vertx;
  }

  private record Waiter(long revision, Promise<Boolean> promise) {}

  /** Completes the promise with true from {@link #settle}, or with false after {@code limitMs}. */
  void add(long revision, long limitMs, Promise<Boolean> promise) {
    Waiter waiter = new Waiter(revision, promise);
    waiters.add(waiter);
    long timer = vertx.setTimer(Math.max(1, limitMs), over -> {
      waiters.remove(waiter);
      promise.tryComplete(false);
    });
    promise.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  /** Answers those whose revision is held now. */
  void settle(LongPredicate held) {
    for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
      Waiter waiter = each.next();
      if (held.test(waiter.revision())) {
        each.remove();
        waiter.promise().tryComplete(true);
      }
    }
  }
}
