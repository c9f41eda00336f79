package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/**
 * Asks for something again and again for one subscriber: only while it wants another, one question at a time, so that nothing waits for
 * it and nothing is asked in vain.
 */
@OwnedBy("its client's context")
final class FigureStream<T> {
  private final Home home;
  private final long everyMs;
  private final Supplier<Future<T>> question;
  private final MultiEmitter<? super T> subscriber;
  private final Context caller;
  private final Promise<Void> over = Promise.promise();
  private boolean asking;
  private long timer = -1;
  private boolean ended;

  FigureStream(Home home, long everyMs, Supplier<Future<T>> question, MultiEmitter<? super T> subscriber, Context caller) {
    this.home = home;
    this.everyMs = everyMs;
    this.question = question;
    this.subscriber = subscriber;
    this.caller = caller;
  }

  /** Begins with a question at once; once. Fails when a question does, and completes when it is stopped. */
  Future<Void> start() {
    if (!ended) {
      timer = home.every(everyMs, this::tick);
      tick();
    }
    return over.future();
  }

  void stop() {
    ended = true;
    home.cancel(timer);
    over.tryComplete();
  }

  private void tick() {
    if (asking || ended || subscriber.requested() == 0) {
      return;
    }
    asking = true;
    question.get().onFailure(over::tryFail).onSuccess(figures -> home.runOn(caller, () -> {
      // Demand does not shrink meanwhile: this is the only one who uses it.
      subscriber.emit(figures);
      home.run(() -> asking = false);
    }));
  }
}
