package io.metaq.codec.store;

/**
 * One slot of the timer wheel, 32 bytes, big-endian: the chain of units of one second (of one step of {@code timerPrecisionMs}).
 * The file has {@value #COUNT} of them, two weeks of seconds; step t stands in slot t modulo {@value #COUNT}, and what another
 * step left there does not count.
 *
 * <pre>
 *   0               8               16              24       28       32
 *   +---------------+---------------+---------------+--------+--------+
 *   | step          | first         | last          | units  | magic  |
 *   +---------------+---------------+---------------+--------+--------+
 * </pre>
 *
 * <ul>
 *   <li>step: ms since 1970, divided by the width of a slot
 *   <li>first, last: places in the timer log of the chain's oldest and newest unit
 *   <li>units: how many, fewer by one for each that takes another back
 *   <li>magic: 0
 * </ul>
 *
 * <p>After a crash: brought up to date from the timer log. Source: protocol facts on timers; checked with Apache RocketMQ 5.5.0.
 */
public final class TimerSlot {
  public static final int SIZE = 32;
  public static final int FIRST = 8;
  public static final int LAST = 16;
  public static final int UNITS = 24;
  public static final int MAGIC = 28;
  public static final int COUNT = 2 * 7 * 86_400;
  public static final int FILE_SIZE = COUNT * SIZE;

  private TimerSlot() {}
}
