package io.metaq.broker;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.RecallHandle;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.Clock;
import io.metaq.model.Perm;
import io.metaq.model.PropertyNames;
import io.metaq.model.ResultCode;
import io.metaq.model.TimerMoments;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Serves RECALL_MESSAGE (370): takes a message back that waits for its time. What is stored is a message of its own, due in the
 * same second, that names the other one; so it works after a restart too, and on a broker of RocketMQ.
 */
final class RecallHandler extends CommandHandler {
  private static final byte[] BODY = {'0'};
  private static final int TIMER_QUEUE = 0;

  private final BrokerOptions options;
  private final LoopTopics topics;
  private final OwnAppends appends;
  private final Clock clock;

  RecallHandler(BrokerOptions options, LoopTopics topics, OwnAppends appends, Clock clock) {
    this.options = options;
    this.topics = topics;
    this.appends = appends;
    this.clock = clock;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    String topic = request.requireText("topic");
    String text = request.requireText("recallHandle");
    if (!options.timers().recall()) {
      return refused(request, ResultCode.NO_PERMISSION, "this broker takes no messages back (recallMessageEnable=false)");
    }
    if (!Perm.writable(options.permission())) {
      return refused(request, ResultCode.SERVICE_NOT_AVAILABLE, "broker " + options.brokerName() + " does not accept messages");
    }
    if (topics.find(topic).isEmpty()) {
      return refused(request, ResultCode.TOPIC_NOT_EXIST, "topic " + topic + " does not exist");
    }
    Optional<RecallHandle> handle = RecallHandle.of(text);
    String fault = handle.map(found -> fault(found, topic)).orElse("the recall handle cannot be read");
    return fault.isEmpty()
        ? recall(connection, request, handle.get())
        : refused(request, ResultCode.ILLEGAL_OPERATION, fault);
  }

  /** Why nothing can be taken back with it, a clause; empty when something can. */
  private String fault(RecallHandle handle, String topic) {
    if (!isPlain(handle.uniqueKey())) {
      return "the recall handle cannot be read";
    }
    if (!handle.topic().equals(topic)) {
      return "the recall handle is for another topic than " + topic;
    }
    if (!handle.brokerName().equals(options.brokerName())) {
      return "the recall handle is for another broker than " + options.brokerName();
    }
    long leftMs = handle.dueMs() - clock.millis();
    if (leftMs <= 0) {
      return "the message's time has come, it is delivered or about to be";
    }
    return leftMs >= options.timers().maxDelayMs() ? "the recall handle's time is later than any message may be due" : "";
  }

  private Future<RemotingCommand> recall(Connection connection, RemotingCommand request, RecallHandle handle) {
    Optional<String> group = request.text("producerGroup");
    if (!group.map(RecallHandler::isPlain).orElse(true)) {
      return refused(request, ResultCode.ILLEGAL_OPERATION, "the producerGroup holds characters that no name can have");
    }
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(PropertyNames.TIMER_DEL_UNIQKEY, handle.topic() + "+" + handle.uniqueKey());
    properties.put(PropertyNames.UNIQ_KEY, handle.uniqueKey());
    properties.put(PropertyNames.TIMER_DELIVER_MS, Long.toString(handle.dueMs()));
    properties.put(PropertyNames.TIMER_OUT_MS, Long.toString(TimerMoments.written(handle.dueMs())));
    properties.put(PropertyNames.REAL_TOPIC, handle.topic());
    properties.put(PropertyNames.REAL_QID, "0");
    group.ifPresent(name -> properties.put(PropertyNames.PGROUP, name));
    byte[] text = PropertiesText.encode(properties);
    if (text.length > PropertiesText.MAX_BYTES) {
      return refused(request, ResultCode.ILLEGAL_OPERATION, "the recall handle or the producerGroup is too long");
    }
    OwnAppends.Content content = new OwnAppends.Content(
        text, BODY, connection.remoteBytes(), clock.millis(), 0, 0, 0);
    return appends.append(topics.find(Topics.TIMER).orElseThrow(), TIMER_QUEUE, content).map(outcome -> outcome.stored()
        ? request.success().ext("msgId", handle.uniqueKey())
        : request.response(ResultCode.SYSTEM_ERROR, outcome.detail()));
  }

  /** Whether it can be the value of a property: without the separators that would begin another one. */
  private static boolean isPlain(String value) {
    return value.indexOf(PropertiesText.NAME_END) < 0 && value.indexOf(PropertiesText.ENTRY_END) < 0;
  }

  private static Future<RemotingCommand> refused(RemotingCommand request, ResultCode code, String reason) {
    return Future.succeededFuture(request.response(code, reason));
  }
}
