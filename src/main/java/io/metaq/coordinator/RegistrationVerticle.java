package io.metaq.coordinator;

import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.NameServerState.Phase;
import io.metaq.coordinator.api.MasterAddress;
import io.metaq.coordinator.api.RegistrationProxy;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.Backoff;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.net.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Makes the broker known: registers its whole topic table at every name server at start and periodically, and at once a topic that
 * changed, or the table when one was deleted. EVENT_LOOP x1; deployed when the broker accepts requests, after TopicCoordinatorVerticle.
 * Name servers are independent: one that does not answer delays neither the others nor anybody else. A slave learns from the answers
 * where its master is, and asks more often until it knows. On stop the broker takes its registrations back.
 */
@OwnedBy("itself")
public final class RegistrationVerticle extends VerticleBase {
  /** Where {@link TopicsDelta}s are told to, without being answered. */
  public static final String TOPICS = "metaq.registration.topics";

  private static final long SHORTEST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 10_000;
  private static final long SHORTEST_SEARCH_PAUSE_MS = 500;

  private final RegistrationOptions options;
  private final Clock clock;
  private final RandomGenerator random;
  private final RegistrationTable table;
  private final List<NameServerLink> links = new ArrayList<>();
  private final Promise<Void> registered = Promise.promise();
  private final Backoff masterSearch;
  private RegistrationWaiters waiters;
  private long periodTimer = -1;
  private long searchTimer = -1;
  private Optional<MasterAddress> master = Optional.empty();
  /** Published for other threads. */
  private volatile List<NameServerState> states = List.of();

  /** @param random spreads the tries of many brokers after a name server's restart */
  public RegistrationVerticle(RegistrationOptions options, Clock clock, RandomGenerator random) {
    this.options = options;
    this.clock = clock;
    this.random = random;
    this.table = new RegistrationTable(options);
    this.masterSearch = new Backoff(SHORTEST_SEARCH_PAUSE_MS, LONGEST_PAUSE_MS, random);
  }

  /** Completes when the broker was registered once with one name server, or has none; never fails. For any thread. */
  public Future<Void> registered() {
    return registered.future();
  }

  /** How the broker stands with each name server, in the order of the list. For any thread. */
  public List<NameServerState> states() {
    return states;
  }

  @Override
  public Future<?> start() {
    waiters = new RegistrationWaiters(vertx);
    vertx.eventBus().localConsumer(RegistrationProxy.AWAIT, Guard.replying("await registration", this::await));
    vertx.eventBus().localConsumer(RegistrationProxy.PERMIT, Guard.<Integer>logged("permission to register", this::permit));
    vertx.eventBus().localConsumer(RegistrationProxy.ROUTE, Guard.replying("route", this::route));
    vertx.eventBus().localConsumer(TOPICS, Guard.<TopicsDelta>logged("topics to register", this::changed));
    return new TopicsProxy(vertx).snapshot().onSuccess(snapshot -> {
      table.apply(snapshot);
      connect();
    });
  }

  private void connect() {
    for (HostAndPort server : options.nameServers()) {
      Backoff backoff = new Backoff(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, random);
      links.add(new NameServerLink(vertx, server, options.timeoutMs(), table, clock, backoff, this::publish, this::masterIs));
    }
    links.forEach(NameServerLink::connect);
    periodTimer = vertx.setPeriodic(options.periodMs(), tick -> links.forEach(NameServerLink::register));
    if (links.isEmpty()) {
      registered.complete();
    } else if (options.brokerId() > 0) {
      searchMaster();
    }
  }

  /** The answer to the first registration may come before the master's own. */
  private void searchMaster() {
    searchTimer = vertx.setTimer(masterSearch.nextMs(), over -> {
      if (master.isEmpty()) {
        links.forEach(NameServerLink::register);
        searchMaster();
      }
    });
  }

  /** The newest word counts; where a name server takes its word back, that of another does, if nobody else says the same. */
  private void masterIs(Optional<MasterAddress> told) {
    Optional<MasterAddress> next = told.or(this::stillSaid);
    if (next.isPresent() && !next.equals(master)) {
      master = next;
      vertx.eventBus().publish(BusAddress.MASTER, next.get(), LocalBus.LOCAL);
    }
  }

  private Optional<MasterAddress> stillSaid() {
    List<MasterAddress> said = links.stream().flatMap(link -> link.lastMaster().stream()).toList();
    return master.filter(said::contains).or(() -> said.stream().findFirst());
  }

  private void await(Message<Long> message) {
    Promise<Boolean> promise = Promise.promise();
    promise.future().onSuccess(held -> message.reply(held, LocalBus.LOCAL));
    waiters.add(table.revision(), message.body(), promise);
    settle();
  }

  private void route(Message<String> message) {
    Future<Optional<byte[]>> route = links.stream().filter(NameServerLink::registered).findFirst()
        .map(link -> link.route(message.body()))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    route.onComplete(
        found -> message.reply(found, LocalBus.LOCAL),
        failure -> message.reply(Optional.<byte[]>empty(), LocalBus.LOCAL));
  }

  private void settle() {
    waiters.settle(revision -> links.isEmpty() || links.stream().anyMatch(link -> link.holds(revision)));
  }

  private void permit(int permission) {
    table.permit(permission, clock.millis());
    links.forEach(NameServerLink::register);
  }

  private void changed(TopicsDelta delta) {
    table.apply(delta);
    links.forEach(NameServerLink::registerChanges);
  }

  private void publish() {
    states = links.stream().map(NameServerLink::state).toList();
    if (states.stream().anyMatch(state -> state.phase() == Phase.REGISTERED)) {
      registered.tryComplete();
    }
    settle();
  }

  @Override
  public Future<?> stop() {
    vertx.cancelTimer(periodTimer);
    vertx.cancelTimer(searchTimer);
    return Future.join(links.stream().map(NameServerLink::stop).toList());
  }
}
