package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.store.KeyKind;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Serves VIEW_MESSAGE_BY_ID and QUERY_MESSAGE (33, 12): messages by place, and by key or tag, read by a worker. */
final class LookUpHandler extends CommandHandler {
  /** Bytes after which an answer takes no further message; they are copied, and clients take no frame above 16 MiB. */
  static final int MAX_ANSWER_BYTES = 4 * 1024 * 1024;

  private final BrokerOptions options;
  private final StoreView store;
  private final ColdReads reads;

  LookUpHandler(BrokerOptions options, StoreView store, ColdReads reads) {
    this.options = options;
    this.store = store;
    this.reads = reads;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return request.code() == RequestCode.VIEW_MESSAGE_BY_ID.wire() ? view(request) : query(request);
  }

  private Future<RemotingCommand> view(RemotingCommand request) {
    long phyOffset = request.requireLong("offset");
    return reads.call(() -> {
      Optional<RecordSlice> record = store.recordAt(phyOffset);
      if (record.isEmpty()) {
        return request.response(ResultCode.SYSTEM_ERROR, "can not find message by the offset, " + phyOffset);
      }
      return request.success().body(bytesOf(List.of(record.get())));
    });
  }

  private Future<RemotingCommand> query(RemotingCommand request) {
    String topic = request.requireText("topic");
    String key = request.requireText("key");
    long begin = request.requireLong("beginTimestamp");
    long end = request.requireLong("endTimestamp");
    boolean unique = request.booleanOr("_UNIQUE_KEY_QUERY", false);
    int most = unique ? options.maxQueryResults() : Math.min(request.requireInt("maxNum"), options.maxQueryResults());
    KeyKind kind = unique ? KeyKind.UNIQUE : kindOf(request);
    String what = kind == KeyKind.TAG ? "tag " : "key ";
    return reads.call(() -> {
      List<RecordSlice> records = store.byKey(topic, key, most, begin, end, kind);
      RemotingCommand answer =
          records.isEmpty()
              ? request.response(ResultCode.QUERY_NOT_FOUND, "no message of topic " + topic + " has the " + what + key)
              : request.success().body(bytesOf(records));
      return answer
          .ext("indexLastUpdateTimestamp", store.indexLastTimestamp())
          .ext("indexLastUpdatePhyoffset", store.indexLastPhyOffset());
    });
  }

  /** Clients before 5.5 name no kind. */
  private static KeyKind kindOf(RemotingCommand request) {
    return switch (request.text("indexType").orElse("")) {
      case "T" -> KeyKind.TAG;
      case "U" -> KeyKind.UNIQUE;
      default -> KeyKind.ANY;
    };
  }

  private static byte[] bytesOf(List<RecordSlice> records) {
    try {
      int count = 0;
      int size = 0;
      while (count < records.size() && (count == 0 || size + records.get(count).size() <= MAX_ANSWER_BYTES)) {
        size += records.get(count++).size();
      }
      ByteBuffer all = ByteBuffer.allocate(size);
      records.subList(0, count).forEach(record -> all.put(record.bytes()));
      return all.array();
    } finally {
      records.forEach(RecordSlice::release);
    }
  }
}
