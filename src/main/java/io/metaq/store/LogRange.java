package io.metaq.store;

import io.metaq.model.SharedBytes;
import io.metaq.model.SharedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/** Bytes of one commit log file as they lie there, whatever they mean; their mapping and their file stay until the release. */
public final class LogRange implements SharedBytes, SharedFile {
  private final Segment segment;
  private final int place;
  private final MappedByteBuffer bytes;

  /** Takes over one reference to {@code segment}. */
  LogRange(Segment segment, long phyOffset, int size) {
    this.segment = segment;
    this.place = segment.place(phyOffset);
    this.bytes = segment.bytes().slice(place, size);
  }

  @Override
  public int size() {
    return bytes.capacity();
  }

  @Override
  public FileChannel channel() throws IOException {
    return segment.file().channel();
  }

  @Override
  public long place() {
    return place;
  }

  /**
   * Brings the bytes into memory; waits for the disk. They are read, not looked at through the mapping: to map a page costs more than to
   * copy it.
   *
   * @param scratch for what is read; of no use afterwards
   */
  public void load(ByteBuffer scratch) throws IOException {
    int done = 0;
    while (done < size()) {
      scratch.clear().limit(Math.min(scratch.capacity(), size() - done));
      segment.file().read(place + done, scratch);
      done += scratch.limit();
    }
  }

  /** Whether all of it is in memory, so that to look at it does not wait for the disk; one call of the system. */
  boolean isLoaded() {
    return bytes.isLoaded();
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
