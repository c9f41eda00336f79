package io.metaq.net;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs refused connections without letting a stranger fill the log: the first of a kind at once, those that follow within ten seconds
 * as one line with their number.
 */
@OwnedBy("its event loop")
final class RefusalLog {
  private static final Logger log = LoggerFactory.getLogger(RefusalLog.class);
  private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(10);

  private final Clock clock;
  private final long[] windowEnds = new long[Refusal.values().length];
  private final boolean[] open = new boolean[windowEnds.length];
  private final int[] unlogged = new int[windowEnds.length];

  RefusalLog(Clock clock) {
    this.clock = clock;
  }

  /** Notes one refusal; {@code detail} says what exactly was wrong, empty when the kind says it all. */
  void refused(Refusal refusal, String remote, String detail) {
    int kind = refusal.ordinal();
    if (open[kind]) {
      unlogged[kind]++;
      return;
    }
    open[kind] = true;
    windowEnds[kind] = clock.nanos() + WINDOW_NS;
    if (refusal == Refusal.IDLE) {
      log.info("connection closed, the peer {} remote={}", refusal.clause(), remote);
    } else {
      log.warn("connection closed, the peer {} remote={} detail={}", refusal.clause(), remote, detail);
    }
  }

  /** Sums up what was not logged one by one; to be called now and then. */
  void sweep(long nowNs) {
    for (Refusal refusal : Refusal.values()) {
      int kind = refusal.ordinal();
      if (open[kind] && nowNs - windowEnds[kind] >= 0) {
        open[kind] = false;
        if (unlogged[kind] > 0) {
          log.warn("more connections closed, each because the peer {} connections={}", refusal.clause(), unlogged[kind]);
          unlogged[kind] = 0;
        }
      }
    }
  }
}
