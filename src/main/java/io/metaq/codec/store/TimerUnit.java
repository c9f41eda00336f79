package io.metaq.codec.store;

/**
 * One unit of the timer log, 52 bytes, big-endian: a message that waits under the timer topic. The units of one second form a
 * chain, the newest first; the wheel ({@link TimerSlot}) knows where each chain begins and ends.
 *
 * <pre>
 *   0      4           12     16              24     28          36     40          44          52
 *   +------+-----------+------+---------------+------+-----------+------+-----------+-----------+
 *   | size | previous  | flags| writeTimeMs   |delay | phyOffset |record| topicHash | copy      |
 *   |      |           |      |               | Ms   |           | Size |           |           |
 *   +------+-----------+------+---------------+------+-----------+------+-----------+-----------+
 * </pre>
 *
 * <ul>
 *   <li>size: always {@value #SIZE}
 *   <li>previous: place of the unit before it in its chain, {@link #NONE} for the first
 *   <li>flags: bits of {@link #KEPT}, {@link #ROLLED}, {@link #RECALLING}
 *   <li>writeTimeMs + delayMs: the moment whose second has it in the wheel; of a rolled one that is when it is stored anew
 *   <li>phyOffset, recordSize: the record in the commit log
 *   <li>topicHash: of the topic it is for
 *   <li>copy: 1 in a unit that was written anew for a chain without its delivered units, else 0; RocketMQ writes 0 and does not
 *         look
 * </ul>
 *
 * <p>Units do not cross files. Where one finds no room, a marker of {@value #MARKER_SIZE} bytes fills the file: its length (i32),
 * 0 (i64), {@link #MARKER}. After a crash: kept as far as the units are sound and belong to the timer topic's queue; the rest is
 * made from that queue. Source: protocol facts on timers; checked with Apache RocketMQ 5.5.0.
 */
public final class TimerUnit {
  public static final int SIZE = 52;
  public static final int PREVIOUS = 4;
  public static final int FLAGS = 12;
  public static final int WRITE_TIME = 16;
  public static final int DELAY = 24;
  public static final int PHY_OFFSET = 28;
  public static final int RECORD_SIZE = 36;
  public static final int TOPIC_HASH = 40;
  public static final int COPY = 44;

  /** Every unit has this flag. */
  public static final int KEPT = 1;
  /** Due later than the wheel is asked to keep a record: at its moment it is stored anew under the timer topic. */
  public static final int ROLLED = 2;
  /** Takes another message of its second back instead of being one. */
  public static final int RECALLING = 4;
  /** All bits that a flags field may have. */
  public static final int ANY_FLAG = 0xF;

  /** Value of {@link #PREVIOUS} in the first unit of a chain. */
  public static final long NONE = -1;

  /** Stands where flags are when the rest of the file is unused. */
  public static final int MARKER = 0xCBD43194;
  public static final int MARKER_SIZE = 16;

  private TimerUnit() {}
}
