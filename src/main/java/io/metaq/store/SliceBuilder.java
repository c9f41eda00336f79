package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.List;

/** Collects records into slices, joining those that lie back to back in one file. */
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

  /** Adds the record at {@code phyOffset}; false when its file is gone. */
  boolean add(long phyOffset, int size) {
    if (segment != null && phyOffset == start + length && phyOffset + size <= segment.end()) {
      length += size;
    } else {
      Segment next = segments.retained(phyOffset);
      if (next == null) {
        return false;
      }
      if (phyOffset + size > next.end()) {
        next.release();
        return false;
      }
      endSlice();
      segment = next;
      start = phyOffset;
      length = size;
    }
    count++;
    bytes += size;
    return true;
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
