package io.metaq.broker;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.MessageIds;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.GroupConfig;
import io.metaq.model.Perm;
import io.metaq.model.PropertyNames;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves CONSUMER_SEND_MSG_BACK (36): a message that a consumer could not handle is stored anew, one attempt older, for its group's
 * retry topic after a delay that grows with the attempts, or for its dead letters.
 */
final class SendBackHandler extends CommandHandler {
  /** First client version (3.4.9) whose own limit counts. */
  private static final int VERSION_WITH_LIMIT = 121;

  /** The level of the first retry; each further one is a level longer. */
  private static final int FIRST_RETRY_LEVEL = 3;

  private final BrokerOptions options;
  private final LoopTopics topics;
  private final GroupsProxy groups;
  private final TopicsProxy topicCoordinator;
  private final StoreView store;
  private final ColdReads reads;
  private final OwnAppends appends;
  private final LoopFigures figures;

  SendBackHandler(
      BrokerOptions options, LoopTopics topics, GroupsProxy groups, TopicsProxy topicCoordinator, StoreView store, ColdReads reads,
      OwnAppends appends, LoopFigures figures) {
    this.options = options;
    this.topics = topics;
    this.groups = groups;
    this.topicCoordinator = topicCoordinator;
    this.store = store;
    this.reads = reads;
    this.appends = appends;
    this.figures = figures;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    String group = request.requireText("group");
    long phyOffset = request.requireLong("offset");
    int delayLevel = request.requireInt("delayLevel");
    if (!Perm.writable(options.permission())) {
      return refused(request, ResultCode.NO_PERMISSION, "broker " + options.brokerName() + " does not accept messages");
    }
    return groups.ensure(group).compose(config -> {
      if (config.isEmpty()) {
        return refused(request, ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + group + " does not exist");
      }
      if (config.get().retryQueues() <= 0) {
        return Future.succeededFuture(request.success());
      }
      return reads.call(() -> original(phyOffset)).compose(message -> {
        if (message.isEmpty()) {
          return refused(request, ResultCode.SYSTEM_ERROR, "there is no message at offset " + phyOffset + " of the commit log");
        }
        return sendBack(request, config.get(), message.get(), delayLevel);
      });
    });
  }

  private Optional<StoredMessage> original(long phyOffset) {
    Optional<RecordSlice> record = store.recordAt(phyOffset);
    try {
      return record.map(slice -> StoredMessage.decode(slice.bytes(), 0));
    } finally {
      record.ifPresent(RecordSlice::release);
    }
  }

  private Future<RemotingCommand> sendBack(RemotingCommand request, GroupConfig config, StoredMessage message, int delayLevel) {
    int limit = config.retryMaxTimes();
    if (request.version() >= VERSION_WITH_LIMIT && request.text("maxReconsumeTimes").isPresent()) {
      limit = request.requireInt("maxReconsumeTimes");
    }
    boolean dead = delayLevel < 0 || message.reconsumeTimes() >= limit;
    int sysFlag = request.booleanOr("unitMode", false) ? 2 : 0;
    TopicConfig wanted =
        dead
            ? TopicConfig.of(Topics.deadLetterOf(config.name()), 1, Perm.READ_WRITE)
            : retryTopic(config, sysFlag);
    int level = dead ? 0 : Math.min(delayLevel == 0 ? FIRST_RETRY_LEVEL + message.reconsumeTimes() : delayLevel, options.maxDelayLevel());
    return topicCoordinator.ensure(wanted).compose(topic -> {
      if (!Perm.writable(topic.perm())) {
        return refused(request, ResultCode.NO_PERMISSION, "topic " + topic.name() + " has no write bit");
      }
      return append(message, topic, level).map(outcome -> {
        if (!outcome.stored()) {
          return request.response(ResultCode.SYSTEM_ERROR, outcome.detail());
        }
        String origin = message.properties().getOrDefault(PropertyNames.RETRY_TOPIC, message.topic());
        figures.tallies().of(Statistic.Source.SEND_BACKS, origin, config.name()).add(1, message.size());
        return request.success();
      });
    });
  }

  private static TopicConfig retryTopic(GroupConfig config, int sysFlag) {
    int queues = config.retryQueues();
    return new TopicConfig(Topics.retryOf(config.name()), queues, queues, Perm.READ_WRITE, "SINGLE_TAG", sysFlag, false, Map.of());
  }

  private Future<OwnAppends.Outcome> append(StoredMessage message, TopicConfig topic, int level) {
    int queueId = ThreadLocalRandom.current().nextInt(Math.max(1, topic.writeQueues()));
    Map<String, String> properties = new LinkedHashMap<>(message.properties());
    properties.putIfAbsent(PropertyNames.RETRY_TOPIC, message.topic());
    properties.put(PropertyNames.WAIT, "false");
    properties.putIfAbsent(
        PropertyNames.ORIGIN_MESSAGE_ID, new MessageIds(message.storeHost()).text(message.phyOffset()));
    properties.remove(PropertyNames.DELAY);
    TopicEntry target = topics.find(topic.name()).orElseThrow();
    int targetQueue = queueId;
    if (level > 0) {
      properties.put(PropertyNames.DELAY, Integer.toString(level));
      properties.put(PropertyNames.REAL_TOPIC, topic.name());
      properties.put(PropertyNames.REAL_QID, Integer.toString(queueId));
      target = topics.find(Topics.SCHEDULE).orElseThrow();
      targetQueue = level - 1;
    }
    byte[] text = PropertiesText.encode(properties);
    if (text.length > PropertiesText.MAX_BYTES) {
      return Future.succeededFuture(
          new OwnAppends.Outcome(false, "the properties would take " + text.length + " bytes with what a retry adds", 0, 0));
    }
    return appends.append(target, targetQueue, new OwnAppends.Content(
        text, message.body(), message.bornHost(), message.bornTimestamp(), message.flag(), message.sysFlag(),
        message.reconsumeTimes() + 1));
  }

  private static Future<RemotingCommand> refused(RemotingCommand request, ResultCode code, String reason) {
    return Future.succeededFuture(request.response(code, reason));
  }
}
