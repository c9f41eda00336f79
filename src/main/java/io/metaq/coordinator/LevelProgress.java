package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * How far one delay level's queue has been delivered:
 *
 * <pre>
 *   delivered            next                     cursor
 *   ---------------------|--x-----x---------------|------------ queue offset
 *                           single ones done      to be read
 * </pre>
 *
 * <p>{@code next} is what goes to the file: everything before it is done. A failure takes the cursor back to the offset that
 * failed; what was done beyond it is remembered and not done twice.
 *
 * <p>Since when this process knows of a message is remembered too, because the time its unit names is wrong when the clock was set back:
 * the time of its storing is never before that of the message before it, which may lie in the future.
 */
@OwnedBy("ScheduleVerticle")
final class LevelProgress {
  /** Most times of sighting that are kept; so the delay is kept to this part of it. */
  static final int MOST_SIGHTINGS = 256;

  /** The messages up to {@code end} that were not yet there at the sighting before this one. */
  private record Sighting(long end, long atMs) {}

  private final int level;
  private final Deque<Sighting> sightings = new ArrayDeque<>();
  private final Set<Long> done = new HashSet<>();
  private long next;
  private long cursor;
  private long pausedUntilMs = Long.MIN_VALUE;

  LevelProgress(int level, long next) {
    this.level = level;
    this.next = next;
    cursor = next;
  }

  int level() {
    return level;
  }

  /** Everything before this offset is done. */
  long next() {
    return next;
  }

  /** Where to go on reading. */
  long cursor() {
    return cursor;
  }

  /** The offset at the cursor has been taken up, or was done before. */
  void taken() {
    cursor++;
  }

  boolean isDone(long queueOffset) {
    return queueOffset < next || done.contains(queueOffset);
  }

  /**
   * The message at an offset needs no more attention.
   *
   * @return whether {@link #next} moved
   */
  boolean done(long queueOffset) {
    done.add(queueOffset);
    long before = next;
    while (done.remove(next)) {
      next++;
    }
    return next != before;
  }

  /** The message at an offset must be tried again. */
  void failed(long queueOffset) {
    cursor = Math.min(cursor, queueOffset);
  }

  /** Goes on at another place, because the queue does not reach to where it was. */
  void moveTo(long queueOffset) {
    next = queueOffset;
    cursor = queueOffset;
    done.clear();
  }

  /**
   * Tells how far the queue reaches; with each look at it. Sightings are told apart to a part of the delay and dated at the end of that
   * part, so that no message is taken for older than it is.
   *
   * @param nowMs on a monotonic clock
   */
  void seen(long end, long nowMs, long delayMs) {
    while (!sightings.isEmpty() && sightings.getFirst().end <= next) {
      sightings.removeFirst();
    }
    if (end <= (sightings.isEmpty() ? next : sightings.getLast().end)) {
      return;
    }
    long part = Math.max(1, delayMs / MOST_SIGHTINGS);
    long atMs = Math.floorDiv(nowMs + part - 1, part) * part;
    if (!sightings.isEmpty() && (sightings.getLast().atMs == atMs || sightings.size() == MOST_SIGHTINGS)) {
      sightings.removeLast();
    }
    sightings.addLast(new Sighting(end, atMs));
  }

  /** How many sightings are remembered. */
  int sightings() {
    return sightings.size();
  }

  /** Whether the message at an offset has been known for as long as the delay, on a monotonic clock. */
  boolean hasWaited(long queueOffset, long delayMs, long nowMs) {
    for (Sighting sighting : sightings) {
      if (queueOffset < sighting.end) {
        return nowMs - sighting.atMs >= delayMs;
      }
    }
    return false;
  }

  /** Leaves the level alone for a while, on a monotonic clock. */
  void pauseUntil(long untilMs) {
    pausedUntilMs = untilMs;
  }

  boolean pausedAt(long nowMs) {
    return nowMs < pausedUntilMs;
  }
}
