package io.metaq.nameserver;

import io.metaq.model.OwnedBy;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Broker names and the brokers, by id, that carry each. A name without brokers does not exist. */
@OwnedBy("NameServerVerticle")
final class BrokerDirectory {
  private final SortedMap<String, Entry> names = new TreeMap<>();

  /** One broker name. */
  @OwnedBy("NameServerVerticle")
  static final class Entry {
    private final String cluster;
    private final String name;
    private final SortedMap<Long, BrokerKey> brokers = new TreeMap<>();
    private boolean actingMaster;

    private Entry(String cluster, String name) {
      this.cluster = cluster;
      this.name = name;
    }

    String cluster() {
      return cluster;
    }

    String name() {
      return name;
    }

    /** By id. */
    SortedMap<Long, BrokerKey> brokers() {
      return Collections.unmodifiableSortedMap(brokers);
    }

    boolean actingMaster() {
      return actingMaster;
    }

    /** Whether {@code brokerId} is the smallest of those here; a newcomer is counted in. */
    boolean smallest(long brokerId) {
      return brokers.isEmpty() || brokerId <= brokers.firstKey();
    }
  }

  Optional<Entry> find(String name) {
    return Optional.ofNullable(names.get(name));
  }

  Collection<Entry> all() {
    return Collections.unmodifiableCollection(names.values());
  }

  /** The names of one cluster. */
  Set<String> namesIn(String cluster) {
    return names.values().stream().filter(entry -> entry.cluster.equals(cluster)).map(Entry::name).collect(Collectors.toSet());
  }

  /** Puts a broker under its name and id; an address is under one id of a name only. */
  void put(Registration registration) {
    Entry entry =
        names.computeIfAbsent(registration.brokerName(), name -> new Entry(registration.key().cluster(), name));
    entry.actingMaster = registration.actingMaster().orElse(false);
    entry.brokers.values().removeIf(registration.key()::equals);
    entry.brokers.put(registration.brokerId(), registration.key());
  }

  /**
   * Takes a broker out of {@code name}.
   *
   * @return true when it was the last one, and the name is gone
   */
  boolean remove(String name, BrokerKey key) {
    Entry entry = names.get(name);
    if (entry == null) {
      return false;
    }
    entry.brokers.values().removeIf(key::equals);
    return entry.brokers.isEmpty() && names.remove(name) != null;
  }
}
