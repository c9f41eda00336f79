package io.metaq.nameserver;

import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.registry.ClusterInfoCodec;
import io.metaq.codec.registry.DataVersionCodec;
import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.registry.RegisterBody;
import io.metaq.codec.registry.RegisterBodyCodec;
import io.metaq.codec.registry.TopicRouteCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.DataVersion;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.nameserver.RegisterOutcome.Accepted;
import io.metaq.nameserver.RegisterOutcome.Outdated;
import io.metaq.nameserver.RegisterOutcome.Refused;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests of brokers about themselves: 103, 104, 217, 322, 901, 904. */
final class RegistrationHandlers {
  /** A broker says with this field that clients on its own machine may be given its loopback address. */
  static final String LOOPBACK_FIELD = "metaqLoopback";

  private static final Logger log = LoggerFactory.getLogger(RegistrationHandlers.class);
  /** Silence after which a broker that names no time of its own counts as gone. */
  private static final long DEFAULT_TIMEOUT_MS = 120_000;

  private final RouteTable routes;
  private final KvConfig config;
  private final Settings settings;

  RegistrationHandlers(RouteTable routes, KvConfig config, Settings settings) {
    this.routes = routes;
    this.config = config;
    this.settings = settings;
  }

  void join(RequestHandlers handlers) {
    handlers
        .on(RequestCode.REGISTER_BROKER, this::register)
        .on(RequestCode.UNREGISTER_BROKER, this::unregister)
        .on(RequestCode.REGISTER_TOPIC_IN_NAMESRV, this::registerTopic)
        .on(RequestCode.QUERY_DATA_VERSION, this::queryDataVersion)
        .on(RequestCode.GET_BROKER_MEMBER_GROUP, this::members)
        .on(RequestCode.BROKER_HEARTBEAT, this::heartbeat);
  }

  private RemotingCommand register(NameServerRequest request) {
    RemotingCommand command = request.command();
    long crc = command.longOr("bodyCrc32", 0);
    if (crc != 0 && crc != RegisterBodyCodec.crc(command.body())) {
      return command.response(ResultCode.SYSTEM_ERROR, "crc32 not match");
    }
    Registration registration = registration(request);
    RegisterOutcome outcome = routes.register(registration, settings.switches().deleteTopicWithBrokerRegistration());
    if (outcome instanceof Refused refused) {
      log.warn("a registration was refused broker={} id={} remote={} reason={}",
          registration.brokerName(), registration.brokerId(), request.remote(), refused.reason());
      return command.response(ResultCode.SYSTEM_ERROR, "register broker failed: " + refused.reason());
    }
    if (outcome instanceof Outdated outdated) {
      log.warn("a registration with an older state version was ignored broker={} id={} address={} holder={}",
          registration.brokerName(), registration.brokerId(), registration.key().address(), outdated.holder());
    }
    if (outcome instanceof Accepted accepted && accepted.first()) {
      log.info("a broker registered broker={} id={} cluster={} address={} topics={} remote={}", registration.brokerName(),
          registration.brokerId(), registration.key().cluster(), registration.key().address(), registration.body().topics().size(),
          request.remote());
    }
    return answer(command, outcome);
  }

  private RemotingCommand answer(RemotingCommand command, RegisterOutcome outcome) {
    RemotingCommand response = command.success();
    if (outcome instanceof Accepted accepted && accepted.master().isPresent()) {
      response.ext("haServerAddr", accepted.master().get().haAddress()).ext("masterAddr", accepted.master().get().address());
    }
    boolean tellsOrder = settings.switches().returnOrderTopicConfigToBroker();
    Map<String, String> order = tellsOrder ? config.namespace(KvConfig.ORDER_TOPICS).orElse(Map.of()) : Map.of();
    return response.body(KvTableCodec.encode(order));
  }

  private static Registration registration(NameServerRequest request) {
    RemotingCommand command = request.command();
    return new Registration(
        key(command),
        command.requireText("brokerName"),
        command.requireLong("brokerId"),
        command.requireText("haServerAddr"),
        command.longOr("heartbeatTimeoutMillis", DEFAULT_TIMEOUT_MS),
        command.text("enableActingMaster").map(Boolean::parseBoolean),
        request.fromLoopback() && command.booleanOr(LOOPBACK_FIELD, false),
        request.connectionId(),
        body(command));
  }

  private static RegisterBody body(RemotingCommand command) {
    return RegisterBodyCodec.isCompressed(command.body())
        ? RegisterBodyCodec.decodeCompressed(command.body())
        : RegisterBodyCodec.decode(command.body(), command.version());
  }

  private static BrokerKey key(RemotingCommand command) {
    return new BrokerKey(command.requireText("clusterName"), command.requireText("brokerAddr"));
  }

  private RemotingCommand unregister(NameServerRequest request) {
    RemotingCommand command = request.command();
    BrokerKey key = key(command);
    String name = command.requireText("brokerName");
    routes.unregister(key, name);
    log.info("a broker unregistered broker={} cluster={} address={} remote={}",
        name, key.cluster(), key.address(), request.remote());
    return command.success();
  }

  private RemotingCommand registerTopic(NameServerRequest request) {
    RemotingCommand command = request.command();
    routes.addQueues(command.requireText("topic"), TopicRouteCodec.decode(command.body()).queues());
    return command.success();
  }

  private RemotingCommand queryDataVersion(NameServerRequest request) {
    RemotingCommand command = request.command();
    BrokerKey key = key(command);
    Optional<DataVersion> known = routes.version(key);
    boolean same = known.isPresent() && command.body().length > 0 && known.get().equals(DataVersionCodec.decode(command.body()));
    if (same) {
      routes.heard(key);
    }
    return command.success().ext("changed", !same).body(known.map(DataVersionCodec::encode).orElse(null));
  }

  private RemotingCommand members(NameServerRequest request) {
    RemotingCommand command = request.command();
    BrokerData members =
        routes.members(command.requireText("clusterName"), command.requireText("brokerName"), request.fromLoopback());
    return command.success().body(ClusterInfoCodec.encodeMembers(members));
  }

  private RemotingCommand heartbeat(NameServerRequest request) {
    routes.heard(key(request.command()));
    return request.command().success();
  }
}
