package io.metaq.broker;

import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What administration tools ask of a broker: every such request with its handler, those that change things behind their gates. */
final class AdminHandlers {
  private static final List<RequestCode> TOPIC_VIEWS = List.of(
      RequestCode.GET_TOPIC_CONFIG, RequestCode.GET_TOPIC_STATS_INFO, RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_BROKER,
      RequestCode.QUERY_CONSUME_QUEUE);
  private static final List<RequestCode> TOPIC_CHANGES = List.of(
      RequestCode.UPDATE_AND_CREATE_TOPIC, RequestCode.UPDATE_AND_CREATE_TOPIC_LIST, RequestCode.DELETE_TOPIC_IN_BROKER);
  private static final List<RequestCode> GROUP_VIEWS = List.of(
      RequestCode.GET_SUBSCRIPTIONGROUP_CONFIG, RequestCode.GET_CONSUMER_CONNECTION_LIST, RequestCode.GET_PRODUCER_CONNECTION_LIST,
      RequestCode.GET_ALL_PRODUCER_INFO, RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, RequestCode.QUERY_TOPICS_BY_CONSUMER,
      RequestCode.QUERY_SUBSCRIPTION_BY_CONSUMER);
  private static final List<RequestCode> GROUP_CHANGES = List.of(
      RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP, RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST,
      RequestCode.DELETE_SUBSCRIPTIONGROUP, RequestCode.UPDATE_AND_GET_GROUP_FORBIDDEN);
  private static final List<RequestCode> MEMBER_VIEWS = List.of(
      RequestCode.GET_CONSUMER_RUNNING_INFO, RequestCode.INVOKE_BROKER_TO_GET_CONSUMER_STATUS);
  private static final List<RequestCode> PROGRESS_VIEWS = List.of(
      RequestCode.GET_CONSUME_STATS, RequestCode.GET_BROKER_CONSUME_STATS, RequestCode.QUERY_CONSUME_TIME_SPAN,
      RequestCode.QUERY_CORRECTION_OFFSET);
  private static final List<RequestCode> PROGRESS_CHANGES = List.of(
      RequestCode.INVOKE_BROKER_TO_RESET_OFFSET, RequestCode.CLONE_GROUP_OFFSET);

  private static final List<RequestCode> EXPIRY = List.of(
      RequestCode.CLEAN_EXPIRED_CONSUMEQUEUE, RequestCode.CLEAN_UNUSED_TOPIC, RequestCode.DELETE_EXPIRED_COMMITLOG);

  private final BrokerServices services;
  private final MasterSight master;
  private final Map<RequestCode, RequestHandler> handlers = new EnumMap<>(RequestCode.class);

  private AdminHandlers(BrokerServices services, MasterSight master) {
    this.services = services;
    this.master = master;
  }

  static Map<RequestCode, RequestHandler> of(
      BrokerServices services, LoopTopics topics, LoopGroups groups, RelayProxy relays, ColdReads reads, MasterSight master) {
    BrokerOptions options = services.options();
    AdminOptions admin = services.admin();
    BrokerStatistics statistics = services.figures().statistics();
    Set<String> system = Topics.systemOf(options.clusterName(), options.brokerName());
    AdminHandlers all = new AdminHandlers(services, master);
    all.views(TOPIC_VIEWS, new TopicViewHandler(options, system, topics, services.store(), reads, statistics));
    all.changes(TOPIC_CHANGES, "changes no topics",
        new TopicAdminHandler(system, services.topics(), groups, services.offsets(), services.registration()));
    all.views(GROUP_VIEWS, new GroupViewHandler(admin.address(), groups, services.groups(), services.offsets()));
    all.changes(GROUP_CHANGES, "changes no groups", new GroupAdminHandler(services.groups(), services.offsets()));
    all.views(PROGRESS_VIEWS,
        new ProgressHandler(admin, options, topics, groups, services.offsets(), services.store(), reads, statistics,
            services.clock()));
    all.changes(PROGRESS_CHANGES, "moves no groups",
        new ProgressAdminHandler(options, topics, groups, services.offsets(), services.groups(), relays, services.store(), reads));
    RequestHandler members = new MemberRelayHandler(options, topics, groups, services.groups(), relays, services.store(), reads);
    all.views(MEMBER_VIEWS, members);
    all.gated(List.of(RequestCode.CONSUME_MESSAGE_DIRECTLY), members);
    all.changes(List.of(RequestCode.SET_MESSAGE_REQUEST_MODE), "changes no request modes",
        new RequestModeHandler(topics, services.groups(), services.requestModes()));
    RequestHandler config = new BrokerConfigHandler(admin.config());
    all.views(List.of(RequestCode.GET_BROKER_CONFIG), config);
    all.gated(List.of(RequestCode.UPDATE_BROKER_CONFIG), config);
    all.gated(EXPIRY, new ExpiryHandler());
    all.views(List.of(RequestCode.VIEW_BROKER_STATS_DATA), new StatisticsHandler(statistics, reads));
    all.views(List.of(RequestCode.GET_BROKER_HA_STATUS), new HaStatusHandler(options, services.replicas(), services.store()));
    all.views(List.of(RequestCode.GET_BROKER_EPOCH_CACHE), new UnsupportedHandler("controllers", ResultCode.SYSTEM_ERROR));
    all.gated(List.of(RequestCode.UPDATE_AND_CREATE_STATIC_TOPIC), new UnsupportedHandler("static topics"));
    return all.handlers;
  }

  private void views(List<RequestCode> codes, RequestHandler handler) {
    codes.forEach(code -> handlers.put(code, handler));
  }

  /** {@code refused}: what a slave does not do, because its master's tables are copied over its own. */
  private void changes(List<RequestCode> codes, String refused, RequestHandler handler) {
    RequestHandler allowed = services.options().slave()
        ? new SlaveRefusal(ResultCode.SYSTEM_ERROR, refused, services.options(), master)
        : handler;
    gated(codes, allowed);
  }

  private void gated(List<RequestCode> codes, RequestHandler handler) {
    codes.forEach(code -> handlers.put(code, new AdminGate(services.admin().allowedFrom(), handler)));
  }
}
