package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.model.Clock;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every path of the bridge with what serves it. */
final class Routes {
  private Routes() {}

  /** @param readings all that subscribers of the process read */
  static List<Route> of(
      Vertx vertx, MetaqClient client, Readings readings, AnswerCounts answers, BridgeOptions options, Connections connections,
      IncomingBytes incoming, Clock clock) {
    List<Route> routes = new ArrayList<>(withHeads(probes(client, answers, incoming, options)));
    if (options.scope() == BridgeOptions.Scope.CLUSTER) {
      Sender sender = new Sender(client, options.limits().idempotencyWindowMs(), clock);
      routes.addAll(withHeads(ofTheCluster(client, sender, options, clock)));
      Watches watches = new Watches(new Views(routes), Alarm.of(vertx), clock);
      routes.addAll(streams(vertx, sender, readings, watches, options, connections, incoming, clock));
      routes.addAll(new StaticFiles(vertx).routes());
    }
    return routes;
  }

  /** Of what can be got, the head alone can be asked for. */
  private static List<Route> withHeads(List<Route> routes) {
    return routes.stream().flatMap(route -> route.method() == HttpMethod.GET
        ? Stream.of(route, Route.head(route.path(), route.access(), route.endpoint())) : Stream.of(route)).toList();
  }

  private static List<Route> streams(
      Vertx vertx, Sender sender, Readings readings, Watches watches, BridgeOptions options, Connections connections, IncomingBytes incoming,
      Clock clock) {
    return List.of(
        Route.get("/v1/topics/{topic}/events", Access.CHANGE, new EventsEndpoint(vertx, readings, options.limits())),
        Route.get("/v1/ws", Access.CHANGE,
            new WebSocketEndpoint(vertx, sender, readings, watches, options.limits(), options.maxFrameBytes(), connections, incoming, clock)));
  }

  private static List<Route> probes(MetaqClient client, AnswerCounts answers, IncomingBytes incoming, BridgeOptions options) {
    HealthEndpoints health = new HealthEndpoints(client, options.scope() != BridgeOptions.Scope.NAME_SERVER_PROBES);
    return List.of(
        Route.get("/health/live", Access.OPEN, health::live),
        Route.get("/health/ready", Access.OPEN, health::ready),
        Route.get("/metrics", Access.OPEN, new MetricsEndpoint(client, answers, incoming)));
  }

  private static List<Route> ofTheCluster(MetaqClient client, Sender sender, BridgeOptions options, Clock clock) {
    TopicEndpoints topics = new TopicEndpoints(client, new TopicRates(clock));
    MessageEndpoints messages = new MessageEndpoints(client, options.limits().maxWaitMs());
    GroupEndpoints groups = new GroupEndpoints(client, new OldestOpen(client));
    SettingsEndpoints settings = new SettingsEndpoints(client);
    ClusterEndpoints cluster = new ClusterEndpoints(client, options.configuration());
    return List.of(
        Route.post("/v1/topics/{topic}/messages", Access.CHANGE, new SendEndpoint(sender)),
        Route.get("/v1/topics/{topic}/messages", Access.READ, messages::browse),
        Route.get("/v1/topics/{topic}/queues/{broker}/{queue}/messages", Access.READ, messages::pull),
        Route.get("/v1/messages/{id}", Access.READ, messages::byId),
        Route.post("/v1/messages/{id}/resend", Access.ADMIN, messages::resend),
        Route.view("/v1/topics", topics::list),
        Route.view("/v1/topics/{topic}", topics::show),
        Route.put("/v1/topics/{topic}", Access.ADMIN, topics::put),
        Route.delete("/v1/topics/{topic}", Access.ADMIN, topics::delete),
        Route.view("/v1/groups", groups::list),
        Route.view("/v1/groups/{group}", groups::show),
        Route.delete("/v1/groups/{group}", Access.ADMIN, groups::delete),
        Route.post("/v1/groups/{group}/offsets", Access.ADMIN, groups::reset),
        Route.view("/v1/cluster", cluster::cluster),
        Route.view("/v1/stats", cluster::stats),
        Route.view("/v1/producers", cluster::producers),
        Route.view("/v1/brokers/{broker}/config", settings::show),
        Route.patch("/v1/brokers/{broker}/config", Access.ADMIN, settings::change),
        Route.view("/v1/config", cluster::config));
  }
}
