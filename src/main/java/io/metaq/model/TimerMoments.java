package io.metaq.model;

/**
 * The moments of timers as records and the timer log have them. RocketMQ knows whole slots: it writes the beginning of the slot
 * that is over when a message is due, and delivers then. MetaQ writes the last ms before a message is due, which lies in the same
 * slot, but never a multiple of {@value #COARSE_MS}; so it can tell its own moments, which are exact, from RocketMQ's, which are
 * not.
 */
public final class TimerMoments {
  /** Every precision that RocketMQ can be set to is a multiple of this. */
  private static final long COARSE_MS = 100;

  private static final long SECOND_MS = 1_000;

  private TimerMoments() {}

  /**
   * When a producer wants its message delivered, by the values of three properties: of several the first counts. Beyond what 64
   * bits hold it stays at the end of them.
   *
   * @param delaySeconds TIMER_DELAY_SEC, null when there is none; so the others
   * @return ms; in the past when it is to be delivered at once
   * @throws NumberFormatException when the value that counts is no number
   */
  public static long wanted(String delaySeconds, String delayMs, String deliverMs, long nowMs) {
    if (delaySeconds != null) {
      long most = Long.MAX_VALUE / SECOND_MS;
      return later(nowMs, Math.max(-most, Math.min(most, Long.parseLong(delaySeconds))) * SECOND_MS);
    }
    return delayMs != null ? later(nowMs, Long.parseLong(delayMs)) : Long.parseLong(deliverMs);
  }

  private static long later(long nowMs, long delayMs) {
    return delayMs > Long.MAX_VALUE - nowMs ? Long.MAX_VALUE : nowMs + delayMs;
  }

  /** What is written of a message that is due at {@code dueMs}; it is due at most 1 ms later then. */
  public static long written(long dueMs) {
    return (dueMs - 1) % COARSE_MS == 0 ? dueMs : dueMs - 1;
  }

  /**
   * When a message is due of which {@code writtenMs} was written.
   *
   * @param slotMs width of a slot
   */
  public static long due(long writtenMs, int slotMs) {
    return writtenMs % COARSE_MS == 0 ? writtenMs + slotMs : writtenMs + 1;
  }
}
