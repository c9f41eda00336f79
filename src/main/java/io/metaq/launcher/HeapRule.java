package io.metaq.launcher;

import io.metaq.model.OwnedBy;

/**
 * Tells from a look at the heap, taken again and again, whether the process still has the memory to do its work.
 *
 * <p>A small heap that is merely busy is collected often, but each time much of it is free again. One that is used up is collected all the
 * time and hardly anything comes free: only both together, and for {@value #LIMIT_S} s without a better moment between, are the end.
 */
@OwnedBy("the thread of HeapWatch")
final class HeapRule {
  static final int WARN_PERCENT = 85;
  /** The heap has room again, and the next time it is told anew. */
  static final int CALM_PERCENT = 70;
  static final int FULL_PERCENT = 90;
  static final int COLLECTING_PERCENT = 80;
  static final int LIMIT_S = 5;

  private static final long NS_PER_MS = 1_000_000;
  private static final long LIMIT_NS = LIMIT_S * 1_000 * NS_PER_MS;

  enum Verdict { WELL, NEARLY_FULL, USED_UP }

  /**
   * One look.
   *
   * @param atNs monotonic
   * @param usedBytes what the last collections left in use
   * @param collections how many there have been
   * @param collectingMs for how long they have stopped the process, all of them together
   */
  record Look(long atNs, long usedBytes, long maxBytes, long collections, long collectingMs) {
    private boolean isOver(int percent) {
      return usedBytes >= maxBytes / 100.0 * percent;
    }
  }

  private Look last;
  private long fullSinceNs;
  private boolean full;
  private boolean warned;

  /** @param first from which on collections count */
  HeapRule(Look first) {
    this.last = first;
  }

  /** {@code NEARLY_FULL} once, until there was room again. */
  Verdict judge(Look look) {
    boolean wasFull = full;
    full = look.isOver(FULL_PERCENT) && hardlyWorkedUntil(look);
    if (full && !wasFull) {
      fullSinceNs = last.atNs();
    }
    last = look;
    if (full && look.atNs() - fullSinceNs >= LIMIT_NS) {
      return Verdict.USED_UP;
    }
    return warning(look);
  }

  private boolean hardlyWorkedUntil(Look look) {
    long passedNs = look.atNs() - last.atNs();
    long collectingNs = (look.collectingMs() - last.collectingMs()) * NS_PER_MS;
    return look.collections() > last.collections() && collectingNs >= passedNs / 100.0 * COLLECTING_PERCENT;
  }

  private Verdict warning(Look look) {
    if (!look.isOver(CALM_PERCENT)) {
      warned = false;
    }
    if (warned || !look.isOver(WARN_PERCENT)) {
      return Verdict.WELL;
    }
    warned = true;
    return Verdict.NEARLY_FULL;
  }
}
