package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.model.Clock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;

/** What serves requests: a client of the cluster, all that is read through it, and the routes in front. */
final class BridgeService {
  private static final String PRODUCER_GROUP = "metaq-bridge";
  private static final long SWEEP_MS = 500;

  private final MetaqClient client;
  private final Readings readings;
  private final Router router;

  private BridgeService(MetaqClient client, Readings readings, Router router) {
    this.client = client;
    this.readings = readings;
    this.router = router;
  }

  /** Call from a worker of the verticle's context: hundreds of classes come in for it. */
  static BridgeService make(Vertx vertx, BridgeOptions options, Connections connections, Clock clock) {
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions()
        .setNameServers(options.nameServers()).setProducerGroup(PRODUCER_GROUP).setMaxBodyBytes(options.maxBodyBytes()));
    Readings readings = new Readings(vertx, client, options.limits(), clock);
    AnswerCounts answers = new AnswerCounts();
    // One request must have room in any heap.
    IncomingBytes incoming = new IncomingBytes(Math.max(options.limits().maxIncomingBytes(), options.maxFrameBytes()));
    Router router = new HttpDoor(
        Routes.of(vertx, client, readings, answers, options, connections, incoming, clock), new RequestGuard(options), connections,
        options.maxFrameBytes(), incoming, answers::add)
        .router(vertx);
    vertx.setPeriodic(SWEEP_MS, tick -> readings.sweep());
    return new BridgeService(client, readings, router);
  }

  void serve(HttpServerRequest request) {
    router.handle(request);
  }

  /** What subscribers had open goes back, then the client leaves its groups. Call once no connection is left. */
  Future<Void> close() {
    return readings.settled().eventually(() -> Unis.future(client.close()));
  }
}
