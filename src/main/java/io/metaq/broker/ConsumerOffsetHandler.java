package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.util.Optional;

/** Serves QUERY_CONSUMER_OFFSET and UPDATE_CONSUMER_OFFSET (14, 15). */
final class ConsumerOffsetHandler extends CommandHandler {
  private final LoopTopics topics;
  private final GroupsProxy groups;
  private final LoopGroups knownGroups;
  private final OffsetSink offsets;
  private final LoopResets resets;
  private final HeldProgress held;
  private final StoreView store;
  private final ColdReads reads;

  ConsumerOffsetHandler(
      LoopTopics topics, LoopGroups knownGroups, GroupsProxy groups, OffsetSink offsets, LoopResets resets, HeldProgress held,
      StoreView store, ColdReads reads) {
    this.topics = topics;
    this.knownGroups = knownGroups;
    this.groups = groups;
    this.offsets = offsets;
    this.resets = resets;
    this.held = held;
    this.store = store;
    this.reads = reads;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    String group = request.requireText("consumerGroup");
    String topic = request.requireText("topic");
    int queueId = request.requireInt("queueId");
    return request.code() == RequestCode.QUERY_CONSUMER_OFFSET.wire()
        ? query(request, group, topic, queueId)
        : update(request, group, topic, queueId);
  }

  private Future<RemotingCommand> query(RemotingCommand request, String group, String topic, int queueId) {
    boolean zeroIfYoung = request.booleanOr("setZeroIfNotFound", true);
    return offsets.query(group, topic, queueId).compose(stored -> {
      if (stored != OffsetsProxy.NONE) {
        return Future.succeededFuture(request.success().ext("offset", stored));
      }
      return reads.call(() -> zeroIfYoung && young(topic, queueId)).map(young -> young
          ? request.success().ext("offset", 0)
          : request.response(
              ResultCode.QUERY_NOT_FOUND, "group " + group + " has no offset stored for queue " + queueId + " of topic " + topic));
    });
  }

  /** A queue that still has its very first message, and near the end of the log: a new group reads it from the start. */
  private boolean young(String topic, int queueId) {
    return store.minOffset(topic, queueId) <= 0 && store.isHot(topic, queueId, 0);
  }

  private Future<RemotingCommand> update(RemotingCommand request, String group, String topic, int queueId) {
    long queueOffset = request.requireLong("commitOffset");
    if (topics.find(topic).isEmpty()) {
      return Future.succeededFuture(request.response(ResultCode.TOPIC_NOT_EXIST, "topic " + topic + " does not exist on this broker"));
    }
    if (queueId < 0 || queueOffset < 0) {
      return Future.succeededFuture(request.response(ResultCode.INVALID_PARAMETER, "queueId and commitOffset must not be negative"));
    }
    if (knownGroups.find(group).isPresent()) {
      return Future.succeededFuture(commit(request, group, topic, queueId, queueOffset));
    }
    return groups.ensure(group).map(made -> {
      if (made.isEmpty()) {
        return request.response(ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + group + " does not exist");
      }
      return commit(request, group, topic, queueId, queueOffset);
    });
  }

  /** Members commit one-way; who wants an answer is a tool, whose word counts more than an earlier move of a stopped group. */
  private RemotingCommand commit(RemotingCommand request, String group, String topic, int queueId, long queueOffset) {
    Optional<LoopResets.Target> moved = resets.find(group, topic, queueId);
    if (moved.isPresent() && (moved.get().always() || request.oneway())) {
      return request.response(ResultCode.SUCCESS, "the group was moved to " + moved.get().queueOffset()
          + " here and its reader does not know yet; the commit is left out");
    }
    moved.ifPresent(target -> resets.settle(group, topic, queueId));
    offsets.commit(group, topic, queueId, queueOffset);
    return held.at(group, topic, queueId)
        .filter(at -> at < queueOffset)
        .map(at -> request.response(
            ResultCode.SUCCESS, "the progress is held at " + at + ": the members of the group want different things"))
        .orElseGet(request::success);
  }
}
