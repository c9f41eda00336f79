package io.metaq.model;

import java.util.Arrays;

/**
 * The delay levels of setting {@code messageDelayLevel}: level n is the n-th word, a number with unit s, m, h or d. A message of
 * level n waits in queue n - 1 of {@link Topics#SCHEDULE}.
 */
public final class DelayLevels {
  public static final String DEFAULT_TEXT = "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h";

  /** The 18 levels from one second to two hours. */
  public static final DelayLevels DEFAULT = parse(DEFAULT_TEXT);

  /** Delay of a level that is not in the table. */
  private static final long UNKNOWN_LEVEL_MS = 1_000;

  private final long[] delaysMs;

  private DelayLevels(long[] delaysMs) {
    this.delaysMs = delaysMs;
  }

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException with a sentence that names the word that is wrong
   */
  public static DelayLevels parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("messageDelayLevel is empty; it needs at least one level, for example \"1s 5s 10s\".");
    }
    return new DelayLevels(Arrays.stream(text.trim().split("\\s+")).mapToLong(DelayLevels::parseWord).toArray());
  }

  /** The highest level. */
  public int max() {
    return delaysMs.length;
  }

  /** The level that is meant by a wished one: above the highest is the highest, below 1 is 0, no delay. */
  public int cap(int level) {
    return Math.max(0, Math.min(level, delaysMs.length));
  }

  /** How long a message of this level waits; levels above the highest count as the highest. */
  public long delayMs(int level) {
    return level < 1 ? UNKNOWN_LEVEL_MS : delaysMs[cap(level) - 1];
  }

  /** The first level that waits at least so long, the highest when none does. */
  public int atLeast(long delayMs) {
    for (int i = 0; i < delaysMs.length; i++) {
      if (delaysMs[i] >= delayMs) {
        return i + 1;
      }
    }
    return delaysMs.length;
  }

  private static long parseWord(String word) {
    try {
      long unitMs =
          switch (word.charAt(word.length() - 1)) {
            case 's' -> 1_000L;
            case 'm' -> 60_000L;
            case 'h' -> 3_600_000L;
            case 'd' -> 86_400_000L;
            default -> throw new NumberFormatException();
          };
      long delayMs = Math.multiplyExact(Long.parseLong(word.substring(0, word.length() - 1)), unitMs);
      if (delayMs < 0) {
        throw new NumberFormatException();
      }
      return delayMs;
    } catch (NumberFormatException | ArithmeticException notOne) {
      throw new IllegalArgumentException(
          "messageDelayLevel has \"" + word + "\"; each level is a number with a unit s, m, h or d, for example 10s.", notOne);
    }
  }
}
