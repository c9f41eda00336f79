package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.store.StoreView;
import io.metaq.store.TimeBoundary;
import io.vertx.core.Future;

/**
 * Serves what can be asked of a queue's bounds: SEARCH_OFFSET_BY_TIMESTAMP, GET_MAX_OFFSET, GET_MIN_OFFSET,
 * GET_EARLIEST_MSG_STORETIME (29 to 32). An unknown queue is an empty one.
 */
final class QueueOffsetHandler extends CommandHandler {
  private final StoreView store;
  private final ColdReads reads;

  QueueOffsetHandler(StoreView store, ColdReads reads) {
    this.store = store;
    this.reads = reads;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    String topic = request.requireText("topic");
    int queueId = request.requireInt("queueId");
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    return switch (code) {
      case GET_MAX_OFFSET -> Future.succeededFuture(offset(request, store.maxOffset(topic, queueId)));
      case GET_MIN_OFFSET -> reads.call(() -> store.minOffset(topic, queueId)).map(at -> offset(request, at));
      case GET_EARLIEST_MSG_STORETIME ->
          reads.call(() -> store.earliestStoreTime(topic, queueId)).map(ms -> request.success().ext("timestamp", ms));
      case SEARCH_OFFSET_BY_TIMESTAMP -> {
        long timestamp = request.requireLong("timestamp");
        TimeBoundary boundary = boundary(request);
        yield reads.call(() -> store.offsetByTime(topic, queueId, timestamp, boundary)).map(at -> offset(request, at));
      }
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "not a question about a queue: " + code));
    };
  }

  private static RemotingCommand offset(RemotingCommand request, long queueOffset) {
    return request.success().ext("offset", queueOffset);
  }

  private static TimeBoundary boundary(RemotingCommand request) {
    boolean upper = request.text("boundaryType").map(type -> type.trim().equalsIgnoreCase("UPPER")).orElse(false);
    return upper ? TimeBoundary.UPPER : TimeBoundary.LOWER;
  }
}
