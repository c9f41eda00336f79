package io.metaq.coordinator;

import io.metaq.coordinator.api.ClientInfo;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The producer groups of each connection, as its last heartbeat named them, and when that was. */
@OwnedBy("GroupCoordinatorVerticle")
final class ProducerTable {
  private final Map<ClientConnection, Producer> producers = new HashMap<>();
  /** The connection of each client's last heartbeat. */
  private final Map<String, ClientConnection> byClientId = new HashMap<>();

  void heartbeat(Heartbeat beat, long nowMs) {
    ClientConnection connection = new ClientConnection(beat.loop(), beat.connectionId());
    if (beat.producerGroups().isEmpty()) {
      closed(connection);
    } else {
      Producer before = producers.put(connection, new Producer(beat, nowMs, new HashSet<>(beat.producerGroups())));
      if (before != null && !before.beat.clientId().equals(beat.clientId())) {
        byClientId.remove(before.beat.clientId(), connection);
      }
      byClientId.put(beat.clientId(), connection);
    }
  }

  void remove(ClientConnection connection, String group) {
    Producer producer = producers.get(connection);
    if (producer != null && producer.groups.remove(group) && producer.groups.isEmpty()) {
      closed(connection);
    }
  }

  void closed(ClientConnection connection) {
    Producer gone = producers.remove(connection);
    if (gone != null) {
      byClientId.remove(gone.beat.clientId(), connection);
    }
  }

  /** Ends registrations without a heartbeat since {@code oldestMs}. */
  void expire(long oldestMs, GroupChanges changes) {
    Iterator<Map.Entry<ClientConnection, Producer>> each = producers.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<ClientConnection, Producer> producer = each.next();
      if (producer.getValue().seenMs() < oldestMs) {
        each.remove();
        byClientId.remove(producer.getValue().beat.clientId(), producer.getKey());
        changes.silent(producer.getKey());
      }
    }
  }

  /** The connections of each group, in an order that stays the same while they do. */
  LiveProducers live() {
    Map<String, List<ClientConnection>> byGroup = new HashMap<>();
    producers.keySet().stream()
        .sorted(Comparator.comparingInt(ClientConnection::loop).thenComparingLong(ClientConnection::connectionId))
        .forEach(connection -> producers.get(connection).groups
            .forEach(group -> byGroup.computeIfAbsent(group, name -> new ArrayList<>()).add(connection)));
    return new LiveProducers(byGroup);
  }

  /**
   * The producers of each group, sorted.
   *
   * @param offsetMs wall clock minus monotonic clock
   */
  Map<String, List<ClientInfo>> describe(long offsetMs) {
    Map<String, List<ClientInfo>> byGroup = new TreeMap<>();
    for (Producer producer : producers.values()) {
      ClientInfo info = producer.info(offsetMs);
      producer.groups.forEach(group -> byGroup.computeIfAbsent(group, key -> new ArrayList<>()).add(info));
    }
    return byGroup;
  }

  /**
   * The producer of this client id, empty when none is connected.
   *
   * @param offsetMs wall clock minus monotonic clock
   */
  Optional<ClientInfo> find(String clientId, long offsetMs) {
    return Optional.ofNullable(byClientId.get(clientId)).map(producers::get).map(producer -> producer.info(offsetMs));
  }

  /** {@code groups}: those of its last heartbeat that it did not leave since. */
  private record Producer(Heartbeat beat, long seenMs, Set<String> groups) {
    ClientInfo info(long offsetMs) {
      return new ClientInfo(
          beat.loop(), beat.connectionId(), beat.clientId(), beat.remote(), beat.language(), beat.version(), seenMs + offsetMs);
    }
  }
}
