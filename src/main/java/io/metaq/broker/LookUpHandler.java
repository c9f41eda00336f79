package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/** Serves VIEW_MESSAGE_BY_ID and QUERY_MESSAGE (33, 12): messages by place and by key, read by a worker. */
final class LookUpHandler extends CommandHandler {
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
    return view(request);
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

  private static byte[] bytesOf(List<RecordSlice> records) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (RecordSlice record : records) {
      byte[] bytes = new byte[record.bytes().remaining()];
      record.bytes().get(record.bytes().position(), bytes);
      record.release();
      all.writeBytes(bytes);
    }
    return all.toByteArray();
  }
}
