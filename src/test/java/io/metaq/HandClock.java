package io.metaq;

import io.metaq.model.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved; readable from any thread. */
public final class HandClock implements Clock {
  private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
  private final AtomicLong setBackMs = new AtomicLong();

  public void advance(long ms) {
    nowMs.addAndGet(ms);
  }

  /** Takes back the time of day; what is measured between two moments stays as it is. */
  public void setBack(long ms) {
    setBackMs.addAndGet(ms);
  }

  @Override
  public long millis() {
    return nowMs.get() - setBackMs.get();
  }

  @Override
  public long nanos() {
    return nowMs.get() * 1_000_000;
  }
}
