package io.metaq.replication;

/**
 * What stands in front of each piece of the log on its way to a slave, 12 bytes, big-endian.
 *
 * <pre>
 *   0           8          12
 *   +-----------+----------+------
 *   | phyOffset | bodySize | body
 *   +-----------+----------+------
 * </pre>
 *
 * phyOffset  log position of the first byte of the body, or of the next byte to come when there is none
 * bodySize   bytes that follow; 0 = a sign of life
 *
 * <p>The way back is a row of i64, each the position up to which the slave has the log; the first one also says where to begin. Source:
 * protocol facts on replication; checked against Apache RocketMQ 5.5.0.
 */
final class TransferHeader {
  static final int SIZE = 12;
  static final int REPORT_SIZE = 8;

  /** First report of a slave that has nothing and wants everything; only a MetaQ master knows it. */
  static final long FROM_FIRST_FILE = Long.MIN_VALUE;

  private TransferHeader() {}
}
