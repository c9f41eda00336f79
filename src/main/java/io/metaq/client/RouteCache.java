package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes of the topics in use. A route that is old is used once more while a new one is fetched; a fetch that fails leaves the old one.
 * Holds at most {@value #MAX_TOPICS} topics, those used last, and beside them all that are read.
 */
@OwnedBy("its client's context")
final class RouteCache {
  private static final Logger log = LoggerFactory.getLogger(RouteCache.class);
  static final int MAX_TOPICS = 4096;
  private static final long FRESH_NS = 30_000_000_000L;
  private static final long PROVISIONAL_FRESH_NS = 1_000_000_000L;

  /** At least so long between two fetches that failures ask for. */
  private static final long SUSPECT_FRESH_NS = 500_000_000L;

  private final Home home;
  private final NameServers nameServers;
  private final Map<String, Cached> entries = new LinkedHashMap<>(16, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Cached> eldest) {
      return size() > MAX_TOPICS;
    }
  };
  private final Map<String, Cached> read = new HashMap<>();
  private final Map<String, Integer> readers = new HashMap<>();
  private final Map<String, Future<Optional<Route>>> fetching = new HashMap<>();

  private record Cached(Route route, long fetchedNs) {}

  RouteCache(Home home, NameServers nameServers) {
    this.home = home;
    this.nameServers = nameServers;
  }

  /** Keeps the route of a topic, however many others are used, until {@link #release} is called as often. */
  void retain(String topic) {
    readers.merge(topic, 1, Integer::sum);
    Cached known = entries.remove(topic);
    if (known != null) {
      read.put(topic, known);
    }
  }

  void release(String topic) {
    if (readers.merge(topic, -1, Integer::sum) <= 0) {
      readers.remove(topic);
      Cached known = read.remove(topic);
      if (known != null) {
        entries.put(topic, known);
      }
    }
  }

  /** The route if it is known now, else null: the way without a future for those who send often. Renews it when it is old. */
  Route ready(String topic) {
    return ready(topic, home.clock().nanos());
  }

  /** As {@link #ready(String)}, for those who have just looked at the clock. */
  Route ready(String topic, long nowNs) {
    Cached entry = known(topic);
    if (entry == null) {
      return null;
    }
    long ageNs = nowNs - entry.fetchedNs;
    if (ageNs > (entry.route.provisional() ? PROVISIONAL_FRESH_NS : FRESH_NS)) {
      renew(topic);
    }
    return entry.route;
  }

  /** Where to send to a topic: its route, or for an unknown topic the template's. Fails with {@code NO_ROUTE} when neither exists, as {@link #orFail}. */
  Future<Route> forSending(String topic) {
    Route known = ready(topic);
    if (known != null) {
      return Future.succeededFuture(known);
    }
    return fetch(topic)
        .compose(
            found -> {
              if (found.isPresent()) {
                return Future.succeededFuture(found.get());
              }
              return fetchTemplate(topic);
            });
  }

  /** The route of a topic as it is known, or fetched when it is not; empty when the topic does not exist (yet). */
  Future<Optional<Route>> forReading(String topic) {
    Route known = ready(topic);
    return known != null && !known.provisional() ? Future.succeededFuture(Optional.of(known)) : fetch(topic);
  }

  /**
   * What was found or, when there is none, a failure: the one that is given; but {@code NO_BROKER} while no broker is registered at all, for
   * then nobody says which topics there are.
   */
  <T> Future<T> orFail(Optional<T> found, Supplier<MetaqException> unknown) {
    return found.map(Future::succeededFuture).orElseGet(() -> nameServers.cluster().map(cluster -> cluster.brokers().isEmpty())
        .otherwise(false)
        .compose(nobody -> Future.failedFuture(nobody
            ? MetaqException.of(MetaqException.Reason.NO_BROKER, "no broker is registered at the name servers " + nameServers.addresses())
            : unknown.get())));
  }

  /** Fetches the route now. One fetch at a time for each topic. */
  Future<Optional<Route>> fetch(String topic) {
    Future<Optional<Route>> running = fetching.get(topic);
    if (running != null) {
      return running;
    }
    Future<Optional<Route>> started =
        nameServers
            .route(topic)
            .map(
                told -> {
                  Optional<Route> route = told.map(data -> Route.of(topic, data));
                  route.or(() -> Optional.ofNullable(known(topic)).map(Cached::route)).ifPresent(this::keep);
                  return route;
                });
    if (!started.isComplete()) {
      fetching.put(topic, started);
      started.onComplete(done -> fetching.remove(topic));
    }
    return started;
  }

  /** Says that a broker of this route did not answer: the route is fetched again, unless that was done a moment ago. */
  void suspect(String topic) {
    Cached entry = known(topic);
    if (entry != null && home.clock().nanos() - entry.fetchedNs > SUSPECT_FRESH_NS) {
      renew(topic);
    }
  }

  /** Whether a route names this address. */
  boolean names(Address broker) {
    return Stream.concat(entries.values().stream(), read.values().stream())
        .anyMatch(entry -> entry.route.addresses().anyMatch(broker::equals));
  }

  private Future<Route> fetchTemplate(String topic) {
    return nameServers
        .route(Topics.TEMPLATE)
        .compose(template -> orFail(template.map(data -> Route.fromTemplate(topic, data)), () -> unknown(topic)))
        .onSuccess(this::keep);
  }

  private void renew(String topic) {
    if (!fetching.containsKey(topic)) {
      fetch(topic).onFailure(failure -> log.debug("route not renewed topic={} cause={}", topic, failure.getMessage()));
    }
  }

  private void keep(Route route) {
    (readers.containsKey(route.topic()) ? read : entries).put(route.topic(), new Cached(route, home.clock().nanos()));
  }

  private Cached known(String topic) {
    Cached found = read.get(topic);
    return found == null ? entries.get(topic) : found;
  }

  private static MetaqException unknown(String topic) {
    return MetaqException.of(
        MetaqException.Reason.NO_ROUTE, "the topic '" + topic + "' does not exist and no broker creates topics by itself");
  }
}
