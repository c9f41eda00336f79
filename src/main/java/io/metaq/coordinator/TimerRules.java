package io.metaq.coordinator;

import java.nio.file.Path;

/**
 * How timers are kept.
 *
 * @param enabled whether they are delivered at all ({@code timerWheelEnable})
 * @param root the store's folder
 * @param logFileBytes bytes of one file of the timer log ({@code mappedFileSizeTimerLog})
 * @param slotMs width of a slot of the wheel ({@code timerPrecisionMs})
 * @param windowMs a message that is due later than this is stored anew in between, so that the commit log never loses it to its age
 *     ({@code timerRollWindowSlot})
 * @param checkIntervalMs how often progress is written down ({@code timerFlushIntervalMs})
 * @param keptUnits units of the slot that is open which are kept in memory, give or take as many
 * @param slave whether a master delivers them
 */
public record TimerRules(
    boolean enabled, Path root, int logFileBytes, int slotMs, long windowMs, long checkIntervalMs, int keptUnits,
    boolean slave) {
  /** The usual {@link #keptUnits()}: one MiB of numbers. */
  public static final int DEFAULT_KEPT_UNITS = 64 * 1024;
}
