package io.metaq.messaging;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.model.OwnedBy;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of one application. Channels of one connection share one, so that all topics of a group are read by one member; only a
 * second channel that reads the same topic in the same group has to be a member of its own.
 */
@OwnedBy("its monitor")
final class Clients {
  private static final Logger log = LoggerFactory.getLogger(Clients.class);

  private final Vertx vertx;
  private final Function<String, MetaqClientOptions> named;
  private final Map<Connection, List<Shared>> clients = new HashMap<>();

  private record Shared(MetaqClient client, Set<Reading> readings) {}

  private record Reading(Optional<String> group, String topic) {}

  /** @param named gives the options with an identifier */
  Clients(Vertx vertx, Function<String, MetaqClientOptions> named) {
    this.vertx = vertx;
    this.named = named;
  }

  synchronized MetaqClient forSending(Connection connection) {
    List<Shared> shared = clients.computeIfAbsent(connection, unused -> new ArrayList<>());
    return (shared.isEmpty() ? opened(connection, shared) : shared.get(0)).client();
  }

  synchronized MetaqClient forReading(Connection connection, Optional<String> group, String topic) {
    Reading reading = new Reading(group, topic);
    List<Shared> shared = clients.computeIfAbsent(connection, unused -> new ArrayList<>());
    Shared free = shared.stream()
        .filter(one -> group.isEmpty() || !one.readings().contains(reading))
        .findFirst()
        .orElseGet(() -> opened(connection, shared));
    free.readings().add(reading);
    return free.client();
  }

  /** Closes all of them and waits for it, so long at most. */
  synchronized void close(Duration limit) {
    List<Uni<Void>> ends = new ArrayList<>();
    clients.values().forEach(shared -> shared.forEach(one -> ends.add(one.client().close())));
    clients.clear();
    if (ends.isEmpty()) {
      return;
    }
    try {
      Uni.join().all(ends).andCollectFailures().await().atMost(limit);
    } catch (RuntimeException failure) {
      log.warn("clients did not close in order; brokers will notice by themselves", failure);
    }
  }

  private Shared opened(Connection connection, List<Shared> shared) {
    Shared one = new Shared(MetaqClient.create(vertx, connection.options(named)), new HashSet<>());
    shared.add(one);
    return one;
  }
}
