package io.metaq.client;

import java.time.Duration;
import java.util.stream.LongStream;

/** The delay levels a broker has unless its {@code messageDelayLevel} says otherwise, level 1 first, in ms. */
final class DelayLevels {
  /** The broker decides, by how often the message was sent back. */
  static final int BY_BROKER = 0;

  /** To the dead letters at once. */
  static final int DEAD_LETTER = -1;

  private static final long[] LEVELS_MS =
      LongStream.of(1, 5, 10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200).map(s -> s * 1000).toArray();

  private DelayLevels() {}

  /** The first level that is at least so long, the last when none is; {@link #DEAD_LETTER} for a negative delay. */
  static int atLeast(Duration delay) {
    if (delay.isNegative()) {
      return DEAD_LETTER;
    }
    for (int i = 0; i < LEVELS_MS.length; i++) {
      if (LEVELS_MS[i] >= delay.toMillis()) {
        return i + 1;
      }
    }
    return LEVELS_MS.length;
  }
}
