package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Entries by the time they are due, the earliest first. Any entry can be taken out or moved without a search, because each knows
 * its place: so what is settled early leaves nothing behind.
 *
 * @param <E> the entries
 */
@OwnedBy("PopVerticle")
final class DueHeap<E extends DueHeap.Entry> {
  private static final int NOWHERE = -1;
  private static final int FIRST_LENGTH = 64;

  private Entry[] heap = new Entry[FIRST_LENGTH];
  private int size;

  /** What has a time at which it is due. */
  @OwnedBy("PopVerticle")
  abstract static class Entry {
    private long dueMs;
    private int place = NOWHERE;

    Entry(long dueMs) {
      this.dueMs = dueMs;
    }

    final long dueMs() {
      return dueMs;
    }
  }

  int size() {
    return size;
  }

  void add(E entry) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    put(entry, size++);
    rise(size - 1);
  }

  /** Takes an entry out; nothing happens when it is not in. */
  void remove(E entry) {
    Entry gone = entry;
    int place = gone.place;
    if (place == NOWHERE) {
      return;
    }
    Entry last = heap[--size];
    heap[size] = null;
    gone.place = NOWHERE;
    if (last != gone) {
      put(last, place);
      rise(place);
      sink(last.place);
    }
  }

  /** Gives an entry another time. */
  void move(E entry, long dueMs) {
    remove(entry);
    ((Entry) entry).dueMs = dueMs;
    add(entry);
  }

  /** The earliest when it is due by {@code nowMs}; null when none is. It stays in. */
  @SuppressWarnings("unchecked")
  E due(long nowMs) {
    return size > 0 && heap[0].dueMs <= nowMs ? (E) heap[0] : null;
  }

  /** Takes out every entry that {@code gone} says so of. */
  @SuppressWarnings("unchecked")
  void removeIf(Predicate<E> gone) {
    for (Entry entry : Arrays.copyOf(heap, size)) {
      if (gone.test((E) entry)) {
        remove((E) entry);
      }
    }
  }

  private void rise(int from) {
    int at = from;
    while (at > 0 && heap[at].dueMs < heap[(at - 1) / 2].dueMs) {
      swap(at, (at - 1) / 2);
      at = (at - 1) / 2;
    }
  }

  private void sink(int from) {
    int at = from;
    int child = earlierChild(at);
    while (child < size && heap[child].dueMs < heap[at].dueMs) {
      swap(at, child);
      at = child;
      child = earlierChild(at);
    }
  }

  /** At or behind the end when there is none. */
  private int earlierChild(int at) {
    int left = at * 2 + 1;
    return left + 1 < size && heap[left + 1].dueMs < heap[left].dueMs ? left + 1 : left;
  }

  private void swap(int one, int other) {
    Entry moved = heap[one];
    put(heap[other], one);
    put(moved, other);
  }

  private void put(Entry entry, int place) {
    heap[place] = entry;
    entry.place = place;
  }
}
