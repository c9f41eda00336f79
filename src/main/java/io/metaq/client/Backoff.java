package io.metaq.client;

import java.util.random.RandomGenerator;

/** How long to wait before the next attempt: twice as long each time up to a cap, with half of it random so that clients spread. */
record Backoff(long baseMs, long capMs, RandomGenerator random) {
  private static final int MAX_DOUBLINGS = 30;

  /**
   * @param attempt failed attempts so far, from 1
   * @return ms, between half and all of {@code min(cap, base * 2^(attempt - 1))}
   */
  long delayMs(int attempt) {
    long full = Math.min(capMs, baseMs << Math.min(MAX_DOUBLINGS, attempt - 1));
    long half = full / 2;
    return half + random.nextLong(full - half + 1);
  }
}
