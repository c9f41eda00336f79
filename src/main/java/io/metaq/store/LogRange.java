package io.metaq.store;

import io.metaq.model.SharedBytes;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/** Bytes of one commit log file as they lie there, whatever they mean; their mapping stays until the release. */
public final class LogRange implements SharedBytes {
  private final Segment segment;
  private final MappedByteBuffer bytes;

  /** Takes over one reference to {@code segment}. */
  LogRange(Segment segment, long phyOffset, int size) {
    this.segment = segment;
    this.bytes = segment.bytes().slice(segment.place(phyOffset), size);
  }

  public int size() {
    return bytes.capacity();
  }

  /** Brings the bytes into memory; waits for the disk. */
  public void load() {
    bytes.load();
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
