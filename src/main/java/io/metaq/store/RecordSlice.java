package io.metaq.store;

import io.metaq.model.SharedBytes;
import java.nio.ByteBuffer;

/** One or more whole records that lie back to back in the mapping of a commit log file, which stays mapped until the release. */
public final class RecordSlice implements SharedBytes {
  private static final int PAGE_BYTES = 4096;

  private final Segment segment;
  private final long phyOffset;
  private final int size;

  /** Takes over one reference to {@code segment}. */
  RecordSlice(Segment segment, long phyOffset, int size) {
    this.segment = segment;
    this.phyOffset = phyOffset;
    this.size = size;
  }

  /** Log position of the first byte. */
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
    target.put(target.position(), segment.bytes(), segment.place(phyOffset), size).position(target.position() + size);
  }

  /** Reads one byte of each page, so that whoever uses the bytes next does not wait for the disk; the sum keeps the reads alive. */
  public int touch() {
    ByteBuffer log = segment.bytes();
    int first = segment.place(phyOffset);
    int sum = 0;
    for (int at = first; at < first + size; at += PAGE_BYTES) {
      sum += log.get(at);
    }
    return sum + log.get(first + size - 1);
  }

  @Override
  public ByteBuffer bytes() {
    return segment.bytes().slice(segment.place(phyOffset), size);
  }

  @Override
  public void release() {
    segment.release();
  }
}
