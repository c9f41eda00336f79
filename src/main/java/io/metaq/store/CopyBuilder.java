package io.metaq.store;

import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Collects records by reading them from their file into memory of the answer's own, one behind the other. For what lies far behind: to
 * show a page through the mapping for the first time may take longer than to copy its bytes, and it may be gone again when the socket wants it.
 *
 * <p>Bytes are read to where the next record goes, and some more than it: of short records several come at once, with those of other
 * queues in between, and each is moved down when its turn comes. From the disk much more is read, for it is asked once for each read.
 */
@OwnedBy("the thread that reads with it")
final class CopyBuilder implements AnswerBuilder {
  private static final int AHEAD_BYTES = 4096;
  private static final int AHEAD_ON_DISK_BYTES = 128 * 1024;

  private final Segments segments;
  private final long readable;
  private final ReadBuffers buffers;
  /** Null until the first record is read, and when it is somebody else's. */
  private ReadBuffer memory;
  private ByteBuffer target;
  private long firstOffset;
  private int end;
  private int count;

  // What was read last: [readFrom, readTo) of the log, in the target from readAt on.
  private long readFrom;
  private long readTo;
  private int readAt;
  /** What lies in front of it is in memory, or was a moment ago. */
  private long inMemoryTo;

  /** @param readable where the log ends so far: bytes behind it may still change */
  CopyBuilder(Segments segments, long readable, ReadBuffers buffers) {
    this.segments = segments;
    this.readable = readable;
    this.buffers = buffers;
  }

  /** {@link AnswerBuilder.Added#NO_ROOM} while all memory is lent, and for what is longer than a piece of it has room for. */
  @Override
  public Added add(long phyOffset, int size, RecordFilter filter) {
    if (size > ReadBuffers.BYTES - end || !takesMemory()) {
      return Added.NO_ROOM;
    }
    if (!isHere(phyOffset, size)) {
      Segment segment = segments.retained(phyOffset);
      if (segment == null) {
        return segments.missing(phyOffset);
      }
      try {
        read(segment, phyOffset, size);
      } finally {
        segment.release();
      }
    }
    int at = place(phyOffset);
    if (!AnswerBuilder.isRecord(target, at, (int) (readTo - phyOffset), phyOffset, size)) {
      return Added.NO_RECORD;
    }
    if (!filter.admits(target, at)) {
      return Added.UNWANTED;
    }
    take(phyOffset, at, size);
    return Added.ADDED;
  }

  private boolean takesMemory() {
    if (memory == null) {
      memory = buffers.take().orElse(null);
      target = memory == null ? null : memory.bytes();
    }
    return memory != null;
  }

  /** Whether the record was read and is still in its place, behind what was taken. */
  private boolean isHere(long phyOffset, int size) {
    return phyOffset >= readFrom && size <= readTo - phyOffset && place(phyOffset) >= end;
  }

  private int place(long phyOffset) {
    return readAt + (int) (phyOffset - readFrom);
  }

  /** As much as the file has of it: whoever looks at the record finds out about one that is longer. */
  private void read(Segment segment, long phyOffset, int size) {
    int ahead = isInMemory(segment, phyOffset) ? AHEAD_BYTES : AHEAD_ON_DISK_BYTES;
    long to = Math.min(segment.end(), Math.max(phyOffset + size, Math.min(phyOffset + ahead, readable)));
    int length = (int) Math.min(to - phyOffset, target.capacity() - end);
    try {
      target.limit(end + length).position(end);
      segment.file().read(segment.place(phyOffset), target);
    } catch (IOException failure) {
      throw new StoreException("the commit log cannot be read at " + phyOffset + ": " + failure.getMessage(), failure);
    } finally {
      readFrom = phyOffset;
      readTo = phyOffset + target.position() - end;
      readAt = end;
      target.clear();
    }
  }

  /** Asks for as much at a time as would be read from the disk. */
  private boolean isInMemory(Segment segment, long phyOffset) {
    if (phyOffset >= inMemoryTo) {
      int from = segment.place(phyOffset);
      int length = Math.min(AHEAD_ON_DISK_BYTES, segment.file().size() - from);
      if (!segment.bytes().slice(from, length).isLoaded()) {
        return false;
      }
      inMemoryTo = phyOffset + length;
    }
    return true;
  }

  private void take(long phyOffset, int at, int size) {
    if (count == 0) {
      firstOffset = phyOffset;
    }
    if (at > end) {
      target.put(end, target, at, size);
    }
    end += size;
    count++;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int bytes() {
    return end;
  }

  @Override
  public List<RecordSlice> slices() {
    if (count == 0) {
      return List.of();
    }
    RecordSlice all = new RecordSlice(memory, firstOffset, target, 0, end);
    memory = null;
    return List.of(all);
  }

  @Override
  public void discard() {
    if (memory != null) {
      memory.release();
      memory = null;
    }
  }
}
