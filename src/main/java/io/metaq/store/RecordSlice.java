package io.metaq.store;

import io.metaq.model.SharedBytes;
import java.nio.ByteBuffer;

/** One or more whole records that lie back to back in the mapping of a commit log file, which stays mapped until the release. */
public final class RecordSlice implements SharedBytes {
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

  @Override
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void release() {
    segment.release();
  }
}
