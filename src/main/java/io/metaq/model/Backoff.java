package io.metaq.model;

import java.util.random.RandomGenerator;

/** Pauses between tries: each bound is twice the one before, up to a limit, and each pause lies somewhere in its upper half. */
@OwnedBy("whoever tries")
public final class Backoff {
  private final long shortestMs;
  private final long longestMs;
  private final RandomGenerator random;
  private long boundMs;

  public Backoff(long shortestMs, long longestMs, RandomGenerator random) {
    this.shortestMs = shortestMs;
    this.longestMs = longestMs;
    this.random = random;
    this.boundMs = shortestMs;
  }

  /** How long to wait before the next try, at least 1. */
  public long nextMs() {
    long halfMs = boundMs / 2;
    long pauseMs = halfMs + random.nextLong(boundMs - halfMs) + 1;
    boundMs = Math.min(longestMs, boundMs * 2);
    return pauseMs;
  }

  /** A try succeeded. */
  public void reset() {
    boundMs = shortestMs;
  }
}
