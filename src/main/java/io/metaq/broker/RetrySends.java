package io.metaq.broker;

import io.metaq.codec.remoting.SendHeader;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Sends that a consumer makes to its group's retry topic (when its send-back failed, or out of orderly consumption): the group must
 * exist, and a message that was tried too often, or comes from a group that holds queue locks, goes to the dead letters.
 *
 * <p>Bound: {@value HeldBytes#MAX_BYTES} bytes of sends under way in a loop; beyond that they are refused as busy.
 */
@OwnedBy("its event loop")
final class RetrySends {
  /** First client version (3.4.9) whose own limit counts. */
  private static final int VERSION_WITH_LIMIT = 121;

  /** Goes on with a send whose target is known. */
  interface Resume {
    void send(HeldRequest request, TopicEntry target, boolean deadLetter);
  }

  private final GroupsProxy groups;
  private final TopicsProxy topicCoordinator;
  private final LoopTopics topics;
  private final HeldBytes held = new HeldBytes();

  RetrySends(GroupsProxy groups, TopicsProxy topicCoordinator, LoopTopics topics) {
    this.groups = groups;
    this.topicCoordinator = topicCoordinator;
    this.topics = topics;
  }

  void send(HeldRequest request, Resume resume, PendingTopics.Refuse refuse) {
    if (!held.take(request)) {
      refuse.refuse(request, ResultCode.SYSTEM_BUSY, "too many messages wait for their retry topics; try again in a second");
      return;
    }
    SendHeader header = new SendHeader();
    request.readInto(header);
    String retryTopic = header.topic();
    String group = retryTopic.substring(Topics.RETRY_PREFIX.length());
    groups
        .ensure(group)
        .compose(config -> config.isEmpty() ? Future.succeededFuture(Optional.<Target>empty()) : target(header, group, config.get()))
        .<Void>map(target -> {
          if (target.isEmpty()) {
            refuse.refuse(request, ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + group + " does not exist");
          } else {
            resume.send(request, topics.find(target.get().topic()).orElseThrow(), target.get().deadLetter());
          }
          return null;
        })
        .onFailure(failure -> refuse.refuse(request, ResultCode.SYSTEM_ERROR, failure.getMessage()))
        .onComplete(settled -> held.giveBack(request));
  }

  private Future<Optional<Target>> target(SendHeader header, String group, GroupConfig config) {
    int limit =
        header.version() >= VERSION_WITH_LIMIT && header.maxReconsumeTimes() >= 0 ? header.maxReconsumeTimes() : config.retryMaxTimes();
    boolean exhausted = header.reconsumeTimes() > limit;
    Future<Boolean> dead = exhausted ? Future.succeededFuture(true) : groups.hasLock(group);
    return dead.compose(deadLetter -> {
      TopicConfig topic =
          deadLetter
              ? TopicConfig.of(Topics.deadLetterOf(group), 1, Perm.READ_WRITE)
              : TopicConfig.of(Topics.retryOf(group), Math.max(1, config.retryQueues()), Perm.READ_WRITE);
      return topicCoordinator.ensure(topic).map(made -> Optional.of(new Target(made.name(), deadLetter)));
    });
  }

  private record Target(String topic, boolean deadLetter) {}
}
