package io.metaq.client;

import java.util.List;
import java.util.OptionalLong;

/**
 * A producer group with its clients that are connected now. Brokers know groups of producers, not which topics they send to.
 *
 * @param clients sorted by id
 * @param missing brokers that told nothing: who is connected only to them is not here
 */
public record ProducerGroup(String group, List<Client> clients, List<MissingBroker> missing) {
  public ProducerGroup {
    clients = List.copyOf(clients);
    missing = List.copyOf(missing);
  }

  /**
   * A connected producer.
   *
   * @param address {@code host:port} it is connected from
   * @param version number of its client's protocol version
   * @param lastSeenMs of its last heartbeat, ms since 1970
   * @param brokers names of the brokers it is connected to, sorted
   */
  public record Client(String clientId, String address, String language, int version, OptionalLong lastSeenMs, List<String> brokers) {
    public Client {
      brokers = List.copyOf(brokers);
    }
  }
}
