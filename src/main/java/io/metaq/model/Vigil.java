package io.metaq.model;

import java.util.function.BooleanSupplier;

/**
 * Says whether a thread that has run out of work should look for more for a moment before it sleeps. To wake a sleeping thread costs the
 * one who brings work, and the work itself, tens of microseconds. It pays only where work comes soon, so each kind of wait has a vigil of
 * its own, which is kept while enough of the last ones were worth it, and tried now and then when they were not.
 *
 * <p>It gives way to other threads, which is cheap where they are about to sleep. Where one computes (the compiler, another process) the
 * kernel may let that have the processor for milliseconds: then vigils rest for a long while.
 *
 * <p>Bound: it lasts so long, and no longer; nobody keeps one without having had work just before, so what is idle sleeps.
 */
@OwnedBy("the thread that keeps it")
public final class Vigil {
  /** Won by what came in time: twice what is lost by a vigil in vain, for a wake-up costs more than it. */
  private static final int GAIN = 2;
  private static final int MOST_CREDIT = 16;
  /** Without credit, one in so many. */
  private static final int TRIED_EACH = 64;

  /** Others had the processor for so long, as nobody has who is about to sleep. */
  private static final long OVERSLEPT_NS = 500_000;
  /** Vigils left out after that; doubled when it happens again before so many were kept. */
  private static final int LEAST_REST = 1_024;
  private static final int MOST_REST = 1 << 16;

  private final Clock clock;
  private final long lengthNs;
  private int credit;
  private int skipped;
  private long beganNs;
  private int rest;
  private int lastRest = LEAST_REST / 2;
  private int keptSinceRest;

  /** @param lengthNs how long one lasts; 0 = there is none */
  public Vigil(Clock clock, long lengthNs) {
    this.clock = clock;
    this.lengthNs = lengthNs;
  }

  /** Waits for {@code arrived} on the calling thread, other threads first; not at all where that does not pay. */
  public void keep(BooleanSupplier arrived) {
    if (arrived.getAsBoolean() || !begin()) {
      return;
    }
    boolean came = false;
    while (!came && lasts()) {
      letOthers();
      came = arrived.getAsBoolean();
    }
    end(came);
  }

  /** Begins one, unless it would not pay. */
  public boolean begin() {
    if (rest > 0) {
      rest--;
      return false;
    }
    if (lengthNs == 0 || credit == 0 && skipped++ % TRIED_EACH != 0) {
      return false;
    }
    keptSinceRest++;
    beganNs = clock.nanos();
    return true;
  }

  /** Whether there is time left of the one that began last. */
  public boolean lasts() {
    return rest == 0 && clock.nanos() - beganNs < lengthNs;
  }

  /** Gives way to other threads that want the processor now. */
  public void letOthers() {
    long beforeNs = clock.nanos();
    Thread.yield();
    if (clock.nanos() - beforeNs >= OVERSLEPT_NS) {
      lastRest = keptSinceRest < LEAST_REST ? Math.min(MOST_REST, 2 * lastRest) : LEAST_REST;
      rest = lastRest;
      keptSinceRest = 0;
    }
  }

  /** Ends it. */
  public void end(boolean worthIt) {
    credit = worthIt ? Math.min(MOST_CREDIT, credit + GAIN) : Math.max(0, credit - 1);
  }
}
