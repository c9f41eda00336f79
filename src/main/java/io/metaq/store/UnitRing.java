package io.metaq.store;

import java.nio.ByteBuffer;

/** The newest units of a queue as columns; unit n lies in slot n modulo the capacity, a power of two. */
final class UnitRing {
  /** Of memory, for each unit. */
  private static final int UNIT_BYTES = 2 * Long.BYTES + Integer.BYTES;

  private final int mask;
  private final long[] phyOffsets;
  private final int[] sizes;
  private final long[] tagsCodes;

  UnitRing(int capacity) {
    mask = capacity - 1;
    phyOffsets = new long[capacity];
    sizes = new int[capacity];
    tagsCodes = new long[capacity];
  }

  /** How many units each of so many rings may hold for all of them to fit into {@code bytes}; a power of two, or 0. */
  static int room(long bytes, int rings) {
    return Integer.highestOneBit((int) Math.min(Integer.MAX_VALUE, bytes / UNIT_BYTES / rings));
  }

  int capacity() {
    return mask + 1;
  }

  void set(long queueOffset, long phyOffset, int size, long tagsCode) {
    int slot = (int) queueOffset & mask;
    phyOffsets[slot] = phyOffset;
    sizes[slot] = size;
    tagsCodes[slot] = tagsCode;
  }

  /** A bigger ring with the units of {@code [from, to)}. */
  UnitRing grown(long from, long to) {
    UnitRing bigger = new UnitRing(capacity() * 2);
    for (long n = from; n < to; n++) {
      int slot = (int) n & mask;
      bigger.set(n, phyOffsets[slot], sizes[slot], tagsCodes[slot]);
    }
    return bigger;
  }

  void copy(long from, int count, UnitWindow window) {
    for (int i = 0; i < count; i++) {
      int slot = (int) (from + i) & mask;
      window.add(phyOffsets[slot], sizes[slot], tagsCodes[slot]);
    }
  }

  /** Appends the units of {@code [from, to)} in their file form. */
  void encode(long from, long to, ByteBuffer bytes) {
    for (long n = from; n < to; n++) {
      int slot = (int) n & mask;
      bytes.putLong(phyOffsets[slot]).putInt(sizes[slot]).putLong(tagsCodes[slot]);
    }
  }
}
