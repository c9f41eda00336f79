package io.metaq.broker;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.MessageIds;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.ReplyFields;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.Clock;
import io.metaq.model.Perm;
import io.metaq.model.PropertyNames;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves SEND_REPLY_MESSAGE and SEND_REPLY_MESSAGE_V2 (324, 325): brings a reply to the producer that waits for it, wherever it is
 * connected to this broker, and stores it when {@code storeReplyMessageEnable} says so. Both at once; the code of the answer is that of
 * the bringing, id and offset are those of the storing.
 */
final class ReplyHandler extends CommandHandler {
  /** The id of a reply that is not stored. */
  private static final String NO_ID = "0";

  private final BrokerOptions options;
  private final AdminOptions admin;
  private final LoopTopics topics;
  private final TopicsProxy topicCoordinator;
  private final GroupsProxy clients;
  private final RelayProxy relays;
  private final OwnAppends appends;
  private final MessageIds ids;
  private final Clock clock;

  ReplyHandler(
      BrokerOptions options, AdminOptions admin, LoopTopics topics, TopicsProxy topicCoordinator, GroupsProxy clients,
      RelayProxy relays, OwnAppends appends, Clock clock) {
    this.options = options;
    this.admin = admin;
    this.topics = topics;
    this.topicCoordinator = topicCoordinator;
    this.clients = clients;
    this.relays = relays;
    this.appends = appends;
    this.ids = new MessageIds(options.storeHost());
    this.clock = clock;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    ReplyFields reply = ReplyFields.of(request);
    String fault = Topics.topicFault(reply.topic());
    if (fault != null) {
      return refused(request, ResultCode.INVALID_PARAMETER, fault);
    }
    if (Topics.closedToProducers(reply.topic())) {
      return refused(request, ResultCode.NO_PERMISSION,
          "topic " + reply.topic() + " belongs to the broker and takes no messages from clients");
    }
    Optional<TopicEntry> topic = topics.find(reply.topic());
    if (topic.isPresent()) {
      return reply(connection, request, reply, topic.get());
    }
    return topicCoordinator
        .createFromTemplate(reply.topic(), reply.defaultTopic(), reply.defaultTopicQueues(), connection.remote())
        .compose(made -> topics.find(reply.topic())
            .map(entry -> reply(connection, request, reply, entry))
            .orElseGet(() -> refused(request, ResultCode.TOPIC_NOT_EXIST,
                "topic " + reply.topic() + " does not exist and cannot be created from template " + reply.defaultTopic())));
  }

  private Future<RemotingCommand> reply(Connection connection, RemotingCommand request, ReplyFields reply, TopicEntry topic) {
    int queues = Math.max(topic.config().readQueues(), topic.config().writeQueues());
    byte[] properties = reply.properties().getBytes(StandardCharsets.UTF_8);
    if (reply.queueId() >= queues) {
      return refused(request, ResultCode.INVALID_PARAMETER,
          "queue " + reply.queueId() + " does not exist: topic " + topic.name() + " has " + queues + " queues");
    }
    if (!Perm.writable(options.permission()) || !topic.writable()) {
      String who = topic.writable() ? "broker " + options.brokerName() : "topic " + topic.name();
      return refused(request, ResultCode.NO_PERMISSION, who + " does not accept messages: its permission has no write bit");
    }
    if (request.body().length > options.maxMessageBytes()) {
      return refused(request, ResultCode.MESSAGE_ILLEGAL,
          "the body has " + request.body().length + " bytes, at most " + options.maxMessageBytes() + " are allowed (maxMessageSize)");
    }
    if (properties.length > PropertiesText.MAX_BYTES) {
      return refused(request, ResultCode.MESSAGE_ILLEGAL,
          "the properties take " + properties.length + " bytes, at most " + PropertiesText.MAX_BYTES + " are allowed");
    }
    int queueId = reply.queueId() >= 0
        ? reply.queueId()
        : ThreadLocalRandom.current().nextInt(Math.max(1, topic.config().writeQueues()));
    Future<Optional<OwnAppends.Outcome>> stored = options.storeReplies()
        ? store(connection, request, reply, topic, queueId, properties).map(Optional::of)
        : Future.succeededFuture(Optional.empty());
    return bring(connection, request, reply, queueId)
        .compose(fault -> stored.map(outcome -> answer(request, queueId, fault, outcome)));
  }

  /** Empty when the client has it, else what is in the way. */
  private Future<Optional<String>> bring(Connection connection, RemotingCommand request, ReplyFields reply, int queueId) {
    String clientId =
        PropertiesText.decode(reply.properties().getBytes(StandardCharsets.UTF_8)).get(PropertyNames.REPLY_TO_CLIENT);
    if (clientId == null) {
      return Future.succeededFuture(Optional.of("the reply does not say to whom: it has no property " + PropertyNames.REPLY_TO_CLIENT));
    }
    return clients.producer(clientId).compose(found -> {
      if (found.isEmpty()) {
        return Future.succeededFuture(Optional.of("push reply message fail, channel of <" + clientId + "> not found."));
      }
      RemotingCommand push = reply
          .push(queueId, withPushTime(reply.properties()), connection.remote(), admin.address(), clock.millis())
          .body(request.body());
      return relays.send(found.get(), push).map(outcome -> fault(clientId, outcome));
    });
  }

  private static Optional<String> fault(String clientId, Relay.Outcome outcome) {
    if (outcome.end() != Relay.End.ANSWERED) {
      return Optional.of("push reply message to " + clientId + " fail: " + outcome.detail());
    }
    if (outcome.answer().code() != ResultCode.SUCCESS.wire()) {
      return Optional.of("push reply message to " + clientId + " fail: it answered " + outcome.answer().code() + ", "
          + outcome.answer().remark());
    }
    return Optional.empty();
  }

  private String withPushTime(String properties) {
    String separated = properties.isEmpty() || properties.charAt(properties.length() - 1) == PropertiesText.ENTRY_END
        ? properties
        : properties + (char) PropertiesText.ENTRY_END;
    byte[] time = PropertiesText.entry(PropertyNames.PUSH_REPLY_TIME, Long.toString(clock.millis()));
    return separated + new String(time, StandardCharsets.UTF_8);
  }

  private Future<OwnAppends.Outcome> store(
      Connection connection, RemotingCommand request, ReplyFields reply, TopicEntry topic, int queueId, byte[] properties) {
    return appends.append(topic, queueId, new OwnAppends.Content(
        properties, request.body(), connection.remoteBytes(), reply.bornTimestamp(), reply.flag(),
        reply.sysFlag() & ~SysFlag.TRANSACTION_MASK, reply.reconsumeTimes()));
  }

  private RemotingCommand answer(
      RemotingCommand request, int queueId, Optional<String> fault, Optional<OwnAppends.Outcome> stored) {
    RemotingCommand answer =
        fault.map(words -> request.response(ResultCode.SYSTEM_ERROR, words)).orElseGet(request::success);
    Optional<OwnAppends.Outcome> record = stored.filter(OwnAppends.Outcome::stored);
    return answer
        .ext("msgId", record.map(outcome -> ids.text(outcome.phyOffset())).orElse(NO_ID))
        .ext("queueId", queueId)
        .ext("queueOffset", record.map(OwnAppends.Outcome::queueOffset).orElse(0L))
        .ext(PropertyNames.MSG_REGION, options.region())
        .ext(PropertyNames.TRACE_ON, options.traceOn());
  }

  private static Future<RemotingCommand> refused(RemotingCommand request, ResultCode code, String reason) {
    return Future.succeededFuture(request.response(code, reason));
  }
}
