package io.metaq.store.service;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.concurrent.TimeUnit;

/**
 * When a look at the clock makes a force, under ASYNC_FLUSH: enough pages are dirty, the thorough interval is over, or a message would
 * stay unforced for longer than {@code flushIntervalMs} if it were left to the next look.
 */
@OwnedBy("FlushVerticle")
final class FlushRule {
  private static final int PAGE_BYTES = 4096;
  private static final long NS_PER_MS = 1_000_000;

  private final FlushOptions options;
  private final Clock clock;
  private long lastThoroughNs;
  /** When it was last known that nothing was dirty: whatever is dirty now came later. */
  private long cleanNs;

  FlushRule(FlushOptions options, Clock clock) {
    this.options = options;
    this.clock = clock;
    lastThoroughNs = clock.nanos();
    cleanNs = lastThoroughNs;
  }

  /** How often to look. */
  long lookEveryMs() {
    return options.everyMs() > 0 ? Math.min(options.intervalMs(), options.everyMs()) : options.intervalMs();
  }

  /** A look: whether to force now. */
  boolean isDue(long dirtyBytes) {
    long now = clock.nanos();
    boolean thorough = now - lastThoroughNs >= options.thoroughIntervalMs() * NS_PER_MS;
    if (thorough) {
      lastThoroughNs = now;
    }
    if (dirtyBytes == 0) {
      cleanNs = now;
      return false;
    }
    return thorough || dirtyBytes >= (long) options.leastPages() * PAGE_BYTES || isTooLateAtNextLook(now);
  }

  /** A force begins: it takes all that is dirty by now. */
  void forcing() {
    cleanNs = clock.nanos();
  }

  private boolean isTooLateAtNextLook(long now) {
    return options.everyMs() > 0 && now + lookEveryMs() * NS_PER_MS - cleanNs > TimeUnit.MILLISECONDS.toNanos(options.everyMs());
  }
}
