package io.metaq.client;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * Which brokers failed lately. A broker that failed is avoided for a while, longer each time; then the next message that comes its way is
 * the probe that brings it back or bars it again.
 */
@OwnedBy("its client's context")
final class BrokerHealth {
  private final Clock clock;
  private final Backoff backoff;
  private final Map<String, Failing> failing = new HashMap<>();

  private record Failing(int failures, long avoidUntilNs) {}

  BrokerHealth(Clock clock, Backoff backoff) {
    this.clock = clock;
    this.backoff = backoff;
  }

  boolean usable(String broker) {
    Failing state = failing.get(broker);
    return state == null || clock.nanos() - state.avoidUntilNs >= 0;
  }

  void succeeded(String broker) {
    if (!failing.isEmpty()) {
      failing.remove(broker);
    }
  }

  /** A broker did not answer. Several failures of one moment, of requests that were on their way together, count once. */
  void failed(String broker) {
    Failing before = failing.get(broker);
    if (before == null || usable(broker)) {
      int failures = before == null ? 1 : before.failures + 1;
      failing.put(broker, new Failing(failures, clock.nanos() + backoff.delayMs(failures) * 1_000_000));
    }
  }
}
