package io.metaq.model;

import java.util.function.BooleanSupplier;

/**
 * Says whether a thread that has run out of work should look for more for a moment before it sleeps. To wake a sleeping thread costs the
 * one who brings work, and the work itself, tens of microseconds. It pays only where work comes soon, so each kind of wait has a vigil of
 * its own, which is kept while enough of the last ones were worth it, and tried now and then when they were not.
 *
 * <p>It gives way to other threads, which is cheap where they are about to sleep. Where one computes (the compiler, another process) the
 * kernel may let that have the processor for milliseconds: then vigils rest for a while.
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
  /** After that there is none for so long; twice as long as before when it happens again within {@value #SOON} times as long. */
  private static final long LEAST_REST_NS = 10_000_000;
  private static final long MOST_REST_NS = 1_000_000_000;
  private static final int SOON = 10;

  private final Clock clock;
  private final long lengthNs;
  private int credit;
  private int skipped;
  private long beganNs;
  private long restNs;
  private long restUntilNs;

  /** @param lengthNs how long one lasts; 0 = there is none */
  public Vigil(Clock clock, long lengthNs) {
    this.clock = clock;
    this.lengthNs = lengthNs;
    this.restUntilNs = clock.nanos();
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
    if (lengthNs == 0 || credit == 0 && skipped++ % TRIED_EACH != 0) {
      return false;
    }
    beganNs = clock.nanos();
    return beganNs - restUntilNs >= 0;
  }

  /** Whether there is time left of the one that began last. */
  public boolean lasts() {
    long nowNs = clock.nanos();
    return nowNs - beganNs < lengthNs && nowNs - restUntilNs >= 0;
  }

  /** Gives way to other threads that want the processor now. */
  public void letOthers() {
    long beforeNs = clock.nanos();
    Thread.yield();
    long nowNs = clock.nanos();
    if (nowNs - beforeNs >= OVERSLEPT_NS) {
      boolean again = nowNs - restUntilNs < SOON * restNs;
      restNs = again ? Math.min(MOST_REST_NS, 2 * restNs) : LEAST_REST_NS;
      restUntilNs = nowNs + restNs;
    }
  }

  /** Ends it. */
  public void end(boolean worthIt) {
    credit = worthIt ? Math.min(MOST_CREDIT, credit + GAIN) : Math.max(0, credit - 1);
  }
}
