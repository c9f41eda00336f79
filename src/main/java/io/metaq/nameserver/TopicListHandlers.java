package io.metaq.nameserver;

import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.registry.ClusterInfo;
import io.metaq.codec.registry.TopicListCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Lists of topic names: 206, 224, 304, 311 to 313. */
final class TopicListHandlers {
  private static final int UNIT = 1;
  private static final int UNIT_SUBSCRIPTION = 2;

  private final RouteTable routes;
  private final Settings settings;

  TopicListHandlers(RouteTable routes, Settings settings) {
    this.routes = routes;
    this.settings = settings;
  }

  void join(RequestHandlers handlers) {
    handlers
        .on(RequestCode.GET_ALL_TOPIC_LIST_FROM_NAMESERVER, this::all)
        .on(RequestCode.GET_TOPICS_BY_CLUSTER,
            request -> listed(request, () -> routes.topicsOf(request.command().requireText("cluster"))))
        .on(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_NS, this::system)
        .on(RequestCode.GET_UNIT_TOPIC_LIST, request -> listed(request, () -> routes.topicsFlagged(UNIT, 0)))
        .on(RequestCode.GET_HAS_UNIT_SUB_TOPIC_LIST, request -> listed(request, () -> routes.topicsFlagged(UNIT_SUBSCRIPTION, 0)))
        .on(RequestCode.GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST,
            request -> listed(request, () -> routes.topicsFlagged(UNIT_SUBSCRIPTION, UNIT)));
  }

  private RemotingCommand all(NameServerRequest request) {
    return settings.switches().enableAllTopicList()
        ? answer(request, routes.topics())
        : request.command().response(ResultCode.SYSTEM_ERROR, "enableAllTopicList is switched off");
  }

  private RemotingCommand listed(NameServerRequest request, Supplier<List<String>> topics) {
    return settings.switches().enableTopicList()
        ? answer(request, topics.get())
        : request.command().response(ResultCode.SYSTEM_ERROR, "enableTopicList is switched off");
  }

  private static RemotingCommand answer(NameServerRequest request, Collection<String> topics) {
    return request.command().success().body(TopicListCodec.encode(topics));
  }

  /** Every cluster and broker owns a topic of its own name. */
  private RemotingCommand system(NameServerRequest request) {
    ClusterInfo info = routes.cluster(request.fromLoopback());
    List<String> names = new ArrayList<>(info.clusters());
    info.brokers().forEach(broker -> names.add(broker.brokerName()));
    Optional<String> master = info.brokers().stream().map(BrokerData::masterAddress).flatMap(Optional::stream).findFirst();
    return request.command().success().body(TopicListCodec.encode(names, master));
  }
}
