package io.metaq.cli;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Starts work from one thread: on a fixed schedule (open loop), or as answers come (closed loop). In the open loop an item carries
 * the time it was due, however late it starts, so that a stall is seen by everything that would have happened in it.
 */
@OwnedBy("the command's main thread; answers come from any")
final class Load {
  private static final long LONGEST_PAUSE_NS = 10_000_000;
  private static final long LOOK_MS = 50;

  private final Clock clock;
  private final LoadOptions options;
  private final Interruption interruption;
  private final LongConsumer pause;
  private final Semaphore room;

  Load(Clock clock, LoadOptions options, Interruption interruption) {
    this(clock, options, interruption, LockSupport::parkNanos);
  }

  /**
   * As the other, for tests.
   *
   * @param pause waits for so many ns of {@code clock}, or less
   */
  Load(Clock clock, LoadOptions options, Interruption interruption, LongConsumer pause) {
    this.clock = clock;
    this.options = options;
    this.interruption = interruption;
    this.pause = pause;
    this.room = new Semaphore(options.inFlight());
  }

  /** One item has its answer. */
  void answered() {
    room.release();
  }

  /**
   * Starts items for a time.
   *
   * @param maxItems at most so many
   * @param start starts one; its argument is the time in ns from which its latency counts
   * @param tick called now and then
   */
  void run(long durationNs, long maxItems, LongConsumer start, Runnable tick) {
    long beginNs = clock.nanos();
    double periodNs = options.openLoop() ? 1e9 / options.rate() : 0;
    for (long i = 0; i < maxItems && !interruption.requested(); ) {
      long nowNs = clock.nanos();
      if (nowNs - beginNs >= durationNs) {
        return;
      }
      tick.run();
      long dueNs = options.openLoop() ? beginNs + (long) (i * periodNs) : nowNs;
      if (dueNs - nowNs > 0) {
        pause.accept(Math.min(dueNs - nowNs, LONGEST_PAUSE_NS));
      } else if (tryRoom()) {
        start.accept(options.openLoop() ? dueNs : clock.nanos());
        i++;
      }
    }
  }

  /** Waits until all items have their answer; false when some have none within the limit. */
  boolean drain(long limitMs) {
    try {
      boolean all = room.tryAcquire(options.inFlight(), limitMs, TimeUnit.MILLISECONDS);
      if (all) {
        room.release(options.inFlight());
      }
      return all;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean tryRoom() {
    try {
      return room.tryAcquire(LOOK_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
