package io.metaq.launcher;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a process whose heap is used up, before it becomes one that takes connections and answers none. Only for a JVM that is all
 * MetaQ's. Two things tell it:
 *
 * <ul>
 *   <li>an {@link OutOfMemoryError} of the heap that ends a thread: from then on nobody knows which part has lost its work;
 *   <li>{@link HeapRule}, once a second, where collections go on and on and free next to nothing.
 * </ul>
 *
 * One that is caught says no more than that one allocation was too large, as a request can make it be: the request fails, the rest goes on.
 *
 * Memory beside the heap (direct buffers, threads, classes) is not its concern: what fails for want of it says so, and the rest goes on.
 */
@OwnedBy("its thread")
final class HeapWatch {
  private static final Logger log = LoggerFactory.getLogger(HeapWatch.class);

  static final int STATUS = 1;

  /** Longer than a start usually takes: it shall not load classes beside it. */
  private static final long FIRST_LOOK_MS = 3_000;
  private static final long PERIOD_MS = 1_000;
  private static final int DEEPEST_CAUSE = 16;
  private static final String HEAP = "Java heap space";
  private static final String TOO_MUCH_COLLECTING = "GC overhead limit exceeded";

  private final Clock clock;
  private final LastWords lastWords;

  private HeapWatch(Clock clock) {
    this.clock = clock;
    this.lastWords = new LastWords(lastLine());
  }

  /** Watches from now on, to the end of the process. */
  static void begin(Clock clock) {
    HeapWatch watch = new HeapWatch(clock);
    // What is used for the first time takes heap, even a text of the code.
    ofHeap(new OutOfMemoryError(HEAP));
    Thread.setDefaultUncaughtExceptionHandler(watch::ended);
    Thread thread = new Thread(watch::run, "metaq-heap-watch");
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether it is, or was caused by, an allocation in the heap that failed; takes no heap itself. */
  static boolean ofHeap(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
      // Netty has a subclass for direct memory.
      if (cause.getClass() == OutOfMemoryError.class && tellsOfHeap(cause.getMessage())) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean tellsOfHeap(String message) {
    return message != null && (message.startsWith(HEAP) || message.startsWith(TOO_MUCH_COLLECTING));
  }

  private void ended(Thread thread, Throwable failure) {
    if (ofHeap(failure)) {
      lastWords.end(STATUS);
    }
    if (endsWithItsPool(failure)) {
      log.debug("a thread ended with its pool thread={}", thread.getName(), failure);
    } else {
      log.error("a thread ended by a failure thread={}", thread.getName(), failure);
    }
  }

  /**
   * Whether a pool was closed while a task waited behind the one that its thread was at. A verticle's pool is closed when its stop is
   * over; what still comes to its context is of no use, and Vert.x hands it to the pool by that thread.
   */
  static boolean endsWithItsPool(Throwable failure) {
    return failure instanceof RejectedExecutionException;
  }

  private void run() {
    try {
      pause(FIRST_LOOK_MS);
      HeapFigures figures = new HeapFigures();
      HeapRule rule = new HeapRule(figures.look(clock.nanos()));
      while (true) {
        pause(PERIOD_MS);
        act(figures.look(clock.nanos()), rule);
      }
    } catch (OutOfMemoryError full) {
      ended(Thread.currentThread(), full);
    }
  }

  private void act(HeapRule.Look look, HeapRule rule) {
    // Anew each time for the time of day in it.
    lastWords.prepare(lastLine());
    HeapRule.Verdict verdict = rule.judge(look);
    if (verdict == HeapRule.Verdict.USED_UP) {
      lastWords.end(STATUS);
    } else if (verdict == HeapRule.Verdict.NEARLY_FULL) {
      log.warn("the heap is nearly full: topics, their queues and clients take it; when it is full the process ends, so give it more (-Xmx)"
          + " usedMiB={} maxHeapMiB={}", look.usedBytes() >> 20, look.maxBytes() >> 20);
    }
  }

  private void pause(long ms) {
    long untilNs = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(ms);
    for (long leftNs = untilNs - clock.nanos(); leftNs > 0; leftNs = untilNs - clock.nanos()) {
      LockSupport.parkNanos(this, leftNs);
    }
  }

  /** As the log would have it. */
  private String lastLine() {
    return LogLine.TIME.format(Instant.ofEpochMilli(clock.millis())) + " ERROR HeapWatch - the heap is full, the process ends at once; start it"
        + " again with a larger one (-Xmx): topics, their queues and clients take it maxHeapMiB=" + (Runtime.getRuntime().maxMemory() >> 20);
  }
}
