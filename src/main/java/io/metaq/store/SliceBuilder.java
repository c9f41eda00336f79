package io.metaq.store;

import io.metaq.codec.record.RecordLayout;
import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Collects records into slices, joining those that lie back to back in one file. What is no record is not taken. */
@OwnedBy("the thread that reads with it")
final class SliceBuilder {
  private final Segments segments;
  private final List<RecordSlice> slices = new ArrayList<>();
  private Segment segment;
  private long start;
  private int length;
  private int count;
  private int bytes;

  SliceBuilder(Segments segments) {
    this.segments = segments;
  }

  /** What came of adding a record. */
  enum Added {
    ADDED,
    /** The filter does not want it. */
    UNWANTED,
    /** Its file was deleted. */
    GONE,
    /** Something else lies there: the queue or the log is damaged. */
    NO_RECORD
  }

  /** Adds the record of {@code size} bytes at {@code phyOffset} if it is wanted. */
  Added add(long phyOffset, int size, RecordFilter filter) {
    if (segment != null && phyOffset == start + length && phyOffset + size <= segment.end()) {
      Added looked = look(segment, phyOffset, size, filter);
      if (looked != Added.ADDED) {
        return looked;
      }
      length += size;
    } else {
      Segment next = segments.retained(phyOffset);
      if (next == null) {
        return phyOffset < segments.first() ? Added.GONE : Added.NO_RECORD;
      }
      Added looked = Added.NO_RECORD;
      try {
        looked = look(next, phyOffset, size, filter);
      } finally {
        if (looked != Added.ADDED) {
          next.release();
        }
      }
      if (looked != Added.ADDED) {
        return looked;
      }
      endSlice();
      segment = next;
      start = phyOffset;
      length = size;
    }
    count++;
    bytes += size;
    return Added.ADDED;
  }

  private static Added look(Segment file, long phyOffset, int size, RecordFilter filter) {
    if (!isRecord(file, phyOffset, size)) {
      return Added.NO_RECORD;
    }
    return filter.admits(file.bytes(), file.place(phyOffset)) ? Added.ADDED : Added.UNWANTED;
  }

  /** Looks at what no stray bytes have by chance: size, magic, and the place itself. */
  private static boolean isRecord(Segment file, long phyOffset, int size) {
    int at = file.place(phyOffset);
    if (size < RecordLayout.FIXED_SIZE || size > file.file().size() - at) {
      return false;
    }
    ByteBuffer log = file.bytes();
    int magic = log.getInt(at + RecordLayout.MAGIC);
    return log.getInt(at) == size
        && (magic == RecordLayout.MAGIC_V1 || magic == RecordLayout.MAGIC_V2)
        && log.getLong(at + RecordLayout.PHY_OFFSET) == phyOffset;
  }

  int count() {
    return count;
  }

  int bytes() {
    return bytes;
  }

  /** Everything added; the caller releases it. */
  List<RecordSlice> slices() {
    endSlice();
    return slices;
  }

  private void endSlice() {
    if (segment != null) {
      slices.add(new RecordSlice(segment, start, length));
      segment = null;
    }
  }
}
