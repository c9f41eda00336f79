package io.metaq.store;

import io.metaq.model.SharedBytes;
import java.nio.ByteBuffer;

/**
 * One or more whole records of the commit log back to back: where they lie in the mapping of their file, which stays mapped until the
 * release, or in memory that they were copied into.
 */
public final class RecordSlice implements SharedBytes {
  private static final int PAGE_BYTES = 4096;

  private final Lender lender;
  private final long phyOffset;
  private final ByteBuffer memory;
  private final int at;
  private final int size;

  /** Takes over one reference to {@code segment}. */
  RecordSlice(Segment segment, long phyOffset, int size) {
    this(segment, phyOffset, segment.bytes(), segment.place(phyOffset), size);
  }

  /**
   * Takes over what {@code lender} lent: {@code [at, at + size)} of {@code memory}.
   *
   * @param phyOffset of the first record
   */
  RecordSlice(Lender lender, long phyOffset, ByteBuffer memory, int at, int size) {
    this.lender = lender;
    this.phyOffset = phyOffset;
    this.memory = memory;
    this.at = at;
    this.size = size;
  }

  /** Log position of the first record; where the others stood in the log each says itself. */
  public long phyOffset() {
    return phyOffset;
  }

  @Override
  public int size() {
    return size;
  }

  /** Without a view of them: an answer of many small records would make one for each. */
  @Override
  public void copyTo(ByteBuffer target) {
    target.put(target.position(), memory, at, size).position(target.position() + size);
  }

  /** Reads one byte of each page, so that whoever uses the bytes next does not wait for the disk; the sum keeps the reads alive. */
  int touch() {
    int sum = 0;
    for (int i = at; i < at + size; i += PAGE_BYTES) {
      sum += memory.get(i);
    }
    return sum + memory.get(at + size - 1);
  }

  @Override
  public ByteBuffer bytes() {
    return memory.slice(at, size);
  }

  @Override
  public void release() {
    lender.release();
  }
}
