package io.metaq.cli;

import io.metaq.model.OwnedBy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a client command end in its own way on SIGINT or SIGTERM: the command sees {@link #requested}, finishes, and the process
 * exits with the command's status.
 */
@OwnedBy("the command's main thread; the signal only raises the flag")
final class Interruption implements AutoCloseable {
  private static final long FINISH_LIMIT_MS = 8_000;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::endOfProcess, "metaq-interrupt");
  private volatile boolean requested;
  private volatile int status = 1;

  private Interruption() {}

  /** From now on signals are noticed here. */
  static Interruption listen() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  boolean requested() {
    return requested;
  }

  /** The command is through with this exit status. */
  void finished(int exitStatus) {
    status = exitStatus;
    finished.countDown();
  }

  /** Stops listening; when a signal has come the process ends meanwhile, with the status given last. */
  @Override
  public void close() {
    finished.countDown();
    if (!requested) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ending) {
        // the signal came just now: the hook ends the process
      }
    }
  }

  private void endOfProcess() {
    requested = true;
    try {
      finished.await(FINISH_LIMIT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    // The JVM would report the signal's own status; a command that ended in its own way reports its own.
    Runtime.getRuntime().halt(status);
  }
}
