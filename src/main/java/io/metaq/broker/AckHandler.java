package io.metaq.broker;

import io.metaq.codec.pop.BatchAckBody;
import io.metaq.codec.pop.PopHandle;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Serves ACK_MESSAGE, BATCH_ACK_MESSAGE and CHANGE_MESSAGE_INVISIBLETIME (200051, 200151, 200053): what a client says of messages
 * it has popped.
 */
final class AckHandler extends CommandHandler {
  private final BrokerOptions options;
  private final PopOptions pops;
  private final LoopTopics topics;
  private final SettlePipe pipe;

  AckHandler(BrokerOptions options, PopOptions pops, LoopTopics topics, SettlePipe pipe) {
    this.options = options;
    this.pops = pops;
    this.topics = topics;
    this.pipe = pipe;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return request.code() == RequestCode.BATCH_ACK_MESSAGE.wire() ? batch(connection, request) : single(connection, request);
  }

  private Future<RemotingCommand> single(Connection connection, RemotingCommand request) {
    boolean ack = request.code() == RequestCode.ACK_MESSAGE.wire();
    String group = request.requireText("consumerGroup");
    String topic = request.requireText("topic");
    int queueId = request.requireInt("queueId");
    String extraInfo = request.requireText("extraInfo");
    long queueOffset = request.requireLong("offset");
    long invisibleMs = ack ? SettleRequest.ACK : request.requireLong("invisibleTime");
    Optional<Fault> fault = fault(topic, queueId);
    if (fault.isPresent()) {
      return refused(request, fault.get());
    }
    if (!ack && (invisibleMs < 0 || invisibleMs > pops.maxInvisibleMs())) {
      return refused(request, new Fault(ResultCode.INVALID_PARAMETER,
          "invisibleTime=" + invisibleMs + " is not from 0 to " + pops.maxInvisibleMs() + " ms (timerMaxDelaySec)"));
    }
    PopHandle handle = PopHandle.parse(extraInfo);
    SettleRequest said = new SettleRequest(
        group, topic, queueId, handle.startOffset(), handle.popTimeMs(), handle.reviveQueueId(), new long[] {queueOffset},
            invisibleMs,
        request.booleanOr("suspend", false));
    return pipe.settle(connection, said).map(outcome -> ack ? acked(request, outcome) : changed(request, handle, outcome));
  }

  private static RemotingCommand acked(RemotingCommand request, SettleOutcome outcome) {
    return request.response(outcome.code(), outcome.remark());
  }

  private static RemotingCommand changed(RemotingCommand request, PopHandle handle, SettleOutcome outcome) {
    RemotingCommand answer = request.response(outcome.code(), outcome.remark());
    return outcome.code() != ResultCode.SUCCESS ? answer : answer
        .ext("popTime", outcome.popTimeMs())
        .ext("invisibleTime", outcome.invisibleMs())
        .ext("reviveQid", handle.reviveQueueId());
  }

  /** Like RocketMQ, it succeeds whatever single entries are worth; only what could not be noted fails it. */
  private Future<RemotingCommand> batch(Connection connection, RemotingCommand request) {
    List<BatchAckBody.Entry> entries;
    try {
      entries = request.body().length == 0 ? List.of() : BatchAckBody.decode(request.body());
    } catch (BodyException unreadable) {
      return refused(request, new Fault(ResultCode.SYSTEM_ERROR, unreadable.getMessage()));
    }
    if (entries.isEmpty()) {
      return refused(request, new Fault(ResultCode.NO_MESSAGE, "the request acknowledges nothing"));
    }
    List<Future<SettleOutcome>> outcomes = new ArrayList<>();
    for (BatchAckBody.Entry entry : entries) {
      String topic = entry.retry() ? Topics.popRetryOf(entry.topic(), entry.group()) : entry.topic();
      if (entry.queueOffsets().length > 0 && fault(topic, entry.queueId()).isEmpty()) {
        outcomes.add(pipe.settle(connection, new SettleRequest(
            entry.group(), topic, entry.queueId(), entry.startOffset(), entry.popTimeMs(), entry.reviveQueueId(),
            entry.queueOffsets(), SettleRequest.ACK, false)));
      }
    }
    return Future.all(outcomes).map(all -> outcomes.stream().map(Future::result)
        .filter(outcome -> outcome.code() == ResultCode.SYSTEM_ERROR).findFirst()
        .map(failed -> request.response(failed.code(), failed.remark()))
        .orElseGet(request::success));
  }

  private Optional<Fault> fault(String topic, int queueId) {
    Optional<TopicEntry> entry = topics.find(topic);
    if (entry.isEmpty()) {
      return Optional.of(new Fault(ResultCode.TOPIC_NOT_EXIST, "topic " + topic + " does not exist on broker "
          + options.brokerName()));
    }
    int queues = entry.get().config().readQueues();
    return queueId >= 0 && queueId < queues ? Optional.empty() : Optional.of(new Fault(ResultCode.MESSAGE_ILLEGAL,
        "queue " + queueId + " does not exist: topic " + topic + " has " + queues + " queues to read"));
  }

  private static Future<RemotingCommand> refused(RemotingCommand request, Fault fault) {
    return Future.succeededFuture(request.response(fault.code(), fault.remark()));
  }
}
