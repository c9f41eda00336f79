package io.metaq.client;

import io.metaq.model.OwnedBy;

/** A number that only grows, and how fast it grew over the last minute. */
@OwnedBy("its client's context")
final class Rate {
  private static final int SECONDS = 60;

  private final long[] before = new long[SECONDS];
  private long count;
  private int ticks;

  void add() {
    count++;
  }

  /** Call once a second. */
  void tick() {
    before[ticks++ % SECONDS] = count;
  }

  long count() {
    return count;
  }

  double perSecond() {
    int seconds = Math.min(ticks, SECONDS);
    return seconds == 0 ? 0 : (double) (count - (ticks < SECONDS ? 0 : before[ticks % SECONDS])) / seconds;
  }
}
