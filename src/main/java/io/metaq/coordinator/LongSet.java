package io.metaq.coordinator;

import io.metaq.model.OwnedBy;

/** A set of long numbers in one array, 16 to 32 bytes each. */
@OwnedBy("the verticle that keeps it")
final class LongSet {
  private static final int LEAST = 16;

  /** Open addressing; 0 marks a free place, so 0 itself is kept aside. */
  private long[] table = new long[LEAST];
  private int count;
  private boolean zero;

  void add(long value) {
    if (value == 0) {
      zero = true;
    } else if (put(table, value) && ++count * 2 > table.length) {
      long[] bigger = new long[table.length * 2];
      for (long kept : table) {
        if (kept != 0) {
          put(bigger, kept);
        }
      }
      table = bigger;
    }
  }

  boolean contains(long value) {
    return value == 0 ? zero : table[placeOf(table, value)] == value;
  }

  boolean isEmpty() {
    return count == 0 && !zero;
  }

  void clear() {
    if (!isEmpty()) {
      table = new long[LEAST];
      count = 0;
      zero = false;
    }
  }

  private static boolean put(long[] into, long value) {
    int at = placeOf(into, value);
    boolean added = into[at] == 0;
    into[at] = value;
    return added;
  }

  private static int placeOf(long[] in, long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    int at = (int) (mixed >>> 33) & in.length - 1;
    while (in[at] != 0 && in[at] != value) {
      at = at + 1 & in.length - 1;
    }
    return at;
  }
}
