package io.metaq.store;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;

/** One file of the commit log: {@code [start, end)} of the log, in a {@link MappedFile} named after its start. */
final class Segment implements Lender {
  private final long start;
  private final MappedFile file;

  private Segment(long start, MappedFile file) {
    this.start = start;
    this.file = file;
  }

  /** Opens or makes the file of {@code [start, start + size)} in {@code folder}. */
  static Segment open(Disk disk, Path folder, long start, int size) throws IOException {
    return new Segment(start, MappedFile.open(disk, folder.resolve(FileNames.ofStart(start)), size));
  }

  /** Log position of the first byte. */
  long start() {
    return start;
  }

  /** Log position behind the last byte. */
  long end() {
    return start + file.size();
  }

  MappedFile file() {
    return file;
  }

  MappedByteBuffer bytes() {
    return file.bytes();
  }

  /** Place of a log position in this file. */
  int place(long phyOffset) {
    return (int) (phyOffset - start);
  }

  /** Takes a reference; false when the segment is gone. */
  boolean retain() {
    return file.retain();
  }

  @Override
  public void release() {
    file.release();
  }
}
