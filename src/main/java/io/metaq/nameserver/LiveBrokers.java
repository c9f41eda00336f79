package io.metaq.nameserver;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Who is alive: every registered broker with the moment it was last heard. */
@OwnedBy("NameServerVerticle")
final class LiveBrokers {
  private final Clock clock;
  private final Map<BrokerKey, LiveBroker> brokers = new HashMap<>();

  LiveBrokers(Clock clock) {
    this.clock = clock;
  }

  void put(Registration registration) {
    brokers.put(registration.key(), LiveBroker.of(registration, clock.nanos()));
  }

  /** Notes a sign of life; false when the broker is not registered. */
  boolean heard(BrokerKey key) {
    return brokers.computeIfPresent(key, (k, broker) -> broker.heard(clock.nanos())) != null;
  }

  Optional<LiveBroker> get(BrokerKey key) {
    return Optional.ofNullable(brokers.get(key));
  }

  Optional<LiveBroker> remove(BrokerKey key) {
    return Optional.ofNullable(brokers.remove(key));
  }

  /** Brokers that registered over this connection last. */
  List<BrokerKey> on(long connectionId) {
    return matching(broker -> broker.connectionId() == connectionId);
  }

  /** Brokers that were silent for longer than they promised. */
  List<BrokerKey> silent() {
    long nowNs = clock.nanos();
    return matching(broker -> broker.silent(nowNs));
  }

  private List<BrokerKey> matching(Predicate<LiveBroker> wanted) {
    return brokers.entrySet().stream().filter(entry -> wanted.test(entry.getValue())).map(Map.Entry::getKey).toList();
  }
}
