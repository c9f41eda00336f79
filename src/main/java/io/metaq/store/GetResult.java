package io.metaq.store;

import java.util.List;

/**
 * Records of one queue, found from an offset on.
 *
 * @param nextOffset where to go on
 * @param minOffset first offset of the queue that can still be read
 * @param maxOffset the next offset to be written
 * @param slices the records in order, several in one slice where they lie back to back or are copies; each must be released
 * @param count how many records
 * @param bytes how long they are together
 */
public record GetResult(
    GetStatus status, long nextOffset, long minOffset, long maxOffset, List<RecordSlice> slices, int count, int bytes) {

  static GetResult nothing(GetStatus status, long nextOffset, long minOffset, long maxOffset) {
    return new GetResult(status, nextOffset, minOffset, maxOffset, List.of(), 0, 0);
  }

  /** Releases every slice, for a reader that does not hand them on. */
  public void release() {
    slices.forEach(RecordSlice::release);
  }
}
