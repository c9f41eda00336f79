package io.metaq.store;

import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import java.util.ArrayList;
import java.util.List;

/** Collects records where they lie, in the mapping, as slices that join those that lie back to back in one file. */
@OwnedBy("the thread that reads with it")
final class SliceBuilder implements AnswerBuilder {
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

  @Override
  public Added add(long phyOffset, int size, RecordFilter filter) {
    if (segment != null && phyOffset == start + length && phyOffset + size <= segment.end()) {
      Added looked = look(segment, phyOffset, size, filter);
      if (looked != Added.ADDED) {
        return looked;
      }
      length += size;
    } else {
      Segment next = segments.retained(phyOffset);
      if (next == null) {
        return segments.missing(phyOffset);
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
    int at = file.place(phyOffset);
    if (!AnswerBuilder.isRecord(file.bytes(), at, file.file().size() - at, phyOffset, size)) {
      return Added.NO_RECORD;
    }
    return filter.admits(file.bytes(), at) ? Added.ADDED : Added.UNWANTED;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public List<RecordSlice> slices() {
    endSlice();
    return slices;
  }

  @Override
  public void discard() {
    slices().forEach(RecordSlice::release);
  }

  private void endSlice() {
    if (segment != null) {
      slices.add(new RecordSlice(segment, start, length));
      segment = null;
    }
  }
}
