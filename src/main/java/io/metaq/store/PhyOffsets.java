package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.util.Arrays;

/** A list of log positions with a bound. */
@OwnedBy("the thread that collects with it")
final class PhyOffsets {
  private final int limit;
  private long[] offsets = new long[16];
  private int count;

  PhyOffsets(int limit) {
    this.limit = limit;
  }

  boolean isFull() {
    return count == limit;
  }

  int count() {
    return count;
  }

  long get(int index) {
    return offsets[index];
  }

  void add(long phyOffset) {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, count * 2);
    }
    offsets[count++] = phyOffset;
  }
}
