package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
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
 */
@OwnedBy("ScheduleVerticle")
final class LevelProgress {
  private final int level;
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

  /** Leaves the level alone for a while, on a monotonic clock. */
  void pauseUntil(long untilMs) {
    pausedUntilMs = untilMs;
  }

  boolean pausedAt(long nowMs) {
    return nowMs < pausedUntilMs;
  }
}
