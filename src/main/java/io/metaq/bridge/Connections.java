package io.metaq.bridge;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.http.HttpConnection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections there may be, so that whoever opens thousands cannot take the memory of the broker in the same process. A few over
 * the bound are spare: each has one request, for which how the process is is told as ever, and all else is refused. Further ones end at
 * once, which is counted in the log.
 */
@OwnedBy("BridgeVerticle")
final class Connections {
  /** Probes and scrapers of one process come one at a time. */
  static final int SPARE = 16;

  private static final Logger log = LoggerFactory.getLogger(Connections.class);
  private static final long TOLD_EVERY_NS = 60_000_000_000L;

  private final int bound;
  private final Clock clock;
  private final Set<HttpConnection> served = new HashSet<>();
  private final Set<HttpConnection> spare = new HashSet<>();
  /** Those that have had, or have, their last request. */
  private final Set<HttpConnection> ending = new HashSet<>();
  private long untold;
  private long toldNs;
  private boolean told;

  Connections(int bound, Clock clock) {
    this.bound = bound;
    this.clock = clock;
  }

  /** @return false when it must end */
  boolean opened(HttpConnection connection) {
    if (served.size() < bound) {
      return served.add(connection);
    }
    refused(connection);
    return spare.size() < SPARE && spare.add(connection);
  }

  /** It has ended. The HTTP server does not tell that of one that became a WebSocket. */
  void gone(HttpConnection connection) {
    served.remove(connection);
    spare.remove(connection);
    ending.remove(connection);
  }

  /** Whether it is over the bound. */
  boolean isSpare(HttpConnection connection) {
    return spare.contains(connection);
  }

  /** After the answer to the request that is here, it ends. */
  void endAfterThis(HttpConnection connection) {
    ending.add(connection);
  }

  boolean isEnding(HttpConnection connection) {
    return ending.contains(connection);
  }

  int bound() {
    return bound;
  }

  private void refused(HttpConnection connection) {
    untold++;
    if (!told || clock.nanos() - toldNs >= TOLD_EVERY_NS) {
      log.warn("connections over the bound are refused, all but probes httpMaxConnections={} refused={} remote={}", bound, untold,
          connection.remoteAddress());
      told = true;
      toldNs = clock.nanos();
      untold = 0;
    }
  }
}
