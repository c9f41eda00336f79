package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/**
 * Units that wait for one kind of watermark, ordered by end offset: stored, but not answered before everything below their end is
 * flushed, or on slaves, or before their time is up. One watermark releases all that it covers.
 */
@OwnedBy("its event loop")
final class WaitingAcks<U extends Unanswered<U>> {
  /** Takes a unit that does not wait here any more. */
  interface Release<U> {
    /** @param timedOut true when its time was up first */
    void release(U unit, boolean timedOut);
  }

  private final long timeoutNs;
  private final Release<U> release;
  private final ArrayDeque<U> units = new ArrayDeque<>();

  WaitingAcks(long timeoutMs, Release<U> release) {
    this.timeoutNs = timeoutMs * 1_000_000;
    this.release = release;
  }

  int count() {
    return units.size();
  }

  /** Adds one; it neither ends nor was stored before the one added last. */
  void add(U unit) {
    units.add(unit);
  }

  /** Releases everything that ends at or below {@code phyOffset}. */
  void reached(long phyOffset) {
    while (!units.isEmpty() && units.peek().endOffset() <= phyOffset) {
      release.release(units.poll(), false);
    }
  }

  /** Releases everything that was stored too long ago. */
  void expire(long nowNs) {
    while (!units.isEmpty() && nowNs - units.peek().storedNs() >= timeoutNs) {
      release.release(units.poll(), true);
    }
  }
}
