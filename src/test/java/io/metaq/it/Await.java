package io.metaq.it;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition of another process, which has no way to notify us. */
public final class Await {

  private static final long POLL_NANOS = 20_000_000;

  private Await() {
  }

  /** Returns when {@code condition} holds; fails, naming {@code what}, when it does not within {@code limit}. */
  public static void until(String what, Duration limit, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
