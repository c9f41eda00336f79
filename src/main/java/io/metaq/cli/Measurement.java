package io.metaq.cli;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Latencies and counts of a run, taken from any thread. What began before the measurement, in the warm-up, is not counted.
 */
@OwnedBy("any thread records; the command's main thread begins, ends and reads")
final class Measurement {
  private static final long HIGHEST_NS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final Clock clock;
  private final Recorder recorder = new Recorder(HIGHEST_NS, DIGITS);
  private final Histogram total = new Histogram(HIGHEST_NS, DIGITS);
  private final LongAdder failures = new LongAdder();
  private final LongAdder items = new LongAdder();
  private volatile long beginNs = Long.MAX_VALUE;
  private volatile long endNs;

  Measurement(Clock clock) {
    this.clock = clock;
  }

  /** From now on it counts. */
  void begin() {
    beginNs = clock.nanos();
    endNs = beginNs;
  }

  boolean begun() {
    return beginNs != Long.MAX_VALUE;
  }

  /** The measured time is over; answers still to come count, their time does not. */
  void end() {
    endNs = clock.nanos();
  }

  /** One request that began at {@code startNs} brought {@code count} items just now. */
  void record(long startNs, long count) {
    if (counts(startNs)) {
      recorder.recordValue(Math.min(HIGHEST_NS, Math.max(0, clock.nanos() - startNs)));
      items.add(count);
    }
  }

  void failed(long startNs) {
    if (counts(startNs)) {
      failures.increment();
    }
  }

  /** Items so far. */
  long items() {
    return items.sum();
  }

  long failures() {
    return failures.sum();
  }

  double seconds() {
    return (endNs - beginNs) / 1e9;
  }

  /** All latencies in ns. Call when nothing is recorded any more. */
  Histogram latencies() {
    total.add(recorder.getIntervalHistogram());
    return total;
  }

  private boolean counts(long startNs) {
    return begun() && startNs - beginNs >= 0;
  }
}
