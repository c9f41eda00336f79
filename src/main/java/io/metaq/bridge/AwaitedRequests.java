package io.metaq.bridge;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which request of a connection is served, and until when it may come.
 *
 * <p>Connections from which a whole request is awaited stand here. One that does not get it together in time is ended, however busily it trickles:
 * else a few bytes a minute would hold a connection, and the part of a body that came, for ever.
 *
 * <p>A request whose body comes in chunks is the last of its connection: where it had a {@code Content-Length} too, which is gone by now, a
 * proxy in front may have gone by that, and take what follows for another request than we would. It is the last, too, of a connection over the bound.
 */
@OwnedBy("BridgeVerticle")
final class AwaitedRequests {
  private final Alarm alarm;
  private final Clock clock;
  private final long limitMs;
  private final Connections connections;
  /** In the order in which they are due. */
  private final Map<HttpConnection, Awaited> awaited = new LinkedHashMap<>();
  private boolean looking;

  /** @param response of the request whose head is here; empty while there is none */
  private record Awaited(long dueNs, Optional<HttpServerResponse> response) {}

  /** @param connections hear of all that open and end */
  AwaitedRequests(Alarm alarm, Clock clock, long limitMs, Connections connections) {
    this.alarm = alarm;
    this.clock = clock;
    this.limitMs = limitMs;
    this.connections = connections;
  }

  /** A connection is open; its first request may come. */
  void opened(HttpConnection connection) {
    if (!connections.opened(connection)) {
      connection.close();
      return;
    }
    connection.closeHandler(gone -> {
      connections.gone(connection);
      awaited.remove(connection);
    });
    await(connection, Optional.empty());
  }

  /**
   * The head of a request is here: its body has as long as the head had. Once it is answered, the next one is awaited.
   *
   * @return false when its connection has had its last request, and so nothing shall come of this one
   */
  boolean begun(HttpServerRequest request) {
    HttpConnection connection = request.connection();
    if (connections.isEnding(connection)) {
      return false;
    }
    HttpServerResponse response = request.response();
    if (request.headers().contains("Transfer-Encoding") || connections.isSpare(connection)) {
      connections.endAfterThis(connection);
      response.putHeader("Connection", "close");
    }
    await(connection, Optional.of(response));
    // Answered before it is whole, its rest is awaited together with the next one. What becomes a WebSocket is never answered.
    Promise<Void> answered = Promise.promise();
    response.endHandler(answered::complete);
    answered.future().onSuccess(done -> answered(connection));
    request.end().onComplete(whole -> {
      if (!answered.future().isComplete()) {
        awaited.remove(connection);
      }
    });
    return true;
  }

  private void answered(HttpConnection connection) {
    if (connections.isEnding(connection)) {
      connection.close();
    } else {
      await(connection, Optional.empty());
    }
  }

  private void await(HttpConnection connection, Optional<HttpServerResponse> response) {
    awaited.remove(connection);
    awaited.put(connection, new Awaited(clock.nanos() + limitMs * 1_000_000, response));
    if (!looking) {
      lookIn(limitMs);
    }
  }

  private void lookIn(long delayMs) {
    looking = true;
    alarm.set(delayMs, this::look);
  }

  /** To end one changes what is awaited. So all that are due are taken out first, and the next look is planned, before any is ended. */
  private void look() {
    looking = false;
    Map<HttpConnection, Awaited> due = takeDue(clock.nanos());
    awaited.values().stream().findFirst().ifPresent(first -> lookIn((first.dueNs - clock.nanos()) / 1_000_000 + 1));
    due.forEach((connection, late) -> end(connection, late.response));
  }

  private Map<HttpConnection, Awaited> takeDue(long nowNs) {
    Map<HttpConnection, Awaited> due = new LinkedHashMap<>();
    for (Iterator<Map.Entry<HttpConnection, Awaited>> all = awaited.entrySet().iterator(); all.hasNext();) {
      Map.Entry<HttpConnection, Awaited> first = all.next();
      if (first.getValue().dueNs - nowNs > 0) {
        return due;
      }
      due.put(first.getKey(), first.getValue());
      all.remove();
    }
    return due;
  }

  private void end(HttpConnection connection, Optional<HttpServerResponse> begun) {
    Optional<HttpServerResponse> open = begun.filter(response -> !response.ended() && !response.headWritten());
    if (open.isEmpty()) {
      connection.close();
      return;
    }
    Answer tooSlow = Answer.problem(Fault.TOO_SLOW.because("the request did not come whole within " + limitMs / 1_000 + " s"));
    HttpDoor.write(tooSlow.with("Connection", "close"), open.get()).onComplete(done -> connection.close());
  }
}
