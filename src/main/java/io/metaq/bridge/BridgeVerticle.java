package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
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
  private static final String PRODUCER_GROUP = "metaq-bridge";
  private static final int MAX_LINE_BYTES = 16 << 10;
  /** A reader's position over all queues of a large topic comes in one. */
  private static final int MAX_HEADER_BYTES = 96 << 10;
  private static final long ANSWER_MARGIN_MS = 5_000;
  private static final int CUT_OFF_BYTES = 1 << 20;
  private static final long SWEEP_MS = 500;

  private final BridgeOptions options;
  private final Clock clock;
  private MetaqClient client;
  private Readings readings;
  private HttpServer server;
  private Future<Router> router;

  public BridgeVerticle(BridgeOptions options, Clock clock) {
    this.options = options;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    client = MetaqClient.create(vertx, new MetaqClientOptions()
        .setNameServers(options.nameServers()).setProducerGroup(PRODUCER_GROUP).setMaxBodyBytes(options.maxBodyBytes()));
    readings = new Readings(vertx, client, options.limits(), clock);
    vertx.setPeriodic(SWEEP_MS, tick -> readings.sweep());
    server = vertx.createHttpServer(serverOptions()).requestHandler(this::serve).invalidRequestHandler(BridgeVerticle::refuse);
    return server.listen();
  }

  /** Connections end first, then what their subscribers had open goes back, and last the client leaves its groups. */
  @Override
  public Future<?> stop() {
    return server.close().eventually(readings::settled).eventually(() -> Unis.future(client.close()));
  }

  private HttpServerOptions serverOptions() {
    return new HttpServerOptions()
        .setHost(options.host())
        .setPort(options.port())
        .setHttp2ClearTextEnabled(false)
        .setMaxInitialLineLength(MAX_LINE_BYTES)
        .setMaxHeaderSize(MAX_HEADER_BYTES)
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
    if (router != null && router.succeeded()) {
      router.result().handle(request);
      return;
    }
    if (router == null) {
      router = vertx.executeBlocking(this::makeRouter, false);
    }
    request.pause();
    router.onSuccess(made -> {
      made.handle(request);
      request.resume();
    }).onFailure(failure -> {
      log.error("the bridge cannot serve requests", failure);
      request.connection().close();
    });
  }

  /** What cannot be read as a request. Where the next one would begin is not known either. */
  private static void refuse(HttpServerRequest unreadable) {
    Answer problem = Answer.problem(Fault.INVALID.because("the request breaks the rules of HTTP, or its first line has more than "
        + MAX_LINE_BYTES + " bytes, or its headers more than " + MAX_HEADER_BYTES));
    HttpDoor.write(problem.with("Connection", "close"), unreadable.response()).onComplete(done -> unreadable.connection().close());
  }

  private Router makeRouter() {
    AnswerCounts answers = new AnswerCounts();
    return new HttpDoor(
        Routes.of(vertx, client, readings, answers, options, clock), new RequestGuard(options), options.maxFrameBytes(), answers::add)
        .router(vertx);
  }
}
