package io.metaq.codec.store;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The file {@code checkpoint}: 4096 bytes, big-endian, of which the first longs are used.
 *
 * <pre>
 *   0                   8                   16                 24                   32               40
 *   +-------------------+-------------------+------------------+--------------------+----------------+-------------------+
 *   | logTimestamp      | queuesTimestamp   | indexTimestamp   | masterFlushed      | confirmOffset  | queuesPhyOffset   |
 *   +-------------------+-------------------+------------------+--------------------+----------------+-------------------+
 * </pre>
 *
 * <ul>
 *   <li>logTimestamp: store time of a message up to which the commit log is on the disk, ms
 *   <li>queuesTimestamp: the same for the consume queues
 *   <li>indexTimestamp: end time of the newest index file that is on the disk as a whole
 *   <li>masterFlushed, confirmOffset: of replication; kept as they are here
 *   <li>queuesPhyOffset: log position up to which the consume queues are on the disk
 * </ul>
 *
 * <p>After a crash: recovery begins at what the checkpoint covers. Source: protocol facts on the store.
 */
public final class CheckpointLayout {
  public static final int FILE_SIZE = 4096;

  private static final int QUEUES_TIMESTAMP = 8;
  private static final int INDEX_TIMESTAMP = 16;
  private static final int QUEUES_PHY_OFFSET = 40;
  private static final long MARGIN_MS = 3000;
  private static final long YEAR_10000_MS = 253_402_300_800_000L;

  private CheckpointLayout() {}

  /** What a checkpoint covers. */
  public record Checkpoint(long logTimestamp, long queuesTimestamp, long indexTimestamp, long queuesPhyOffset) {
    private boolean isPossible() {
      return isTime(logTimestamp) && isTime(queuesTimestamp) && isTime(indexTimestamp) && queuesPhyOffset >= 0;
    }

    private static boolean isTime(long ms) {
      return ms >= 0 && ms < YEAR_10000_MS;
    }

    /** A message stored at this time or before is surely in the log and in its queue; ms, at least 0. */
    public long safeTimestamp() {
      return Math.max(0, Math.min(logTimestamp, queuesTimestamp) - MARGIN_MS);
    }
  }

  /** Reads the beginning of a file; empty when it is too short, or holds what no checkpoint can. */
  public static Optional<Checkpoint> decode(byte[] file) {
    if (file.length < FILE_SIZE) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(file);
    Checkpoint checkpoint = new Checkpoint(
        bytes.getLong(0), bytes.getLong(QUEUES_TIMESTAMP), bytes.getLong(INDEX_TIMESTAMP), bytes.getLong(QUEUES_PHY_OFFSET));
    return checkpoint.isPossible() ? Optional.of(checkpoint) : Optional.empty();
  }

  /** Changes the bytes of a file; what is not ours stays as it is. */
  public static void encode(Checkpoint checkpoint, byte[] file) {
    ByteBuffer.wrap(file)
        .putLong(0, checkpoint.logTimestamp())
        .putLong(QUEUES_TIMESTAMP, checkpoint.queuesTimestamp())
        .putLong(INDEX_TIMESTAMP, checkpoint.indexTimestamp())
        .putLong(QUEUES_PHY_OFFSET, checkpoint.queuesPhyOffset());
  }
}
