package io.metaq.broker;

import io.metaq.codec.admin.GroupBodies;
import io.metaq.codec.admin.GroupConfigCodec;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.GroupConfig;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes, changes and deletes consumer groups: UPDATE_AND_CREATE_SUBSCRIPTIONGROUP, UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST,
 * DELETE_SUBSCRIPTIONGROUP (200, 225, 207); forbids them topics: UPDATE_AND_GET_GROUP_FORBIDDEN (353).
 */
final class GroupAdminHandler extends CommandHandler {
  private static final Logger log = LoggerFactory.getLogger(GroupAdminHandler.class);

  private final GroupsProxy groups;
  private final OffsetsProxy offsets;

  GroupAdminHandler(GroupsProxy groups, OffsetsProxy offsets) {
    this.groups = groups;
    this.offsets = offsets;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    log.info("groups are administrated code={} group={} remote={}", request.code(),
        request.text("groupName").or(() -> request.text("group")).orElse("-"), connection.remote());
    return switch (code) {
      case UPDATE_AND_CREATE_SUBSCRIPTIONGROUP -> update(request, read(() -> List.of(GroupConfigCodec.decode(request.body()))));
      case UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST -> update(request, read(() -> GroupConfigCodec.decodeList(request.body())));
      case DELETE_SUBSCRIPTIONGROUP -> delete(request);
      case UPDATE_AND_GET_GROUP_FORBIDDEN -> forbid(request);
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "not about groups: " + code));
    };
  }

  private static List<GroupConfig> read(Supplier<List<GroupConfig>> body) {
    try {
      return body.get();
    } catch (BodyException unreadable) {
      throw new HeaderException(unreadable.getMessage(), unreadable);
    }
  }

  private Future<RemotingCommand> update(RemotingCommand request, List<GroupConfig> wishes) {
    if (wishes.isEmpty()) {
      return Future.succeededFuture(request.response(ResultCode.INVALID_PARAMETER, "the request names no group"));
    }
    for (GroupConfig wish : wishes) {
      String fault = Topics.groupFault(wish.name());
      if (fault != null) {
        return Future.succeededFuture(request.response(ResultCode.INVALID_PARAMETER, fault));
      }
      if (wish.retryQueues() < 0 || wish.retryMaxTimes() < -1) {
        return Future.succeededFuture(request.response(ResultCode.INVALID_PARAMETER,
            "group " + wish.name() + " cannot have retryQueueNums=" + wish.retryQueues() + " and retryMaxTimes=" + wish.retryMaxTimes()));
      }
    }
    Future<Optional<String>> done = Future.succeededFuture(Optional.empty());
    for (GroupConfig wish : wishes) {
      done = done.compose(fault -> fault.isPresent() ? Future.succeededFuture(fault) : groups.update(wish));
    }
    return done.map(fault ->
        fault.map(words -> request.response(ResultCode.SYSTEM_ERROR, words)).orElseGet(request::success));
  }

  private Future<RemotingCommand> forbid(RemotingCommand request) {
    String group = request.requireText("group");
    String topic = request.requireText("topic");
    String groupFault = Topics.groupFault(group);
    String fault = groupFault == null ? Topics.topicFault(topic) : groupFault;
    if (fault != null) {
      return Future.succeededFuture(request.response(ResultCode.INVALID_PARAMETER, fault));
    }
    Optional<Boolean> wish = request.text("readable").filter(text -> !text.isBlank()).map(text -> request.booleanOr("readable", true));
    return groups.forbid(new GroupsProxy.Forbid(group, topic, wish))
        .map(readable -> request.success().body(GroupBodies.forbidden(group, topic, readable)));
  }

  private Future<RemotingCommand> delete(RemotingCommand request) {
    String group = request.requireText("groupName");
    boolean forget = request.booleanOr("cleanOffset", request.booleanOr("removeOffset", false));
    return groups.delete(group)
        .compose(deleted -> forget ? offsets.forgetGroup(group) : Future.succeededFuture(false))
        .map(forgotten -> request.success());
  }
}
