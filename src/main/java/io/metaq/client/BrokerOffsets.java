package io.metaq.client;

import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.OptionalLong;

/** Asks and tells brokers about offsets of queues: the ends, by time, and what groups have stored. */
@OwnedBy("its client's context")
final class BrokerOffsets {
  private final Links links;
  private final RouteCache routes;
  private final long timeoutMs;

  BrokerOffsets(Links links, RouteCache routes, long timeoutMs) {
    this.links = links;
    this.routes = routes;
    this.timeoutMs = timeoutMs;
  }

  /** The offset a position means in a queue now. */
  Future<Long> of(TopicQueue queue, Position position) {
    if (position instanceof Position.Offsets offsets) {
      return offsets.byQueue().containsKey(queue) ? Future.succeededFuture(offsets.byQueue().get(queue)) : of(queue, offsets.others());
    }
    if (position instanceof Position.Earliest) {
      return ask(queue, queueRequest(RequestCode.GET_MIN_OFFSET, queue));
    }
    if (position instanceof Position.At at) {
      return ask(
          queue,
          queueRequest(RequestCode.SEARCH_OFFSET_BY_TIMESTAMP, queue)
              .ext("timestamp", at.timestampMs())
              .ext("boundaryType", "LOWER"));
    }
    return ask(queue, queueRequest(RequestCode.GET_MAX_OFFSET, queue));
  }

  /** What a group has stored, empty when nothing. */
  Future<OptionalLong> stored(String group, TopicQueue queue) {
    RemotingCommand request =
        queueRequest(RequestCode.QUERY_CONSUMER_OFFSET, queue).ext("consumerGroup", group).ext("setZeroIfNotFound", false);
    return call(queue, request)
        .compose(
            answer ->
                answer.code() == ResultCode.QUERY_NOT_FOUND.wire()
                    ? Future.succeededFuture(OptionalLong.empty())
                    : offset(queue, answer).map(OptionalLong::of));
  }

  /** Stores a group's offset; completes when the broker has it. */
  Future<Void> store(String group, TopicQueue queue, long queueOffset) {
    RemotingCommand request =
        queueRequest(RequestCode.UPDATE_CONSUMER_OFFSET, queue).ext("consumerGroup", group).ext("commitOffset", queueOffset);
    return call(queue, request)
        .compose(
            answer ->
                answer.code() == ResultCode.SUCCESS.wire()
                    ? Future.succeededFuture()
                    : Future.failedFuture(MetaqException.refused(queue.broker(), answer.code(), answer.remark())));
  }

  /** What a queue's progress is stored over now, compared by identity: a broker that comes back may have lost the latest. Null for nothing. */
  Object connection(TopicQueue queue) {
    return master(queue).map(links::ready).orElse(null);
  }

  private Future<Long> ask(TopicQueue queue, RemotingCommand request) {
    return call(queue, request).compose(answer -> offset(queue, answer));
  }

  private Future<RemotingCommand> call(TopicQueue queue, RemotingCommand request) {
    return master(queue)
        .map(address -> links.call(address, request, timeoutMs))
        .orElseGet(() -> Future.failedFuture(MetaqException.noMaster(queue.broker())));
  }

  private Optional<Address> master(TopicQueue queue) {
    return Optional.ofNullable(routes.ready(queue.topic())).flatMap(route -> route.master(queue.broker()));
  }

  private static Future<Long> offset(TopicQueue queue, RemotingCommand answer) {
    if (answer.code() != ResultCode.SUCCESS.wire()) {
      return Future.failedFuture(MetaqException.refused(queue.broker(), answer.code(), answer.remark()));
    }
    try {
      return Future.succeededFuture(answer.requireLong("offset"));
    } catch (HeaderException incomplete) {
      return Future.failedFuture(
          MetaqException.of(
              MetaqException.Reason.CONNECTION, queue.broker() + " sent an incomplete answer: " + incomplete.getMessage(), incomplete));
    }
  }

  private static RemotingCommand queueRequest(RequestCode code, TopicQueue queue) {
    return RemotingCommand.request(code).ext("topic", queue.topic()).ext("queueId", queue.queueId());
  }
}
