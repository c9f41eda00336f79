package io.metaq.coordinator;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.net.FrameHandler;
import io.metaq.net.InboundFrame;
import io.metaq.net.RemotingServer;
import io.metaq.net.RemotingServerOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A master that gives the tables it was told to give and takes consumers' progress in; a table it was not told of it refuses. */
@OwnedBy("the test; its answers go out on its own loop")
final class FakeMaster extends VerticleBase implements FrameHandler {
  /** Progress as the slave told it, by {@code group/topic/queue}. */
  final Map<String, Long> told = new ConcurrentHashMap<>();
  final AtomicInteger asked = new AtomicInteger();

  private final Map<Integer, byte[]> tables = new ConcurrentHashMap<>();
  private final Map<String, Map<String, Map<Integer, Long>>> progress = new TreeMap<>();
  private final int wantedPort;
  private volatile long ownedSinceMs;
  private volatile long logEnd;
  private volatile RemotingServer server;

  FakeMaster(int port, long ownedSinceMs) {
    wantedPort = port;
    this.ownedSinceMs = ownedSinceMs;
  }

  FakeMaster topics(TopicsFile topics) {
    return table(RequestCode.GET_ALL_TOPIC_CONFIG, TopicsFile.FORMAT, topics);
  }

  FakeMaster groups(GroupsFile groups) {
    return table(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, GroupsFile.FORMAT, groups);
  }

  /** Its table has this, with what it had before. */
  synchronized FakeMaster offset(String group, String topic, int queueId, long queueOffset) {
    progress.computeIfAbsent(group, any -> new TreeMap<>())
        .computeIfAbsent(topic, any -> new TreeMap<>())
        .put(queueId, queueOffset);
    OffsetsFile table = new OffsetsFile(DataVersion.INITIAL, progress, Map.of(), Map.of(), Map.of());
    return table(RequestCode.GET_ALL_CONSUMER_OFFSET, OffsetsFile.FORMAT, table);
  }

  FakeMaster delays(DelayOffsetsFile delays) {
    return table(RequestCode.GET_ALL_DELAY_OFFSET, DelayOffsetsFile.FORMAT, delays);
  }

  /** Where it says its log ends. */
  FakeMaster logEnd(long phyOffset) {
    logEnd = phyOffset;
    return this;
  }

  FakeMaster unreadable(RequestCode code) {
    tables.put(code.wire(), "[]".getBytes());
    return this;
  }

  private <T> FakeMaster table(RequestCode code, ConfigFormat<T> format, T content) {
    try {
      tables.put(code.wire(), ConfigJson.encode(format, content));
      return this;
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Its connections end, as when a process is killed. */
  Future<Void> kill() {
    return vertx.undeploy(context.deploymentID());
  }

  int port() {
    return server.port();
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  @Override
  public Future<?> start() {
    return RemotingServer.listen(vertx, RemotingServerOptions.of("127.0.0.1", wantedPort), this).onSuccess(listening -> server = listening);
  }

  @Override
  public Future<?> stop() {
    List.copyOf(server.connections()).forEach(connection -> connection.close("the master dies"));
    return server.close();
  }

  @Override
  public void opened(Connection connection) {}

  @Override
  public void closed(Connection connection) {}

  @Override
  public void request(Connection connection, InboundFrame frame) {
    RemotingCommand request = frame.command();
    asked.incrementAndGet();
    connection.write(answer(request));
  }

  private RemotingCommand answer(RemotingCommand request) {
    if (request.code() == RequestCode.UPDATE_CONSUMER_OFFSET.wire()) {
      String place =
          request.requireText("consumerGroup") + "/" + request.requireText("topic") + "/" + request.requireText("queueId");
      long queueOffset = request.requireLong("commitOffset");
      offset(request.requireText("consumerGroup"), request.requireText("topic"), (int) request.requireLong("queueId"), queueOffset);
      // Last: a test that sees it goes on to change the table.
      told.put(place, queueOffset);
      return request.success();
    }
    if (request.code() == RequestCode.GET_BROKER_RUNTIME_INFO.wire()) {
      return request.success().body(KvTableCodec.encode(Map.of("commitLogMaxOffset", Long.toString(logEnd))));
    }
    byte[] table = tables.get(request.code());
    return table == null
        ? request.response(ResultCode.SYSTEM_ERROR, "no such table")
        : request.success().ext("metaqOwnedSince", ownedSinceMs).body(table);
  }
}
