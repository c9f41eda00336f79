package io.metaq.replication;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.net.FrameHandler;
import io.metaq.net.InboundFrame;
import io.metaq.net.RemotingServer;
import io.metaq.net.RemotingServerOptions;
import io.metaq.store.StoreOptions;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A master that also answers the questions of a slave that compares logs (28, 33), as a broker does. */
final class TestMaster extends TestNode {
  final int brokerPort;
  /** Connections on which it was asked while it was silent. */
  final Set<Connection> questions = ConcurrentHashMap.newKeySet();
  /** Whether it passes for one of RocketMQ. */
  volatile boolean foreign;
  /** Where it says its log begins; -1 = where it does. */
  volatile long claimedFirst = -1;
  /** What it answers when it is asked for a record, instead of showing one. */
  volatile ResultCode refusal;
  /** Whether it says nothing at all. */
  volatile boolean silent;
  /** Runs before a record is looked for. */
  volatile Runnable asked = () -> { };

  TestMaster(Path folder, boolean syncFlush, ReplicationOptions options) throws Exception {
    this(storeOptions(folder, syncFlush), options, false);
  }

  TestMaster(StoreOptions files, ReplicationOptions options, boolean nativeTransport) throws Exception {
    super(files, options, nativeTransport);
    Promise<RemotingServer> listening = Promise.promise();
    vertx.runOnContext(loop ->
        RemotingServer.listen(vertx, RemotingServerOptions.of("127.0.0.1", 0), new Answers()).onComplete(listening));
    brokerPort = await(listening.future()).port();
  }

  private final class Answers implements FrameHandler {
    @Override
    public void opened(Connection connection) {
      // Nothing is kept of one.
    }

    @Override
    public void closed(Connection connection) {
      questions.remove(connection);
    }

    @Override
    public void request(Connection connection, InboundFrame frame) {
      if (silent) {
        questions.add(connection);
        return;
      }
      RemotingCommand request = frame.command();
      connection.write(request.code() == RequestCode.GET_BROKER_RUNTIME_INFO.wire() ? positions(request) : record(request));
    }

    private RemotingCommand positions(RemotingCommand request) {
      Map<String, String> table = new LinkedHashMap<>();
      table.put("commitLogMinOffset", Long.toString(Math.max(claimedFirst, store.view().firstOffset())));
      table.put("commitLogMaxOffset", Long.toString(Math.max(claimedFirst, end())));
      if (!foreign) {
        table.put(MasterCheck.FROM_FIRST_FILE, "1");
      }
      return request.success().body(KvTableCodec.encode(table));
    }

    private RemotingCommand record(RemotingCommand request) {
      asked.run();
      if (refusal != null) {
        return request.response(refusal, "not now");
      }
      return store.view().recordAt(request.requireLong("offset")).map(record -> {
        byte[] bytes = new byte[record.size()];
        record.bytes().get(0, bytes);
        record.release();
        return request.success().body(bytes);
      }).orElseGet(() -> request.response(ResultCode.SYSTEM_ERROR, "no record begins there"));
    }
  }

}
