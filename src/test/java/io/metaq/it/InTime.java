package io.metaq.it;

import java.time.Duration;

/**
 * For what proves something only when it is done within some time, which a machine that stands still for a moment may exceed: it is done
 * again then, from its beginning.
 */
public final class InTime {
  private static final int TRIES = 10;

  private InTime() {
  }

  /** What is to be done in time. */
  public interface Trial {
    void run() throws Exception;
  }

  /** Returns when {@code trial} was done within {@code limit}; what it throws counts only then. */
  public static void run(Duration limit, Trial trial) throws Exception {
    for (int tries = 0; tries < TRIES; tries++) {
      long lateNs = System.nanoTime() + limit.toNanos();
      try {
        trial.run();
        if (System.nanoTime() - lateNs < 0) {
          return;
        }
      } catch (Exception | AssertionError failure) {
        if (System.nanoTime() - lateNs < 0) {
          throw failure;
        }
      }
    }
    throw new AssertionError("not once within " + limit.toMillis() + " ms");
  }
}
