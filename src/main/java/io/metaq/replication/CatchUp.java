package io.metaq.replication;

import io.metaq.model.OwnedBy;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people how a slave gets on that is far behind: in the log every few seconds and once when it is there, and in its state. It is
 * there when it has what the master had when they compared their logs; what came since comes as fast as before.
 */
@OwnedBy("the session that made it")
final class CatchUp {
  private static final Logger log = LoggerFactory.getLogger(CatchUp.class);
  /** Less is there before anybody reads of it. */
  static final long FAR_BYTES = 64L << 20;
  private static final long TELL_EVERY_NS = 5_000_000_000L;
  private static final long NS_PER_MS = 1_000_000;

  private final long beganNs;
  private final long from;
  private final long goal;
  private boolean behind;
  private long toldNs;
  private long position;
  private long bytesPerSecond;

  /**
   * @param from end of the slave's log
   * @param goal end of the master's
   */
  CatchUp(long nowNs, long from, long goal) {
    this.beganNs = nowNs;
    this.toldNs = nowNs;
    this.from = from;
    this.goal = goal;
    this.position = from;
    this.behind = goal - from >= FAR_BYTES;
  }

  /** Looks at the end of the slave's log, now and then. */
  void look(long nowNs, long newPosition, long newBytesPerSecond) {
    if (!behind) {
      return;
    }
    position = newPosition;
    bytesPerSecond = newBytesPerSecond;
    if (position >= goal) {
      behind = false;
      log.info("caught up with the master position={} bytes={} tookMs={}", position, position - from, (nowNs - beganNs) / NS_PER_MS);
    } else if (nowNs - toldNs >= TELL_EVERY_NS) {
      toldNs = nowNs;
      log.info("catching up with the master position={} bytesLeft={} bytesPerSecond={} secondsLeft={}",
          position, goal - position, bytesPerSecond, secondsLeft());
    }
  }

  private String secondsLeft() {
    return bytesPerSecond == 0 ? "unknown" : Long.toString((goal - position + bytesPerSecond - 1) / bytesPerSecond);
  }

  /** The end of a line of state; empty when it is not far behind. */
  @Override
  public String toString() {
    return behind ? String.format(Locale.ROOT, " bytesLeft=%d bytesPerSecond=%d secondsLeft=%s", goal - position, bytesPerSecond, secondsLeft())
        : "";
  }
}
