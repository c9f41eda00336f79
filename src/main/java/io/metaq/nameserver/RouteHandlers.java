package io.metaq.nameserver;

import io.metaq.codec.registry.ClusterInfoCodec;
import io.metaq.codec.registry.IdKeys;
import io.metaq.codec.registry.TopicRoute;
import io.metaq.codec.registry.TopicRouteCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.util.Optional;

/** What clients ask: 105 for the route of a topic, 106 for the whole cluster. */
final class RouteHandlers {
  private final RouteTable routes;
  private final KvConfig config;
  private final Settings settings;

  RouteHandlers(RouteTable routes, KvConfig config, Settings settings) {
    this.routes = routes;
    this.config = config;
    this.settings = settings;
  }

  void join(RequestHandlers handlers) {
    handlers.on(RequestCode.GET_ROUTEINFO_BY_TOPIC, this::route).on(RequestCode.GET_BROKER_CLUSTER_INFO, this::cluster);
  }

  private RemotingCommand route(NameServerRequest request) {
    RemotingCommand command = request.command();
    String topic = command.requireText("topic");
    Optional<TopicRoute> route = routes.route(topic, request.fromLoopback());
    if (route.isEmpty()) {
      return command.response(ResultCode.TOPIC_NOT_EXIST, "No topic route info in name server for the topic: " + topic);
    }
    IdKeys keys = IdKeys.forClient(command.version(), command.booleanOr("acceptStandardJsonOnly", false));
    return command.success().body(TopicRouteCodec.encode(ordered(topic, route.get()), keys));
  }

  private TopicRoute ordered(String topic, TopicRoute route) {
    return settings.switches().orderMessageEnable()
        ? new TopicRoute(config.get(KvConfig.ORDER_TOPICS, topic), route.queues(), route.brokers())
        : route;
  }

  private RemotingCommand cluster(NameServerRequest request) {
    return request.command().success().body(ClusterInfoCodec.encode(routes.cluster(request.fromLoopback())));
  }
}
