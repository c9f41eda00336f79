package io.metaq.codec.registry;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One broker name: a master and its slaves.
 *
 * @param addresses {@code host:port} by broker id, in the order of ids; 0 is the master
 * @param enableActingMaster whether its brokers said that a slave may stand in for the master
 */
public record BrokerData(String cluster, String brokerName, SortedMap<Long, String> addresses, boolean enableActingMaster) {
  /** The id of a master; slaves have greater ones. */
  public static final long MASTER_ID = 0;

  public BrokerData {
    addresses = Collections.unmodifiableSortedMap(new TreeMap<>(addresses));
  }

  /** Where the master is, empty while there is none. */
  public Optional<String> masterAddress() {
    return Optional.ofNullable(addresses.get(MASTER_ID));
  }
}
