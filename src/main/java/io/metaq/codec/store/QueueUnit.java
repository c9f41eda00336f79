package io.metaq.codec.store;

/**
 * One unit of a consume queue, big-endian. Unit n of a queue stands at byte n * 20 of its files, taken as one sequence.
 *
 * <pre>
 *   0               8       12              20
 *   +---------------+-------+---------------+
 *   | phyOffset     | size  | tagsCode      |
 *   +---------------+-------+---------------+
 * </pre>
 *
 * <ul>
 *   <li>phyOffset: bytes from the start of the commit log, at least 0
 *   <li>size: bytes of the stored record, above 0; 0 = not written yet; {@link #FILLER_SIZE} = stands for no record: the queue began
 *       beyond the start of its first file
 *   <li>tagsCode: hash of the tag text, 0 when there is none; a filter hint, never proof. In the queues of the schedule topic it is
 *       the delivery time in ms
 * </ul>
 *
 * <p>After a crash: cut back to the last checkpoint and made again from the log. Source: protocol facts on the store; checked against
 * a store of Apache RocketMQ 5.5.0.
 */
public final class QueueUnit {
  public static final int SIZE = 20;
  public static final int PHY_OFFSET = 0;
  public static final int RECORD_SIZE = 8;
  public static final int TAGS_CODE = 12;
  /** Size in a unit that stands for no record. */
  public static final int FILLER_SIZE = Integer.MAX_VALUE;

  private QueueUnit() {}
}
