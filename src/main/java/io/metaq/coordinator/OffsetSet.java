package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Map;

/** A set of queue offsets: a bit for each where they lie close together, some 200 bytes for each where they lie far apart. */
@OwnedBy("the verticle that keeps it")
final class OffsetSet {
  private static final int WORDS = 16;
  private static final int BITS = WORDS * Long.SIZE;

  private final Map<Long, long[]> chunks = new HashMap<>();

  void add(long offset) {
    int bit = (int) (offset % BITS);
    chunks.computeIfAbsent(offset / BITS, none -> new long[WORDS])[bit / Long.SIZE] |= 1L << bit;
  }

  boolean contains(long offset) {
    int bit = (int) (offset % BITS);
    long[] chunk = chunks.get(offset / BITS);
    return chunk != null && (chunk[bit / Long.SIZE] & 1L << bit) != 0;
  }

  boolean isEmpty() {
    return chunks.isEmpty();
  }
}
