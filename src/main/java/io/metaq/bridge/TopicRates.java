package io.metaq.bridge;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How fast topics and queues grow, by comparing their ends from look to look: unknown at the first, then the mean since a look that lies at least
 * a second back.
 */
@OwnedBy("BridgeVerticle")
final class TopicRates {
  private static final int MOST = 10_000;
  private static final long SHORTEST_NS = 1_000_000_000L;
  private static final long LONGEST_NS = 60 * SHORTEST_NS;
  private static final double ROUND = 10.0;

  private final Clock clock;
  private final Map<String, Look> looks = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Look> eldest) {
      return size() > MOST;
    }
  };

  /** @param perSecond the rate that was found then, null when unknown */
  private record Look(long timeNs, long end, Double perSecond) {}

  TopicRates(Clock clock) {
    this.clock = clock;
  }

  /**
   * The rate of one of them.
   *
   * @param end of a queue, or the sum of those of a topic's queues now
   */
  Optional<Double> perSecond(String name, long end) {
    long nowNs = clock.nanos();
    Look last = looks.get(name);
    if (last == null || end < last.end || nowNs - last.timeNs > LONGEST_NS) {
      looks.put(name, new Look(nowNs, end, null));
      return Optional.empty();
    }
    if (nowNs - last.timeNs < SHORTEST_NS) {
      return Optional.ofNullable(last.perSecond);
    }
    double rate = Math.round((end - last.end) * (double) SHORTEST_NS / (nowNs - last.timeNs) * ROUND) / ROUND;
    looks.put(name, new Look(nowNs, end, rate));
    return Optional.of(rate);
  }
}
