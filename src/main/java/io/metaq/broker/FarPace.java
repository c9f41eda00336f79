package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * The pace of readers far behind the end of the log while messages come in: together they get a share of the loop's time, but each
 * connection at least {@value #TIMES_GROWTH} times what the log grows by, so that it catches up whatever comes in. One reader with
 * gigabytes to go would otherwise take every processor that sends leave, and each send would wait for it (docs/benchmarks.md, "A
 * reader far behind").
 *
 * <p>What an answer costs is reckoned and not measured: most of it is spent when the loop writes to the socket, and as much again by
 * the reader, where that is on the same machine.
 */
@OwnedBy("its event loop")
final class FarPace {
  /** A reader nearer to the end than this is about to be there. */
  static final long FAR_BYTES = 64L << 20;
  static final int TIMES_GROWTH = 4;
  /** A share that is no bound. */
  static final int WHOLE = 100;
  /** Nobody waits longer: clients that pull give up after ten seconds. */
  static final long MOST_NS = TimeUnit.SECONDS.toNanos(5);

  private static final long ANSWER_NS = 10_000;
  private static final long MESSAGE_NS = 1_000;
  private static final long UNIT_NS = 100;
  private static final long KIB_NS = 400;

  /** How much the log grows is looked at so often. */
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
  /** What was seen of it longer ago tells nothing of now. */
  private static final long FORGET_NS = TimeUnit.SECONDS.toNanos(1);
  /** After a burst the growth that readers have to keep up with is halved so often. */
  private static final double HALVED_NS = TimeUnit.SECONDS.toNanos(10);
  /** What a reader may be late by without losing it: timers know no less than a millisecond. */
  private static final long CREDIT_NS = TimeUnit.MILLISECONDS.toNanos(2);

  private final IntSupplier share;
  /** Of each connection that reads far behind: when what it was given is paid for. */
  private final Map<Long, Long> paidAt = new HashMap<>();
  private long lookedAt;
  private long end = -1;
  private boolean grows;
  /** Of the log, with its last bursts. */
  private double bytesPerNs;

  /** @param share of the loop's time that readers far behind get, per cent */
  FarPace(IntSupplier share) {
    this.share = share;
  }

  /**
   * Reckons an answer to a reader's account, and says for how long it has to wait, ns; 0 or less for one that is given at once.
   *
   * @param reader number of its connection
   * @param from where in the log its first message is
   * @param units how many units of the queue were looked at for it
   * @param appended where the log ends
   */
  long waitNs(long reader, long from, int messages, int bytes, long units, long appended, long nowNs) {
    if (share.getAsInt() >= WHOLE || appended - from < FAR_BYTES) {
      return 0;
    }
    look(appended, nowNs);
    if (!grows) {
      return 0;
    }
    long unpaidNs = Math.max(-CREDIT_NS, paidAt.getOrDefault(reader, nowNs) - nowNs);
    paidAt.put(reader, nowNs + Math.min(MOST_NS, unpaidNs + timeFor(messages, bytes, units)));
    return unpaidNs;
  }

  void gone(long reader) {
    paidAt.remove(reader);
  }

  /** How long a reader has to do with what it gets. */
  private long timeFor(int messages, int bytes, long units) {
    long costNs = ANSWER_NS + messages * MESSAGE_NS + units * UNIT_NS + (bytes >> 10) * KIB_NS;
    double byShare = costNs * (double) WHOLE / Math.max(1, share.getAsInt()) * Math.max(1, paidAt.size());
    return (long) Math.min(byShare, bytes / (TIMES_GROWTH * bytesPerNs));
  }

  private void look(long appended, long nowNs) {
    long passedNs = nowNs - lookedAt;
    if (end >= 0 && passedNs < LOOK_NS) {
      return;
    }
    boolean tells = end >= 0 && passedNs < FORGET_NS;
    grows = tells && appended > end;
    double now = grows ? (double) (appended - end) / passedNs : 0;
    bytesPerNs = tells ? Math.max(now, bytesPerNs * Math.pow(0.5, passedNs / HALVED_NS)) : 0;
    end = appended;
    lookedAt = nowNs;
    paidAt.values().removeIf(paid -> nowNs - paid > FORGET_NS);
  }
}
