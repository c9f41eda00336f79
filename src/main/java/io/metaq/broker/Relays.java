package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * The requests that are under way from this broker to clients of one loop, on behalf of others.
 *
 * <p>Bound: {@value #MAX_WAITING} that wait for an answer, and none is added to a connection with {@value #MAX_UNSENT_BYTES} bytes that
 * its client has not taken. Each ends with its time-out or its connection.
 */
@OwnedBy("its event loop")
final class Relays {
  static final int MAX_WAITING = 1_024;
  static final long MAX_UNSENT_BYTES = 4 * 1024 * 1024;

  private final LoopConnections connections;
  private int waiting;

  Relays(LoopConnections connections) {
    this.connections = connections;
  }

  /** Sends a request to its client; the future never fails. */
  Future<Relay.Outcome> send(Relay relay) {
    Optional<Connection> connection = connections.find(relay.connectionId()).filter(Connection::isOpen);
    if (connection.isEmpty()) {
      return ended(Relay.End.GONE, "its connection has ended");
    }
    if (connection.get().unsentBytes() > MAX_UNSENT_BYTES) {
      return ended(Relay.End.REFUSED, "it does not take what was sent to it before");
    }
    if (relay.command().oneway()) {
      connection.get().write(relay.command());
      return ended(Relay.End.SENT, "");
    }
    if (waiting >= MAX_WAITING) {
      return ended(Relay.End.REFUSED, waiting + " requests wait for answers of clients already");
    }
    waiting++;
    return connection.get().request(relay.command(), relay.timeoutMs())
        .map(Relays::answered)
        .otherwise(Relays::failed)
        .onComplete(end -> waiting--);
  }

  private static Relay.Outcome answered(RemotingCommand answer) {
    return new Relay.Outcome(Relay.End.ANSWERED, answer, "");
  }

  private static Relay.Outcome failed(Throwable failure) {
    Relay.End end = failure instanceof TimeoutException ? Relay.End.TIMED_OUT : Relay.End.GONE;
    return new Relay.Outcome(end, null, failure.getMessage());
  }

  private static Future<Relay.Outcome> ended(Relay.End end, String detail) {
    return Future.succeededFuture(new Relay.Outcome(end, null, detail));
  }
}
