package io.metaq.bridge;

import io.vertx.core.Vertx;

/** Calls back later; in tests by hand. */
interface Alarm {
  /** Calls once, after at least a millisecond. */
  long set(long delayMs, Runnable task);

  void cancel(long id);

  static Alarm of(Vertx vertx) {
    return new Alarm() {
      @Override
      public long set(long delayMs, Runnable task) {
        return vertx.setTimer(Math.max(1, delayMs), id -> task.run());
      }

      @Override
      public void cancel(long id) {
        vertx.cancelTimer(id);
      }
    };
  }
}
