package io.metaq.store;

import io.metaq.codec.record.RecordLayout;
import io.metaq.model.OwnedBy;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The stretch of the log that the dispatcher looks at. It is copied from the file, many records at a time, for to map a page costs more than
 * to copy it. Of records so long that it costs more to copy a body than to read twice, only what stands between two bodies is read: the
 * end of one record and the head of the next, 0.7 us instead of 2.3 for bodies of 16 KB. Bodies that may not be in memory are read over all
 * the same, since the disk reads ahead for whoever reads on, and for nobody else.
 */
@OwnedBy("the dispatcher")
final class DispatchWindow {
  private static final int SIZE = 256 * 1024;
  /** Where two short reads cost half of what the copy of the body does. */
  private static final int LONG_RECORD = 8 * 1024;

  private final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
  /** What is written from here on is in memory, for it came since the start. */
  private final long freshFrom;
  private MappedFile file;
  private int readableTo;
  private int first;
  private int end;
  private int ahead = SIZE;

  DispatchWindow(long freshFrom) {
    this.freshFrom = freshFrom;
  }

  /** Looks anew, at a segment whose bytes below the log position {@code readable} stand still from now on. */
  void over(Segment segment, long readable) {
    file = segment.file();
    readableTo = segment.place(Math.min(readable, segment.end()));
    first = 0;
    end = 0;
  }

  /** Readable bytes from a place of the segment on. */
  int left(int place) {
    return readableTo - place;
  }

  /** A record of this size stands at a log position: the next is likely to be as long. */
  void expect(int size, long phyOffset) {
    ahead = size >= LONG_RECORD && phyOffset >= freshFrom ? RecordLayout.MAX_HEAD : SIZE;
  }

  /**
   * Where the byte at a place of the segment stands in {@link #bytes}, and the {@code length - 1} behind it, of those that are {@link #left}.
   *
   * @throws IOException when the file cannot be read so far
   */
  int find(int place, int length) throws IOException {
    if (place < first || place + length > end) {
      read(place, length);
    }
    return place - first;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  private void read(int place, int length) throws IOException {
    // Not beyond the readable end: the system would read ahead, into memory, what nobody has written yet.
    int count = Math.min(left(place), Math.min(length + ahead, SIZE));
    first = place;
    end = place;
    file.read(place, bytes.clear().limit(count));
    end = place + bytes.position();
    if (end < place + length) {
      throw new EOFException(file.path() + " ends at " + end + ", " + (place + length) + " was asked for");
    }
  }
}
