package io.metaq.client;

import io.metaq.codec.registry.ClusterInfo;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this client known at every master of the cluster, not only at those it sends to: each of them may have a question about a
 * transaction, or a reply. Looks for new ones, and for those that came back, every 5 s once it was needed.
 */
@OwnedBy("its client's context")
final class ClusterPresence {
  private static final Logger log = LoggerFactory.getLogger(ClusterPresence.class);
  private static final long LOOK_MS = 5000;

  private final Home home;
  private final NameServers nameServers;
  private final Heartbeats heartbeats;
  private final Set<Address> silent = new HashSet<>();
  private Set<Address> masters = Set.of();
  private Future<Void> lastLook;
  private long timer = -1;
  private boolean stopped;

  ClusterPresence(Home home, NameServers nameServers, Heartbeats heartbeats) {
    this.home = home;
    this.nameServers = nameServers;
    this.heartbeats = heartbeats;
  }

  /**
   * Completes when every master that can be reached knows what this client says of itself now. Never fails: what cannot be told now
   * is told later.
   */
  Future<Void> everywhere() {
    if (stopped) {
      return Future.succeededFuture();
    }
    if (timer < 0) {
      timer = home.every(LOOK_MS, this::look);
    }
    // One that did not answer when it was looked for last is not waited for by everyone who comes.
    return masters.isEmpty() ? look() : tell(masters.stream().filter(master -> !silent.contains(master)));
  }

  /** Whether this is the address of a master that was seen. */
  boolean names(Address address) {
    return masters.contains(address);
  }

  void stop() {
    stopped = true;
    home.cancel(timer);
  }

  /** One look at a time. */
  private Future<Void> look() {
    if (lastLook == null || lastLook.isComplete()) {
      lastLook =
          nameServers
              .cluster()
              .transform(
                  seen -> {
                    if (seen.succeeded()) {
                      masters = masters(seen.result());
                      silent.retainAll(masters);
                    } else {
                      log.debug("brokers not looked for cause={}", seen.cause().getMessage());
                    }
                    return tell(masters.stream());
                  });
    }
    return lastLook;
  }

  private Future<Void> tell(Stream<Address> some) {
    List<Future<Void>> told = some.map(this::tell).toList();
    return told.isEmpty() ? Future.succeededFuture() : Future.join(told).transform(done -> Future.succeededFuture());
  }

  private Future<Void> tell(Address master) {
    return heartbeats.ensure(master).onSuccess(heard -> silent.remove(master)).onFailure(failure -> silent.add(master));
  }

  private static Set<Address> masters(ClusterInfo cluster) {
    return cluster.brokers().stream()
        .flatMap(broker -> broker.masterAddress().flatMap(Address::find).stream())
        .collect(Collectors.toUnmodifiableSet());
  }
}
