package io.metaq.bridge;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP, Server-Sent Events and WebSocket on one port, for a cluster that is reached by a client of its own. What serves requests is
 * made when the first one comes, on a worker: a broker that nobody asks over HTTP neither waits for it at its start nor carries it.
 */
@OwnedBy("BridgeVerticle")
public final class BridgeVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(BridgeVerticle.class);
  private static final long ANSWER_MARGIN_MS = 5_000;
  private static final int CUT_OFF_BYTES = 1 << 20;

  private final BridgeOptions options;
  private final Clock clock;
  private final Connections connections;
  private final Maker maker;
  private HttpServer server;
  private Future<BridgeService> service;

  /** As {@link BridgeService#make}. */
  interface Maker {
    BridgeService make(Vertx vertx, BridgeOptions options, Connections connections, Clock clock);
  }

  public BridgeVerticle(BridgeOptions options, Clock clock) {
    this(options, clock, BridgeService::make);
  }

  BridgeVerticle(BridgeOptions options, Clock clock, Maker maker) {
    this.options = options;
    this.clock = clock;
    this.maker = maker;
    this.connections = new Connections(options.limits().maxConnections(), clock);
  }

  @Override
  public Future<?> start() {
    AwaitedRequests requests = new AwaitedRequests(Alarm.of(vertx), clock, options.limits().requestMs(), connections);
    server = vertx.createHttpServer(serverOptions()).connectionHandler(requests::opened).invalidRequestHandler(UnreadableRequest::refuse)
        .requestHandler(request -> {
          if (requests.begun(request)) {
            serve(request);
          }
        });
    return server.listen();
  }

  /** Connections end first. What is being made to serve them is awaited, so that nothing of it stays. */
  @Override
  public Future<?> stop() {
    return server.close().eventually(() -> service == null ? Future.succeededFuture()
        : service.transform(made -> made.succeeded() ? made.result().close() : Future.succeededFuture()));
  }

  private HttpServerOptions serverOptions() {
    return new HttpServerOptions()
        .setHost(options.host())
        .setPort(options.port())
        .setHttp2ClearTextEnabled(false)
        .setMaxInitialLineLength(UnreadableRequest.MAX_LINE_BYTES)
        .setMaxHeaderSize(UnreadableRequest.MAX_HEADER_BYTES)
        // Also of a reader that takes nothing of what is written: then nothing moves either.
        .setIdleTimeout((int) Math.max(options.limits().stalledMs(), options.limits().maxWaitMs() + ANSWER_MARGIN_MS))
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setWebSocketSubProtocols(List.of(WebSocketSession.PROTOCOL))
        // Over its limit the session closes in good order; this much over it, the connection is cut.
        .setMaxWebSocketFrameSize(options.maxFrameBytes() + CUT_OFF_BYTES)
        .setMaxWebSocketMessageSize(options.maxFrameBytes() + CUT_OFF_BYTES)
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false);
  }

  private void serve(HttpServerRequest request) {
    if (service != null && service.succeeded()) {
      service.result().serve(request);
      return;
    }
    if (service == null) {
      service = context.executeBlocking(() -> maker.make(vertx, options, connections, clock), false);
    }
    request.pause();
    service.onSuccess(made -> {
      made.serve(request);
      request.resume();
    }).onFailure(failure -> {
      log.error("the bridge cannot serve requests, the next one has it made anew", failure);
      service = null;
      BridgeException problem = Fault.UNAVAILABLE.because("what serves requests could not be made: " + failure.getMessage());
      HttpDoor.write(Answer.problem(problem).with("Connection", "close"), request.response())
          .onComplete(done -> request.connection().close());
    });
  }
}
