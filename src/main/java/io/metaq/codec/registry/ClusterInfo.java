package io.metaq.codec.registry;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Every broker a name server knows. */
public record ClusterInfo(List<BrokerData> brokers) {
  public ClusterInfo {
    brokers = List.copyOf(brokers);
  }


  /** Broker names by cluster, both sorted. */
  public SortedMap<String, SortedSet<String>> namesByCluster() {
    SortedMap<String, SortedSet<String>> clusters = new TreeMap<>();
    for (BrokerData broker : brokers) {
      clusters.computeIfAbsent(broker.cluster(), cluster -> new TreeSet<>()).add(broker.brokerName());
    }
    return clusters;
  }

  /** Names of all clusters, sorted. */
  public Set<String> clusters() {
    return namesByCluster().keySet();
  }
}
