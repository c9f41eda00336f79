package io.metaq.coordinator;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.NameServerState.Phase;
import io.metaq.coordinator.api.MasterAddress;
import io.metaq.model.Backoff;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.RemotingLink;
import io.metaq.net.RemotingLinkOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.HostAndPort;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The long connection to one name server. Registers whenever it is told to, one request at a time: whole tables asked for meanwhile are
 * folded into the next, changes of topics follow one by one. Whatever goes wrong is tried again after a pause; nobody waits for it.
 */
@OwnedBy("RegistrationVerticle")
final class NameServerLink {
  private static final Logger log = LoggerFactory.getLogger(NameServerLink.class);
  private static final RemotingLinkOptions LINK = RemotingLinkOptions.defaults();
  private static final long FAREWELL_TIMEOUT_MS = 1_000;
  private static final long NONE = -1;

  private final Vertx vertx;
  private final HostAndPort server;
  private final long timeoutMs;
  private final RegistrationTable table;
  private final Clock clock;
  private final Backoff backoff;
  private final Runnable changed;
  private final Consumer<Optional<MasterAddress>> master;

  private Phase phase = Phase.CONNECTING;
  private long registeredAtMs;
  private String fault = "";
  private int failures;
  private long pauseTimer = -1;
  private long askedRevision;
  private long acceptedRevision = NONE;
  private Optional<MasterAddress> lastMaster = Optional.empty();
  /** Null while not connected. */
  private RemotingLink link;
  private boolean asking;
  private boolean wholeWanted;

  /**
   * @param changed called after each change of {@link #state()} and each registration
   * @param master hears where this broker's master is, whenever this name server says something new about it; empty when it knows none
   *     any more
   */
  NameServerLink(
      Vertx vertx, HostAndPort server, long timeoutMs, RegistrationTable table, Clock clock, Backoff backoff, Runnable changed,
      Consumer<Optional<MasterAddress>> master) {
    this.vertx = vertx;
    this.server = server;
    this.timeoutMs = timeoutMs;
    this.table = table;
    this.clock = clock;
    this.backoff = backoff;
    this.changed = changed;
    this.master = master;
  }

  NameServerState state() {
    return new NameServerState(server, phase, registeredAtMs, fault);
  }

  /** Where this broker's master is by the last answer; stays while the name server does not answer. */
  Optional<MasterAddress> lastMaster() {
    return lastMaster;
  }

  /** Whether the name server holds the table as it was at that revision, or a newer one, as far as can be known from here. */
  boolean holds(long revision) {
    return phase == Phase.REGISTERED && acceptedRevision >= revision;
  }

  boolean registered() {
    return phase == Phase.REGISTERED;
  }

  /** Where this name server says that the queues of a topic are; empty when it does not know. Only while {@link #registered()}. */
  Future<Optional<byte[]>> route(String topic) {
    return link.request(RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC).ext("topic", topic), timeoutMs)
        .map(answer -> answer.code() == ResultCode.SUCCESS.wire() ? Optional.of(answer.body()) : Optional.empty());
  }

  /** Connects and registers, now and after every loss. */
  void connect() {
    enter(Phase.CONNECTING);
    RemotingLink.connect(vertx, server.host(), server.port(), LINK)
        .onSuccess(this::connected).onFailure(this::pause);
  }

  private void connected(RemotingLink connected) {
    if (phase == Phase.STOPPED) {
      connected.close();
      return;
    }
    link = connected;
    asking = false;
    acceptedRevision = NONE;
    connected.closeFuture().onComplete(ended -> lost(connected, new IllegalStateException("it closed the connection")));
    enter(Phase.REGISTERING);
    register();
  }

  /** Registers the table as it is now; while not connected nothing, because that comes first then. */
  void register() {
    wholeWanted = true;
    ask();
  }

  /** Tells what changed in the table; what the name server has of the rest stands. */
  void registerChanges() {
    if (phase == Phase.REGISTERED) {
      ask();
    } else {
      register();
    }
  }

  private void ask() {
    if (link == null || asking) {
      return;
    }
    // Changes first: a whole table of a version that is new there would overwrite what operators did to routes.
    Optional<RemotingCommand> increment = table.increment(acceptedRevision + 1);
    asking = true;
    wholeWanted &= increment.isPresent();
    askedRevision = increment.isPresent() ? acceptedRevision + 1 : table.revision();
    RemotingLink asked = link;
    asked.request(increment.orElseGet(table::registration), timeoutMs)
        .onSuccess(answer -> answered(asked, answer))
        .onFailure(failure -> lost(asked, failure));
  }

  private void answered(RemotingLink asked, RemotingCommand answer) {
    if (asked != link) {
      return;
    }
    asking = false;
    if (answer.code() == ResultCode.SUCCESS.wire()) {
      accepted(answer);
    } else {
      refused(answer);
    }
  }

  private void accepted(RemotingCommand answer) {
    if (phase != Phase.REGISTERED) {
      log.info("registered at a name server server={} failedBefore={}", server, failures);
    }
    failures = 0;
    fault = "";
    backoff.reset();
    vertx.cancelTimer(pauseTimer);
    registeredAtMs = clock.millis();
    acceptedRevision = askedRevision;
    enter(Phase.REGISTERED);
    Optional<MasterAddress> told = masterIn(answer);
    if (!told.equals(lastMaster)) {
      lastMaster = told;
      master.accept(told);
    }
    if (wholeWanted || acceptedRevision < table.revision()) {
      ask();
    }
  }

  private static Optional<MasterAddress> masterIn(RemotingCommand answer) {
    Optional<String> broker = answer.text("masterAddr").filter(address -> !address.isEmpty());
    Optional<String> ha = answer.text("haServerAddr").filter(address -> !address.isEmpty());
    return broker.flatMap(address -> ha.map(haAddress -> new MasterAddress(address, haAddress)));
  }

  /** The connection stays: what it registered before may still stand, and closing it would take that back. */
  private void refused(RemotingCommand answer) {
    failed("it answered code " + answer.code() + ": " + answer.remark());
    acceptedRevision = NONE;
    tryAgain(this::register);
    enter(Phase.REFUSED);
  }

  /** Later, and once: whoever registers meanwhile, as often as the table changes, may be refused as well. */
  private void tryAgain(Runnable attempt) {
    vertx.cancelTimer(pauseTimer);
    pauseTimer = vertx.setTimer(backoff.nextMs(), over -> attempt.run());
  }

  /** The connection is of no use any more; the next one may be. */
  private void lost(RemotingLink lost, Throwable cause) {
    if (lost == link) {
      link = null;
      lost.close();
      pause(cause);
    }
  }

  private void pause(Throwable cause) {
    if (phase == Phase.STOPPED) {
      return;
    }
    failed(String.valueOf(cause.getMessage()));
    tryAgain(this::connect);
    enter(Phase.WAITING);
  }

  /** Notes what went wrong; the first time of a row is for people to see. */
  private void failed(String reason) {
    fault = reason;
    if (failures++ == 0) {
      log.warn("not registered at a name server, trying again server={} reason={}", server, reason);
    } else {
      log.debug("still not registered at a name server server={} failures={} reason={}", server, failures, reason);
    }
  }

  /** Takes the registration back where there is one, and ends; takes at most a second. */
  Future<Void> stop() {
    vertx.cancelTimer(pauseTimer);
    enter(Phase.STOPPED);
    if (link == null) {
      return Future.succeededFuture();
    }
    RemotingLink last = link;
    link = null;
    return last.request(table.farewell(), FAREWELL_TIMEOUT_MS).transform(answered -> {
      last.close();
      return Future.succeededFuture();
    });
  }

  private void enter(Phase next) {
    phase = next;
    changed.run();
  }
}
