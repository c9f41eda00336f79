package io.metaq.store;

import io.metaq.model.Clock;

/** A clock that a test moves. */
final class TestClock implements Clock {
  private volatile long ms = 1_700_000_000_000L;

  void set(long millis) {
    ms = millis;
  }

  void advance(long millis) {
    ms += millis;
  }

  @Override
  public long millis() {
    return ms;
  }

  @Override
  public long nanos() {
    return ms * 1_000_000;
  }
}
