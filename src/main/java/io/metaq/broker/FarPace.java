package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * The pace of readers far behind the end of the log while messages come in: together they get a share of the loop's time, but each group
 * at least {@value #TIMES_GROWTH} times what the log grows by, so that it catches up whatever comes in. One reader with gigabytes to go
 * would otherwise take every processor that sends leave, and each send would wait for it (docs/benchmarks.md, "A reader far behind").
 *
 * <p>What an answer costs is reckoned and not measured: most of it is spent when the loop writes to the socket, and as much again by the
 * reader, where that is on the same machine.
 */
@OwnedBy("its event loop")
final class FarPace {
  /** A reader nearer to the end than this is about to be there. */
  static final long FAR_BYTES = 64L << 20;
  static final int TIMES_GROWTH = 4;
  /** A share that is no bound. */
  static final int WHOLE = 100;

  private static final long ANSWER_NS = 10_000;
  private static final long MESSAGE_NS = 1_000;
  private static final long KIB_NS = 400;

  /** Whether the log grows is looked at so often. */
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
  /** What a group may be late by without losing it: timers know no less than a millisecond. */
  private static final long CREDIT_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long MOST_NS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long FORGET_NS = TimeUnit.SECONDS.toNanos(1);

  private final IntSupplier share;
  /** Of each group that reads far behind: when what it was given is paid for. */
  private final Map<String, Long> paidAt = new HashMap<>();
  private long lookedAt;
  private long end = -1;
  private double bytesPerNs;

  /** @param share of the loop's time that readers far behind get, per cent */
  FarPace(IntSupplier share) {
    this.share = share;
  }

  /**
   * For how long an answer has to wait, ms; 0 for one that is given at once.
   *
   * @param from where in the log its first message is
   * @param appended where the log ends
   */
  long waitMs(String group, long from, int messages, int bytes, long appended, long nowNs) {
    if (share.getAsInt() >= WHOLE || appended - from < FAR_BYTES) {
      return 0;
    }
    look(appended, nowNs);
    if (bytesPerNs == 0) {
      return 0;
    }
    long unpaidNs = Math.max(-CREDIT_NS, paidAt.getOrDefault(group, nowNs) - nowNs);
    paidAt.put(group, nowNs + Math.min(MOST_NS, unpaidNs + timeFor(messages, bytes)));
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, unpaidNs) + TimeUnit.MILLISECONDS.toNanos(1) / 2);
  }

  /** How long a group has to do with what it gets. */
  private long timeFor(int messages, int bytes) {
    long costNs = ANSWER_NS + messages * MESSAGE_NS + (bytes >> 10) * KIB_NS;
    double byShare = costNs * (double) WHOLE / Math.max(1, share.getAsInt()) * Math.max(1, paidAt.size());
    return (long) Math.min(byShare, bytes / (TIMES_GROWTH * bytesPerNs));
  }

  private void look(long appended, long nowNs) {
    if (end < 0) {
      end = appended;
      lookedAt = nowNs;
    }
    long passedNs = nowNs - lookedAt;
    if (passedNs < LOOK_NS) {
      return;
    }
    bytesPerNs = (double) (appended - end) / passedNs;
    end = appended;
    lookedAt = nowNs;
    paidAt.values().removeIf(paid -> nowNs - paid > FORGET_NS);
  }
}
