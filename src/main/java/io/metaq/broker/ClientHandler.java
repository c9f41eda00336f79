package io.metaq.broker;

import io.metaq.codec.remoting.ClientBodies;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.List;

/**
 * Serves what clients say of themselves: HEART_BEAT, UNREGISTER_CLIENT, GET_CONSUMER_LIST_BY_GROUP, CHECK_CLIENT_CONFIG (34, 35, 38,
 * 46).
 */
final class ClientHandler extends CommandHandler {
  private final int loop;
  private final LoopGroups groups;
  private final GroupsProxy coordinator;

  ClientHandler(int loop, LoopGroups groups, GroupsProxy coordinator) {
    this.loop = loop;
    this.groups = groups;
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
        .map(answer -> request.success().ext("IS_SUPPORT_HEART_BEAT_V2", true).ext("IS_SUB_CHANGE", answer.subscriptionsWanted()));
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
        .map(unsupported -> request.response(ResultCode.SYSTEM_ERROR, Filters.UNSUPPORTED))
        .orElseGet(request::success);
  }
}
