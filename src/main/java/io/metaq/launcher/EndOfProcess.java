package io.metaq.launcher;

import io.metaq.model.OwnedBy;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a process ends: on a signal, in order, within a time limit and with status 0; on a failure that makes going on dangerous, the
 * same way with status 1. A stop that takes too long is cut off; the store recovers from that as from a crash.
 */
@OwnedBy("the thread that ends the process")
final class EndOfProcess {
  private static final Logger log = LoggerFactory.getLogger(EndOfProcess.class);

  /** Less than the 5 s promised for SIGTERM, so that the JVM's own end fits in. */
  private static final long STOP_LIMIT_MS = 4_500;

  private final Thread hook = new Thread(this::stopAndHalt, "metaq-stop");
  private BooleanSupplier stop;
  private volatile boolean failed;

  /** From now on SIGTERM, SIGINT and SIGHUP stop the process in order; {@code stop} tells whether it ended well. */
  void onSignal(BooleanSupplier stopAll) {
    stop = stopAll;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Gives the end back to the caller, after a failed start; waits for ever when a signal has come meanwhile. */
  void cancel() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyEnding) {
      await(new LinkedBlockingQueue<>());
    }
  }

  /** Ends the process because it must not go on; returns at once, from any thread. */
  void fatal(Throwable cause) {
    log.error("the process ends, see the cause", cause);
    failed = true;
    // exit() waits for the hook, which waits for the caller's verticle to stop.
    new Thread(() -> System.exit(1), "metaq-fatal").start();
  }

  /** Blocks until there is something in {@code wanted}: often for the rest of the process's life. */
  <T> T await(BlockingQueue<T> wanted) {
    while (true) {
      try {
        return wanted.take();
      } catch (InterruptedException ignored) {
        log.debug("the main thread has nothing to be interrupted in");
      }
    }
  }

  private void stopAndHalt() {
    log.info("stopping");
    CountDownLatch stopped = new CountDownLatch(1);
    boolean[] clean = new boolean[1];
    Thread stopper = new Thread(() -> {
      clean[0] = stop.getAsBoolean();
      stopped.countDown();
    }, "metaq-stopper");
    stopper.setDaemon(true);
    stopper.start();
    boolean inTime = awaitFor(stopped);
    if (inTime) {
      log.info("stopped clean={}", clean[0] && !failed);
    } else {
      log.error("not stopped in time, cut off; the next start recovers limitMs={}", STOP_LIMIT_MS);
    }
    // The JVM would report a signal's own status (143 for SIGTERM); a stop in order is a success.
    Runtime.getRuntime().halt(inTime && clean[0] && !failed ? 0 : 1);
  }

  private static boolean awaitFor(CountDownLatch stopped) {
    try {
      return stopped.await(STOP_LIMIT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      return false;
    }
  }
}
