package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.Arrays;

/**
 * The units of one slot in the order they are due, and of equal ones in the order they came: a heap of numbers, no object for any
 * of them. It keeps the first {@code capacity} only, give or take as many again; when {@link #hasMore} says that others were left
 * out, they are offered anew once it is empty.
 */
@OwnedBy("TimerVerticle")
final class DueTimers {
  /** Bits of a key that hold the place in the timer log; the others hold how long after the slot's beginning the unit is due. */
  private static final int PLACE_BITS = 48;

  private final int capacity;
  private long[] heap = new long[1024];
  private int count;
  private long startMs;
  private long lastKept;
  private boolean leftOut;

  DueTimers(int capacity) {
    this.capacity = capacity;
  }

  /** Begins with another slot. */
  void begin(long slotStartMs) {
    startMs = slotStartMs;
    count = 0;
    lastKept = Long.MAX_VALUE;
    leftOut = false;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Whether units were left out that are due later than all that were kept. */
  boolean hasMore() {
    return leftOut;
  }

  /** Begins to take in those that were left out: only units behind the kept ones are taken from here on. Only while empty. */
  long beginRest() {
    long after = lastKept;
    lastKept = Long.MAX_VALUE;
    leftOut = false;
    return after;
  }

  long key(long dueMs, long place) {
    return Math.max(0, dueMs - startMs) << PLACE_BITS | place;
  }

  void offer(long key) {
    if (key > lastKept) {
      leftOut = true;
      return;
    }
    if (count == 2 * capacity) {
      Arrays.sort(heap, 0, count);
      count = capacity;
      lastKept = heap[count - 1];
      leftOut = true;
      offer(key);
      return;
    }
    push(key);
  }

  /** Takes one back that was taken. */
  void putBack(long key) {
    push(key);
  }

  private void push(long key) {
    if (count == heap.length) {
      heap = Arrays.copyOf(heap, count * 2);
    }
    int at = count++;
    while (at > 0 && heap[(at - 1) / 2] > key) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = key;
  }

  /** When the first one is due; only while not empty. */
  long firstDueMs() {
    return startMs + (heap[0] >>> PLACE_BITS);
  }

  /** Takes the first one; only while not empty. */
  long take() {
    long first = heap[0];
    long moved = heap[--count];
    int at = 0;
    int child = 1;
    while (child < count) {
      child = child + 1 < count && heap[child + 1] < heap[child] ? child + 1 : child;
      if (heap[child] >= moved) {
        break;
      }
      heap[at] = heap[child];
      at = child;
      child = 2 * at + 1;
    }
    heap[at] = moved;
    return first;
  }

  /** Place in the timer log of a key's unit. */
  static long placeOf(long key) {
    return key & (1L << PLACE_BITS) - 1;
  }

  /** Whether the unit of a key waits, be it that it was left out. {@code sorted} is {@link #sorted()}. */
  boolean holds(long[] sorted, long key) {
    return leftOut && key > lastKept || Arrays.binarySearch(sorted, key) >= 0;
  }

  /** The keys that are kept, in order. */
  long[] sorted() {
    long[] keys = Arrays.copyOf(heap, count);
    Arrays.sort(keys);
    return keys;
  }
}
