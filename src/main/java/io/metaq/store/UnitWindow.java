package io.metaq.store;

import io.metaq.codec.store.QueueUnit;
import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Some units of a consume queue, copied out as columns. Reusable. */
@OwnedBy("the thread that reads with it")
public final class UnitWindow {
  private final long[] phyOffsets;
  private final int[] sizes;
  private final long[] tagsCodes;
  private final ByteBuffer bytes;
  private long first;
  private int count;

  /** A window of at most {@code capacity} units. */
  public UnitWindow(int capacity) {
    phyOffsets = new long[capacity];
    sizes = new int[capacity];
    tagsCodes = new long[capacity];
    bytes = ByteBuffer.allocate(capacity * QueueUnit.SIZE);
  }

  public int capacity() {
    return sizes.length;
  }

  /** Queue offset of the first unit. */
  public long first() {
    return first;
  }

  public int count() {
    return count;
  }

  public long phyOffset(int index) {
    return phyOffsets[index];
  }

  /** Size of the record; 0 when the unit is missing in its file. */
  public int size(int index) {
    return sizes[index];
  }

  public long tagsCode(int index) {
    return tagsCodes[index];
  }

  /** Whether the unit stands for a record at all. */
  public boolean isRecord(int index) {
    return sizes[index] > 0 && sizes[index] != QueueUnit.FILLER_SIZE;
  }

  /**
   * Whether the unit lies at or behind {@code logFirst}, the beginning of the log. Fillers in front of a queue's first message do not;
   * those inside a queue lie where the next message does.
   */
  boolean reaches(int index, long logFirst) {
    return sizes[index] > 0 && phyOffsets[index] >= logFirst && (sizes[index] != QueueUnit.FILLER_SIZE || phyOffsets[index] > 0);
  }

  void begin(long firstQueueOffset) {
    first = firstQueueOffset;
    count = 0;
  }

  void add(long phyOffset, int size, long tagsCode) {
    phyOffsets[count] = phyOffset;
    sizes[count] = size;
    tagsCodes[count++] = tagsCode;
  }

  /** Space for the bytes of {@code units} units, zeroed. */
  ByteBuffer bytes(int units) {
    bytes.clear().limit(units * QueueUnit.SIZE);
    Arrays.fill(bytes.array(), 0, bytes.limit(), (byte) 0);
    return bytes;
  }

  /** Takes the units over that were read into {@link #bytes(int)}. */
  void addBytes(int units) {
    for (int at = 0; at < units * QueueUnit.SIZE; at += QueueUnit.SIZE) {
      add(bytes.getLong(at + QueueUnit.PHY_OFFSET), bytes.getInt(at + QueueUnit.RECORD_SIZE), bytes.getLong(at + QueueUnit.TAGS_CODE));
    }
  }
}
