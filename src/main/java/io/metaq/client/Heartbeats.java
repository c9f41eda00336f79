package io.metaq.client;

import io.metaq.codec.client.HeartbeatBody;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells brokers which groups this client sends and reads in: every 30 s, at once on a new connection, and when something changed. It
 * never depends on anyone's demand.
 */
@OwnedBy("its client's context")
final class Heartbeats {
  private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);
  private static final long PERIOD_MS = 30_000;

  private final Home home;
  private final Links links;
  private final Predicate<Address> isBroker;
  private final long timeoutMs;
  private final Supplier<HeartbeatBody> body;
  private final Map<Address, Told> told = new HashMap<>();
  private long changes;
  private long timer = -1;

  /** What a broker was told last, and whether it has heard it. */
  private record Told(Link link, long changes, Future<Void> heard) {}

  /**
   * Begins to listen for new connections.
   *
   * @param isBroker whether an address is a broker's and no name server's
   * @param body what there is to tell now
   */
  Heartbeats(Home home, Links links, Predicate<Address> isBroker, long timeoutMs, Supplier<HeartbeatBody> body) {
    this.home = home;
    this.links = links;
    this.isBroker = isBroker;
    this.timeoutMs = timeoutMs;
    this.body = body;
    links.onConnected(this::connected);
  }

  /** Something changed: the next {@link #ensure} tells everyone anew. */
  void changed() {
    changes++;
  }

  /** Completes when the broker knows the latest; asks nothing when it does already. */
  Future<Void> ensure(Address broker) {
    return links.to(broker).compose(link -> {
      Told last = told.get(broker);
      boolean current = last != null && last.link == link && last.changes == changes && !last.heard.failed();
      return current ? last.heard : beat(link);
    });
  }

  /** Tells a broker again whatever it was told before. */
  void repeat(Address broker) {
    told.remove(broker);
    ensure(broker).onFailure(failure -> log.debug("heartbeat failed broker={} cause={}", broker, failure.getMessage()));
  }

  /** Tells every broker there is a connection to that this client is no member of a group any more; completes when all were told. */
  Future<Void> unregister(String clientId, String group) {
    List<Future<RemotingCommand>> answers =
        brokerLinks()
            .map(
                link ->
                    link.call(
                        RemotingCommand.request(RequestCode.UNREGISTER_CLIENT).ext("clientID", clientId).ext("consumerGroup", group),
                        timeoutMs))
            .toList();
    return answers.isEmpty() ? Future.succeededFuture() : Future.join(answers).transform(ignored -> Future.succeededFuture());
  }

  void stop() {
    home.cancel(timer);
  }

  private void connected(Link link) {
    if (isBroker.test(link.address())) {
      beat(link);
    }
  }

  private void beatAll() {
    told.values().removeIf(last -> !last.link.isOpen());
    brokerLinks().forEach(this::beat);
  }

  private Stream<Link> brokerLinks() {
    return links.all().stream().filter(link -> isBroker.test(link.address()));
  }

  private Future<Void> beat(Link link) {
    HeartbeatBody now = body.get();
    if (isEmpty(now)) {
      return Future.succeededFuture();
    }
    if (timer < 0) {
      timer = home.every(PERIOD_MS, this::beatAll);
    }
    Future<Void> heard =
        link.call(RemotingCommand.request(RequestCode.HEART_BEAT).body(now.encode()), timeoutMs)
            .compose(
                answer ->
                    answer.code() == ResultCode.SUCCESS.wire()
                        ? Future.succeededFuture()
                        : Future.failedFuture(
                            MetaqException.refused(link.address().toString(), answer.code(), answer.remark())));
    told.put(link.address(), new Told(link, changes, heard));
    return heard;
  }

  private static boolean isEmpty(HeartbeatBody now) {
    return now.producerGroups().isEmpty() && now.consumers().isEmpty();
  }
}
