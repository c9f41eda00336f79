package io.metaq.broker;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.StoreView;
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
 * <p>Each connection has an account: what it was given is charged, as time, and until that is over it has to wait. What an answer
 * costs is reckoned and not measured: most of it is spent when the loop writes to the socket, and as much again by the reader, where
 * that is on the same machine.
 *
 * <p>Bound: one account for each open connection.
 */
@OwnedBy("its event loop")
final class FarPace {
  static final int TIMES_GROWTH = 4;
  /** A share that is no bound. */
  static final int WHOLE = 100;

  private static final long ANSWER_NS = 10_000;
  private static final long MESSAGE_NS = 1_000;
  private static final long UNIT_NS = 100;
  private static final long KIB_NS = 400;

  /** The log is looked at so often; it grows when it has within {@link #LATELY_NS}. */
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LATELY_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long RATE_NS = TimeUnit.SECONDS.toNanos(1);
  /** After a burst the growth that readers have to keep up with is halved so often. */
  private static final double HALVED_NS = TimeUnit.SECONDS.toNanos(10);
  /** By so much a reader may be late without losing it, for timers are. */
  private static final long CREDIT_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long MOST_NS = TimeUnit.SECONDS.toNanos(1);

  private final IntSupplier share;
  private final Clock clock;
  /** Of each connection that reads far behind: until when it has to wait. */
  private final Map<Long, Long> paidAtNs = new HashMap<>();
  private long lookedNs;
  private long lookedAt = -1;
  private long grewNs;
  private long ratedNs;
  private long ratedAt;
  /** What the log grows by, or what is left of its last burst. */
  private double bytesPerNs;

  /** @param share of the loop's time that readers far behind get, per cent, 1 to 100 */
  FarPace(IntSupplier share, Clock clock) {
    this.share = share;
    this.clock = clock;
  }

  /** Whether the connection has read far behind lately, while messages came in. */
  boolean readsFar(long connection) {
    Long paid = paidAtNs.get(connection);
    return paid != null && !isWhole() && clock.nanos() - paid <= RATE_NS;
  }

  /** For how long a connection that reads far behind has to wait, ns; 0 or less for one that may go on. */
  long unpaidNs(long connection) {
    Long paid = paidAtNs.get(connection);
    return paid == null || isWhole() ? 0 : paid - clock.nanos();
  }

  /**
   * Charges an answer to the account of its connection; what comes from near the end costs nothing.
   *
   * @param phyOffset of its first message
   * @param units how many of the queue were looked at for it
   * @param appendedOffset where the log ends
   */
  void gave(long connection, long phyOffset, int messages, int bytes, long units, long appendedOffset) {
    if (isWhole() || appendedOffset - phyOffset < StoreView.FAR_BYTES) {
      return;
    }
    long nowNs = clock.nanos();
    look(appendedOffset, nowNs);
    if (nowNs - grewNs < LATELY_NS) {
      long unpaidNs = Math.max(-CREDIT_NS, paidAtNs.computeIfAbsent(connection, first -> nowNs) - nowNs);
      paidAtNs.put(connection, nowNs + Math.min(MOST_NS, unpaidNs + timeFor(messages, bytes, units)));
    }
  }

  void gone(long connection) {
    paidAtNs.remove(connection);
  }

  private boolean isWhole() {
    return share.getAsInt() >= WHOLE;
  }

  /** How long a reader has to do with what it got. Under a filter it gets on by more than that. */
  private long timeFor(int messages, int bytes, long units) {
    long costNs = ANSWER_NS + messages * MESSAGE_NS + units * UNIT_NS + (bytes >> 10) * KIB_NS;
    double byShare = costNs * (double) WHOLE / share.getAsInt() * paidAtNs.size();
    double bytesPassed = (double) bytes * Math.max(units, messages) / messages;
    return (long) (bytesPerNs == 0 ? byShare : Math.min(byShare, bytesPassed / (TIMES_GROWTH * bytesPerNs)));
  }

  private void look(long appendedOffset, long nowNs) {
    long passedNs = nowNs - lookedNs;
    if (lookedAt < 0 || passedNs >= RATE_NS) {
      // Nobody has read far behind for a while: what came in since tells nothing of now.
      grewNs = nowNs - LATELY_NS;
      bytesPerNs = 0;
      rateFrom(appendedOffset, nowNs);
    } else if (passedNs < LOOK_NS) {
      return;
    } else {
      grewNs = appendedOffset > lookedAt ? nowNs : grewNs;
    }
    lookedAt = appendedOffset;
    lookedNs = nowNs;
    long ratedForNs = nowNs - ratedNs;
    if (ratedForNs >= RATE_NS) {
      double left = bytesPerNs * Math.pow(0.5, ratedForNs / HALVED_NS);
      bytesPerNs = Math.max(left, (double) (appendedOffset - ratedAt) / ratedForNs);
      rateFrom(appendedOffset, nowNs);
      paidAtNs.values().removeIf(paid -> nowNs - paid > RATE_NS);
    }
  }

  private void rateFrom(long appendedOffset, long nowNs) {
    ratedAt = appendedOffset;
    ratedNs = nowNs;
  }
}
