package io.metaq.torture;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;

/** Time that goes on when it is told to. */
@OwnedBy("the thread of the round")
final class SteppedClock implements Clock {
  private static final long START_MS = 1_700_000_000_000L;

  private long passedMs = 1;

  void advance(long ms) {
    passedMs += ms;
  }

  @Override
  public long millis() {
    return START_MS + passedMs;
  }

  @Override
  public long nanos() {
    return passedMs * 1_000_000L;
  }
}
