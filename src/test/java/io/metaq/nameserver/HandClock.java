package io.metaq.nameserver;

import io.metaq.model.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved; readable from any thread. */
final class HandClock implements Clock {
  private final AtomicLong nowMs = new AtomicLong(1_000);

  void advance(long ms) {
    nowMs.addAndGet(ms);
  }

  @Override
  public long millis() {
    return nowMs.get();
  }

  @Override
  public long nanos() {
    return nowMs.get() * 1_000_000;
  }
}
