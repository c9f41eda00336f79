package io.metaq.codec.store;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/**
 * The file {@code config/timercheck}: 4096 bytes, big-endian. RocketMQ knows the first seven longs and leaves the others as they
 * are: zeros in a file of its own.
 *
 * <pre>
 *   0             8           16              24                    32 40 48      56         64             72        80
 *   +-------------+-----------+---------------+---------------------+--+--+-------+----------+--------------+---------+
 *   | readTimeMs  | logPos    | queueOffset   | masterQueueOffset   | data version | fromPhy  | coversPhy    | crc     |
 *   +-------------+-----------+---------------+---------------------+--+--+-------+----------+--------------+---------+
 * </pre>
 *
 * <ul>
 *   <li>readTimeMs: everything due in an earlier second has been delivered
 *   <li>logPos: the timer log is on the disk up to here
 *   <li>queueOffset: what stands before it in the queue of the timer topic has its unit in the timer log
 *   <li>masterQueueOffset: on a slave of RocketMQ, how far it may take units; of a master the same as queueOffset
 *   <li>data version: stateVersion, timestamp, counter; a master of RocketMQ puts the time here when it notes progress, MetaQ leaves it 0
 *   <li>fromPhy: no message of the second readTimeMs, or a later one, was delivered before this position of the commit log
 *   <li>coversPhy: the end of the commit log that this was written with; a log that ends before it was cut, and this file tells
 *         nothing
 *   <li>crc: CRC-32 of all before it, so that a file that RocketMQ has written since is known by it
 * </ul>
 *
 * <p>A file whose checksum is wrong is taken for RocketMQ's when it has a data version, or nothing that RocketMQ does not know, and for
 * damaged otherwise. The latter is wrong of a slave of RocketMQ that follows MetaQ in a folder that MetaQ used: its timers are made again.
 */
public final class TimerCheckLayout {
  public static final int FILE_SIZE = 4096;
  /** Bytes of it that brokers send to their slaves. */
  public static final int SENT_BYTES = 56;

  private static final int LOG_POS = 8;
  private static final int QUEUE_OFFSET = 16;
  private static final int MASTER_QUEUE_OFFSET = 24;
  private static final int STATE_VERSION = 32;
  private static final int VERSION_TIME = 40;
  private static final int VERSION_COUNTER = 48;
  private static final int FROM_PHY = 56;
  private static final int COVERS_PHY = 64;
  private static final int CRC = 72;
  private static final int UNUSED = 80;
  /** How far RocketMQ's read time may lie ahead of the time at which it was noted: so much a clock may have been set back. */
  private static final long SET_BACK_MS = 24 * 3_600_000L;

  private TimerCheckLayout() {}

  /**
   * What the file tells.
   *
   * @param fromPhy empty when another broker has written it
   * @param coversPhy 0 when another broker has written it
   */
  public record TimerCheck(long readTimeMs, long logPos, long queueOffset, OptionalLong fromPhy, long coversPhy) {
    /** As MetaQ writes it. */
    public static TimerCheck of(long readTimeMs, long logPos, long queueOffset, long fromPhy, long coversPhy) {
      return new TimerCheck(readTimeMs, logPos, queueOffset, OptionalLong.of(fromPhy), coversPhy);
    }

    private boolean isPossible() {
      return readTimeMs >= 0 && logPos >= 0 && queueOffset >= 0 && coversPhy >= 0;
    }
  }

  /** Reads a file; empty when neither MetaQ nor RocketMQ has written it so. */
  public static Optional<TimerCheck> decode(byte[] content) {
    if (content.length != FILE_SIZE || !isZero(content, UNUSED)) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(content);
    if (bytes.getLong(CRC) == crc(content) && bytes.getLong(COVERS_PHY) > 0) {
      return possible(TimerCheck.of(bytes.getLong(0), bytes.getLong(LOG_POS), bytes.getLong(QUEUE_OFFSET), bytes.getLong(FROM_PHY),
          bytes.getLong(COVERS_PHY)));
    }
    return isRocketmqs(content, bytes) ? received(content) : Optional.empty();
  }

  /** Reads the body of a message between brokers; empty when it is too short, or holds what cannot be. */
  public static Optional<TimerCheck> received(byte[] content) {
    if (content.length < 4 * Long.BYTES) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(content);
    return possible(
        new TimerCheck(bytes.getLong(0), bytes.getLong(LOG_POS), bytes.getLong(QUEUE_OFFSET), OptionalLong.empty(), 0));
  }

  private static Optional<TimerCheck> possible(TimerCheck check) {
    return check.isPossible() ? Optional.of(check) : Optional.empty();
  }

  private static boolean isRocketmqs(byte[] content, ByteBuffer bytes) {
    long notedMs = bytes.getLong(VERSION_TIME);
    if (notedMs == 0) {
      return isZero(content, SENT_BYTES) && !isZero(content, 0);
    }
    return notedMs > 0 && bytes.getLong(STATE_VERSION) >= 0 && bytes.getLong(VERSION_COUNTER) >= 0
        && bytes.getLong(0) <= notedMs + SET_BACK_MS;
  }

  private static boolean isZero(byte[] content, int from) {
    int at = from;
    while (at < content.length && content[at] == 0) {
      at++;
    }
    return at == content.length;
  }

  /** A whole file. */
  public static byte[] encode(TimerCheck check) {
    byte[] content = new byte[FILE_SIZE];
    ByteBuffer bytes = ByteBuffer.wrap(content);
    bytes.put(0, sent(check.readTimeMs(), check.logPos(), check.queueOffset()));
    bytes.putLong(FROM_PHY, check.fromPhy().orElse(0)).putLong(COVERS_PHY, check.coversPhy());
    bytes.putLong(CRC, crc(content));
    return content;
  }

  /** The body of a message between brokers; the data version stays 0, for nobody compares it. */
  public static byte[] sent(long readTimeMs, long logPos, long queueOffset) {
    return ByteBuffer.allocate(SENT_BYTES)
        .putLong(0, readTimeMs)
        .putLong(LOG_POS, logPos)
        .putLong(QUEUE_OFFSET, queueOffset)
        .putLong(MASTER_QUEUE_OFFSET, queueOffset)
        .array();
  }

  private static long crc(byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content, 0, CRC);
    return crc.getValue();
  }
}
