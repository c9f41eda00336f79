package io.metaq.broker;

import io.metaq.codec.remoting.ClientBodies;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Subscription;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves what clients say of themselves: HEART_BEAT, UNREGISTER_CLIENT, GET_CONSUMER_LIST_BY_GROUP, CHECK_CLIENT_CONFIG (34, 35, 38,
 * 46).
 */
final class ClientHandler extends CommandHandler {
  private static final Logger log = LoggerFactory.getLogger(ClientHandler.class);

  private final int loop;
  private final LoopGroups groups;
  private final Filters filters;
  private final GroupsProxy coordinator;

  ClientHandler(int loop, LoopGroups groups, Filters filters, GroupsProxy coordinator) {
    this.loop = loop;
    this.groups = groups;
    this.filters = filters;
    this.coordinator = coordinator;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    return switch (code) {
      case HEART_BEAT -> heartbeat(connection, request);
      case UNREGISTER_CLIENT -> unregister(connection, request);
      case GET_CONSUMER_LIST_BY_GROUP -> Future.succeededFuture(members(request));
      case CHECK_CLIENT_CONFIG -> Future.succeededFuture(check(request));
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "not a client's registration: " + code));
    };
  }

  private Future<RemotingCommand> heartbeat(Connection connection, RemotingCommand request) {
    ClientBodies.ClientData body = ClientBodies.heartbeat(request.body());
    body.consumers().forEach(consumer -> tellOfFaults(consumer, connection));
    List<Heartbeat.Consumer> consumers =
        body.consumers().stream()
            .map(c -> new Heartbeat.Consumer(
                c.group(), c.consumeType(), c.messageModel(), c.consumeFromWhere(), c.unitMode(), c.subscriptions()))
            .toList();
    Heartbeat heartbeat =
        new Heartbeat(
            loop, connection.id(), connection.remote(), body.clientId(), request.language(), request.version(), body.fingerprint(),
            body.withoutSubscriptions(), body.producerGroups(), consumers);
    return coordinator
        .heartbeat(heartbeat)
        .map(answer -> (answer.refusals().isEmpty()
            ? request.success()
            : request.response(ResultCode.NO_PERMISSION, String.join("; ", answer.refusals())))
            .ext("IS_SUPPORT_HEART_BEAT_V2", true).ext("IS_SUB_CHANGE", answer.subscriptionsWanted()));
  }

  private Future<RemotingCommand> unregister(Connection connection, RemotingCommand request) {
    GroupsProxy.Unregister leaving =
        new GroupsProxy.Unregister(
            loop, connection.id(), request.requireText("clientID"), request.text("producerGroup").orElse(null),
            request.text("consumerGroup").orElse(null));
    return coordinator.unregister(leaving).map(done -> request.success());
  }

  private RemotingCommand members(RemotingCommand request) {
    String group = request.requireText("consumerGroup");
    List<String> ids = groups.find(group).map(known -> known.memberIds()).orElse(List.of());
    if (ids.isEmpty()) {
      return request.response(ResultCode.SYSTEM_ERROR, "no consumer of group " + group + " is connected to this broker");
    }
    return request.success().body(ClientBodies.consumerIds(ids));
  }

  private RemotingCommand check(RemotingCommand request) {
    return ClientBodies.clientConfig(request.body())
        .subscription()
        .filter(subscription -> !subscription.isTag())
        .flatMap(this::fault)
        .map(fault -> request.response(fault.code(), fault.reason()))
        .orElseGet(request::success);
  }

  private record Fault(ResultCode code, String reason) {}

  private Optional<Fault> fault(Subscription sql) {
    if (!filters.enabled()) {
      return Optional.of(new Fault(ResultCode.SYSTEM_ERROR, Filters.disabledReason()));
    }
    Filters.Verdict verdict = filters.compile(sql.type(), sql.expression());
    return verdict.selection().isPresent()
        ? Optional.empty()
        : Optional.of(new Fault(ResultCode.SUBSCRIPTION_PARSE_FAILED, verdict.fault()));
  }

  /** The pulls of such a subscription are refused with the same sentence; here it is told once for each version of it. */
  private void tellOfFaults(ClientBodies.ConsumerData consumer, Connection connection) {
    for (Subscription wanted : consumer.subscriptions()) {
      if (!wanted.isTag() && !isKnown(consumer.group(), wanted)) {
        fault(wanted).ifPresent(fault -> log.warn(
            "a group's filter is refused, members read nothing of the topic group={} topic={} remote={} reason={}",
            consumer.group(), wanted.topic(), connection.remote(), fault.reason()));
      }
    }
  }

  private boolean isKnown(String group, Subscription wanted) {
    return groups.find(group)
        .map(known -> known.subscriptions().get(wanted.topic()))
        .filter(known -> known.version() >= wanted.version())
        .isPresent();
  }
}
