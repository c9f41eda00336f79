package io.metaq.bridge;

import io.metaq.model.Clock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET /v1/ws}: makes a WebSocket of the request. */
final class WebSocketEndpoint implements Endpoint {
  private static final Logger log = LoggerFactory.getLogger(WebSocketEndpoint.class);
  private static final String VERSION = "13";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");

  private final Vertx vertx;
  private final Sender sender;
  private final Readings readings;
  private final Watches watches;
  private final BridgeLimits limits;
  private final int maxFrameBytes;
  private final Connections connections;
  private final IncomingBytes incoming;
  private final Clock clock;

  WebSocketEndpoint(
      Vertx vertx, Sender sender, Readings readings, Watches watches, BridgeLimits limits, int maxFrameBytes,
      Connections connections, IncomingBytes incoming, Clock clock) {
    this.vertx = vertx;
    this.sender = sender;
    this.readings = readings;
    this.watches = watches;
    this.limits = limits;
    this.maxFrameBytes = maxFrameBytes;
    this.connections = connections;
    this.incoming = incoming;
    this.clock = clock;
  }

  /** A client that names subprotocols must name ours among them. */
  @Override
  public Future<Answer> serve(Call call) {
    if (!"websocket".equalsIgnoreCase(call.header("Upgrade").orElse(""))) {
      throw Fault.INVALID.because("this path is for WebSockets: the header Upgrade: websocket is missing");
    }
    if (!upgrades(call)) {
      throw Fault.INVALID.because("the handshake lacks the header Connection: Upgrade");
    }
    if (!call.header("Sec-WebSocket-Version").orElse("").equals(VERSION)) {
      throw Fault.INVALID.because("the header Sec-WebSocket-Version must be " + VERSION);
    }
    if (!KEY.matcher(call.header("Sec-WebSocket-Key").orElse("")).matches()) {
      throw Fault.INVALID.because("the header Sec-WebSocket-Key must be 16 bytes in Base64");
    }
    List<String> protocols = List.of(call.header("Sec-WebSocket-Protocol").orElse(WebSocketSession.PROTOCOL).split("\\s*,\\s*"));
    if (!protocols.contains(WebSocketSession.PROTOCOL)) {
      throw Fault.INVALID.because("the subprotocol must be " + WebSocketSession.PROTOCOL);
    }
    HttpConnection connection = call.request().connection();
    return call.request().toWebSocket().recover(refused -> {
      // By the HTTP server, that looks at the head again, or because the connection is gone.
      log.debug("no websocket remote={} cause={}", call.request().remoteAddress(), refused.getMessage());
      return Future.failedFuture(Fault.INVALID.because("the handshake breaks the rules of WebSocket"));
    }).map(socket -> {
      new WebSocketSession(vertx, socket, sender, readings, watches, limits, maxFrameBytes, incoming, clock,
          () -> connections.gone(connection));
      return Answer.TAKEN_OVER;
    });
  }

  /** Of the words of the header, which may stand in several lines, one is that. */
  private static boolean upgrades(Call call) {
    return call.headers().getAll("Connection").stream().flatMap(line -> Stream.of(line.split(",")))
        .anyMatch(word -> word.trim().equalsIgnoreCase("upgrade"));
  }
}
