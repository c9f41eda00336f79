package io.metaq.broker;

import io.metaq.codec.client.AssignmentBodies;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.RequestMode;
import io.metaq.coordinator.api.RequestModesProxy;
import io.metaq.coordinator.api.RequestModesProxy.Setting;
import io.metaq.coordinator.api.RequestModesProxy.Subject;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves SET_MESSAGE_REQUEST_MODE (401): whether a group pops a topic or pulls it, where the broker shares the queues out. */
final class RequestModeHandler extends CommandHandler {
  private static final Logger log = LoggerFactory.getLogger(RequestModeHandler.class);

  private final LoopTopics topics;
  private final GroupsProxy groups;
  private final RequestModesProxy modes;

  RequestModeHandler(LoopTopics topics, GroupsProxy groups, RequestModesProxy modes) {
    this.topics = topics;
    this.groups = groups;
    this.modes = modes;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    AssignmentBodies.Mode mode;
    try {
      mode = AssignmentBodies.mode(request.body());
    } catch (BodyException unreadable) {
      return refused(request, ResultCode.SYSTEM_ERROR, unreadable.getMessage());
    }
    if (Topics.isRetry(mode.topic())) {
      return refused(request, ResultCode.NO_PERMISSION, "topic " + mode.topic() + " is a retry topic, which is always pulled");
    }
    if (topics.find(mode.topic()).isEmpty()) {
      return refused(request, ResultCode.TOPIC_NOT_EXIST, "topic " + mode.topic() + " does not exist on this broker");
    }
    return groups.ensure(mode.group()).compose(group -> {
      if (group.isEmpty()) {
        return refused(request, ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + mode.group() + " does not exist");
      }
      RequestMode wanted = new RequestMode(mode.pop(), mode.share());
      log.info("the request mode of a group is set topic={} group={} mode={} share={} remote={}",
          mode.topic(), mode.group(), wanted.word(), wanted.share(), connection.remote());
      return modes.set(new Setting(new Subject(mode.topic(), mode.group()), wanted)).map(set -> request.success());
    });
  }

  private static Future<RemotingCommand> refused(RemotingCommand request, ResultCode code, String reason) {
    return Future.succeededFuture(request.response(code, reason));
  }
}
