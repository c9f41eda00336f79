package io.metaq.store;

import io.metaq.model.SharedBytes;
import java.nio.ByteBuffer;

/** One or more whole records that lie back to back in the mapping of a commit log file, which stays mapped until the release. */
public final class RecordSlice implements SharedBytes {
  private static final int PAGE_BYTES = 4096;

  private final Segment segment;
  private final long phyOffset;
  private final ByteBuffer bytes;

  /** Takes over one reference to {@code segment}. */
  RecordSlice(Segment segment, long phyOffset, int size) {
    this.segment = segment;
    this.phyOffset = phyOffset;
    this.bytes = segment.bytes().slice(segment.place(phyOffset), size);
  }

  /** Log position of the first byte. */
  public long phyOffset() {
    return phyOffset;
  }

  public int size() {
    return bytes.capacity();
  }

  /** Reads one byte of each page, so that whoever uses the bytes next does not wait for the disk; the sum keeps the reads alive. */
  public int touch() {
    int sum = 0;
    for (int at = 0; at < bytes.capacity(); at += PAGE_BYTES) {
      sum += bytes.get(at);
    }
    return sum + bytes.get(bytes.capacity() - 1);
  }

  @Override
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void release() {
    segment.release();
  }
}
