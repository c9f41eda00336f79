package io.metaq.coordinator;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;

/** Lets a warning through once in an interval and counts those in between, so that the next line can sum them up. */
@OwnedBy("the verticle that warns")
final class RepeatedWarning {
  private final Clock clock;
  private final long intervalNs;
  private boolean warned;
  private long lastNs;
  private long suppressed;

  RepeatedWarning(Clock clock, long intervalMs) {
    this.clock = clock;
    intervalNs = intervalMs * 1_000_000;
  }

  /** Whether to write the line now; otherwise it is counted. */
  boolean due() {
    long nowNs = clock.nanos();
    if (warned && nowNs - lastNs < intervalNs) {
      suppressed++;
      return false;
    }
    warned = true;
    lastNs = nowNs;
    return true;
  }

  /** How many were held back since the last line; counts anew from here. */
  long takeSuppressed() {
    long count = suppressed;
    suppressed = 0;
    return count;
  }
}
