package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.PopProxy;
import io.metaq.model.Perm;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.Optional;

/** Serves POLLING_INFO (200055): how many pops of a group wait in a queue, or for any queue of a topic. */
final class PollingInfoHandler extends CommandHandler {
  private final BrokerOptions options;
  private final LoopTopics topics;
  private final GroupsProxy groups;
  private final PopProxy pops;

  PollingInfoHandler(BrokerOptions options, LoopTopics topics, GroupsProxy groups, PopProxy pops) {
    this.options = options;
    this.topics = topics;
    this.groups = groups;
    this.pops = pops;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    String group = request.requireText("consumerGroup");
    String name = request.requireText("topic");
    int queueId = request.requireInt("queueId");
    if (!Perm.readable(options.permission())) {
      return refused(request, ResultCode.NO_PERMISSION, "broker " + options.brokerName()
          + " may not be read: its permission has no read bit");
    }
    Optional<TopicEntry> topic = topics.find(name);
    if (topic.isEmpty()) {
      return refused(request, ResultCode.TOPIC_NOT_EXIST, "topic " + name + " does not exist on broker " + options.brokerName());
    }
    if (!topic.get().readable()) {
      return refused(request, ResultCode.NO_PERMISSION, "topic " + name + " may not be read: its permission has no read bit");
    }
    if (queueId >= topic.get().config().readQueues()) {
      return refused(request, ResultCode.INVALID_PARAMETER, "queue " + queueId + " does not exist: topic " + name + " has "
          + topic.get().config().readQueues() + " queues to read");
    }
    return groups.ensure(group).compose(config -> {
      if (config.isEmpty()) {
        return refused(request, ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + group + " does not exist");
      }
      if (!config.get().consumeEnabled()) {
        return refused(request, ResultCode.NO_PERMISSION, "consumption of group " + group + " is switched off");
      }
      return pops.waiting(group, name, queueId).map(count -> request.success().ext("pollingNum", count));
    });
  }

  private static Future<RemotingCommand> refused(RemotingCommand request, ResultCode code, String reason) {
    return Future.succeededFuture(request.response(code, reason));
  }
}
