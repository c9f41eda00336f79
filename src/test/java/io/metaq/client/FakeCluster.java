package io.metaq.client;

import io.metaq.FreePorts;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.ClientBodies;
import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Name server and broker {@code b0} behind one port, in memory, for tests: stores what is sent, answers what the client asks, and does on
 * demand what real servers do only on bad days. A pull that finds nothing is held until something comes.
 */
@OwnedBy("its server's context; scripts are set from tests")
public final class FakeCluster {
  public static final String TOPIC = "T";
  public static final String BROKER = "b0";

  private final Vertx vertx;
  private final NetServer server;
  private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();
  private final Map<Integer, Function<Call, Boolean>> scripts = new ConcurrentHashMap<>();
  private final Map<String, Integer> topics = new ConcurrentHashMap<>();
  private final Map<String, List<byte[]>> queues = new HashMap<>();
  private final Map<String, Long> offsets = new ConcurrentHashMap<>();
  /** Client ids of each group, and of those that are members of every group. */
  private final Map<String, Set<String>> members = new ConcurrentHashMap<>();
  private final Set<String> everywhere = ConcurrentHashMap.newKeySet();
  private final Map<NetSocket, String> memberOf = new ConcurrentHashMap<>();
  private final List<Call> held = new ArrayList<>();
  private final Map<String, String> locks = new ConcurrentHashMap<>();
  private final Map<Integer, CompletableFuture<RemotingCommand>> asked = new ConcurrentHashMap<>();
  private static final int BIND_ATTEMPTS = 100;
  private static final int ASKED_FROM = 1_000_000;
  private static final long BIND_PAUSE_MS = 100;

  /** Of {@code b0}, by id, as JSON has them. */
  private volatile String addresses;
  private final List<RemotingCommand> requests = new CopyOnWriteArrayList<>();
  private final List<RemotingCommand> answers = new CopyOnWriteArrayList<>();

  /** One request and the way back. */
  public record Call(NetSocket socket, RemotingCommand request) {
    void answer(RemotingCommand response) {
      socket.write(Buffer.buffer(bytes(response)));
    }

    void refuse(int code, String remark) {
      answer(request.response(code, remark));
    }

    static byte[] bytes(RemotingCommand response) {
      ByteSink sink = new ByteSink(256);
      HeaderCodec.encode(response, sink);
      return sink.toByteArray();
    }
  }

  private FakeCluster(Vertx vertx, NetServer server) {
    this.vertx = vertx;
    this.server = server;
  }

  /** Starts on a port of its own. */
  public static FakeCluster start(Vertx vertx) throws Exception {
    return listen(vertx, FreePorts.next());
  }

  /** Starts on the port of one that was stopped; connections that were about to be taken then may keep it for a moment. */
  static FakeCluster start(Vertx vertx, int port) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return listen(vertx, port);
      } catch (ExecutionException taken) {
        if (attempt == BIND_ATTEMPTS || !(taken.getCause() instanceof BindException)) {
          throw taken;
        }
        TimeUnit.MILLISECONDS.sleep(BIND_PAUSE_MS);
      }
    }
  }

  /** As {@link #start}, on any port and with TLS. */
  static FakeCluster startTls(Vertx vertx, KeyCertOptions identity) throws Exception {
    return listen(vertx, new NetServerOptions().setPort(0).setSsl(true).setKeyCertOptions(identity));
  }

  private static FakeCluster listen(Vertx vertx, int port) throws Exception {
    return listen(vertx, new NetServerOptions().setPort(port));
  }

  private static FakeCluster listen(Vertx vertx, NetServerOptions options) throws Exception {
    NetServer server = vertx.createNetServer(options.setHost("127.0.0.1"));
    FakeCluster cluster = new FakeCluster(vertx, server);
    server.connectHandler(cluster::connected);
    server.listen().toCompletionStage().toCompletableFuture().get();
    cluster.topics.put(TOPIC, 2);
    cluster.addresses = "\"0\":\"%s\"".formatted(cluster.address());
    return cluster;
  }

  void stop() throws Exception {
    server.close().toCompletionStage().toCompletableFuture().get();
  }

  public String address() {
    return "127.0.0.1:" + server.actualPort();
  }

  int port() {
    return server.actualPort();
  }

  /** Only a slave of {@code b0} is registered from now on. */
  public void withoutMaster() {
    addresses = "\"1\":\"%s\"".formatted(address());
  }

  /** No broker is registered from now on. */
  public void withoutBrokers() {
    addresses = "";
  }

  void topic(String name, int queueCount) {
    topics.put(name, queueCount);
  }

  void noTopic(String name) {
    topics.remove(name);
  }

  /** Does this for each request of a code, instead of the usual where it returns true. */
  public void script(RequestCode code, Function<Call, Boolean> script) {
    scripts.put(code.wire(), script);
  }

  public void noScript(RequestCode code) {
    scripts.remove(code.wire());
  }

  /** Makes the first {@code count} requests of a code go wrong. */
  void first(int count, RequestCode code, Consumer<Call> fault) {
    AtomicInteger left = new AtomicInteger(count);
    script(code, call -> {
      if (left.getAndDecrement() <= 0) {
        return false;
      }
      fault.accept(call);
      return true;
    });
  }

  void cutAll() {
    sockets.forEach(NetSocket::close);
  }

  /** Requests of a code so far. */
  List<RemotingCommand> requests(RequestCode code) {
    return requests.stream().filter(request -> request.code() == code.wire()).toList();
  }

  boolean wasAsked() {
    return !requests.isEmpty();
  }

  Long offset(String group, String topic, int queueId) {
    return offsets.get(group + "/" + topic + "/" + queueId);
  }

  void offset(String group, String topic, int queueId, long queueOffset) {
    offsets.put(group + "/" + topic + "/" + queueId, queueOffset);
  }

  /** Another member of every group; the client is told. */
  void member(String clientId, String notifiedGroup) {
    everywhere.add(clientId);
    notifyMembers(notifiedGroup);
  }

  void noMember(String clientId, String notifiedGroup) {
    everywhere.remove(clientId);
    notifyMembers(notifiedGroup);
  }

  /** As after a restart of the broker: it knows no member until that tells it again. */
  void forgetMembers() {
    members.clear();
    everywhere.clear();
    cutAll();
  }

  /** A record as it is stored. */
  byte[] record(String topic, int queueId, int queueOffset) {
    byte[][] found = new byte[1][];
    run(() -> found[0] = queue(topic, queueId).get(queueOffset));
    return found[0];
  }

  /** Who has the lock of a queue in whatever group, null for nobody. */
  String lock(String topic, int queueId) {
    return locks.get(topic + "/" + queueId);
  }

  /** Gives a lock to somebody, whoever has it; null for nobody. */
  void lock(String topic, int queueId, String owner) {
    if (owner == null) {
      locks.remove(topic + "/" + queueId);
    } else {
      locks.put(topic + "/" + queueId, owner);
    }
  }

  /** Asks the client of its own accord; the answer comes on a broker's connection. */
  RemotingCommand ask(RemotingCommand request) throws Exception {
    CompletableFuture<RemotingCommand> answer = new CompletableFuture<>();
    int opaque = ASKED_FROM + answers.size();
    asked.put(opaque, answer);
    tell(request.opaque(opaque));
    return answer.get(60, TimeUnit.SECONDS);
  }

  void store(String topic, int queueId, String body, Map<String, String> properties, int sysFlag) {
    run(() -> append(topic, queueId, body.getBytes(StandardCharsets.UTF_8), properties, sysFlag, 0));
  }

  void store(String topic, int queueId, byte[] body, Map<String, String> properties, int sysFlag) {
    run(() -> append(topic, queueId, body, properties, sysFlag, 0));
  }

  /** As {@link #store}, at a time of the broker's clock, ms since 1970. */
  void storeAt(String topic, int queueId, String body, long storedMs) {
    run(() -> {
      append(topic, queueId, body.getBytes(StandardCharsets.UTF_8), Map.of(), 0, 0);
      List<byte[]> records = queue(topic, queueId);
      ByteBuffer.wrap(records.get(records.size() - 1)).putLong(56, storedMs);
    });
  }

  /** Asks or tells every connection something of its own accord. */
  void tell(RemotingCommand command) {
    sockets.forEach(socket -> socket.write(Buffer.buffer(Call.bytes(command))));
  }

  /** What clients answered to {@link #tell}. */
  List<RemotingCommand> answers() {
    return answers;
  }

  private void notifyMembers(String group) {
    tell(RemotingCommand.oneway(RequestCode.NOTIFY_CONSUMER_IDS_CHANGED).ext("consumerGroup", group));
  }

  private void run(Runnable task) {
    CountDownLatch done = new CountDownLatch(1);
    vertx.runOnContext(ignored -> {
      synchronized (queues) {
        task.run();
      }
      done.countDown();
    });
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void connected(NetSocket socket) {
    sockets.add(socket);
    FrameCutter cutter = new FrameCutter((bytes, from, length) -> {
      Call call = new Call(socket, Frames.decode(bytes, from, length));
      synchronized (queues) {
        if (call.request.isResponse()) {
          answers.add(call.request);
          CompletableFuture<RemotingCommand> waiting = asked.remove(call.request.opaque());
          if (waiting != null) {
            waiting.complete(call.request);
          }
        } else {
          requests.add(call.request);
          Function<Call, Boolean> script = scripts.get(call.request.code());
          if (script == null || !script.apply(call)) {
            serve(call);
          }
        }
      }
    });
    socket.handler(cutter::feed);
    socket.closeHandler(ignored -> {
      sockets.remove(socket);
      String member = memberOf.remove(socket);
      if (member != null) {
        members.values().forEach(group -> group.remove(member));
      }
    });
  }

  /** The usual, for one that a script has kept. */
  void serveKept(Call call) {
    run(() -> serve(call));
  }

  /** The usual. */
  void serve(Call call) {
    RemotingCommand request = call.request;
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    switch (code) {
      case GET_ROUTEINFO_BY_TOPIC -> route(call);
      case SEND_MESSAGE_V2, SEND_REPLY_MESSAGE_V2 -> send(call);
      case SEND_BATCH_MESSAGE -> sendBatch(call);
      case GET_BROKER_CLUSTER_INFO -> cluster(call);
      case PULL_MESSAGE -> pull(call);
      case HEART_BEAT -> {
        ClientBodies.ClientData client = ClientBodies.heartbeat(request.body());
        client.consumers().forEach(consumer -> {
          group(consumer.group()).add(client.clientId());
          memberOf.put(call.socket, client.clientId());
        });
        call.answer(request.success());
      }
      case UNREGISTER_CLIENT -> {
        request.text("consumerGroup").ifPresent(group -> group(group).remove(request.requireText("clientID")));
        call.answer(request.success());
      }
      case GET_CONSUMER_LIST_BY_GROUP -> {
        Set<String> all = new TreeSet<>(everywhere);
        all.addAll(group(request.requireText("consumerGroup")));
        call.answer(request.success().body(ClientBodies.consumerIds(List.copyOf(all))));
      }
      case QUERY_CONSUMER_OFFSET -> {
        Long stored = offset(request.requireText("consumerGroup"), request.requireText("topic"), request.requireInt("queueId"));
        call.answer(
            stored == null ? request.response(ResultCode.QUERY_NOT_FOUND, "none") : request.success().ext("offset", stored));
      }
      case UPDATE_CONSUMER_OFFSET -> {
        offset(
            request.requireText("consumerGroup"),
            request.requireText("topic"),
            request.requireInt("queueId"),
            request.requireLong("commitOffset"));
        call.answer(request.success());
      }
      case LOCK_BATCH_MQ -> {
        ClientBodies.LockData wanted = ClientBodies.locks(request.body());
        call.answer(request.success().body(ClientBodies.locked(wanted.queues().stream().filter(queue ->
            locks.merge(queue.topic() + "/" + queue.queueId(), wanted.clientId(), (owner, asks) -> owner).equals(wanted.clientId()))
            .toList())));
      }
      case UNLOCK_BATCH_MQ -> {
        ClientBodies.LockData given = ClientBodies.locks(request.body());
        given.queues().forEach(queue -> locks.remove(queue.topic() + "/" + queue.queueId(), given.clientId()));
        call.answer(request.success());
      }
      case GET_MIN_OFFSET -> call.answer(request.success().ext("offset", 0));
      case GET_MAX_OFFSET ->
          call.answer(request.success().ext("offset", queue(request.requireText("topic"), request.requireInt("queueId")).size()));
      case CONSUMER_SEND_MSG_BACK, CHECK_CLIENT_CONFIG, END_TRANSACTION -> call.answer(request.success());
      default -> call.refuse(ResultCode.REQUEST_CODE_NOT_SUPPORTED.wire(), "not faked");
    }
  }

  private void route(Call call) {
    Integer count = topics.get(call.request.requireText("topic"));
    if (count == null || addresses.isEmpty()) {
      call.refuse(ResultCode.TOPIC_NOT_EXIST.wire(), "no route");
      return;
    }
    String json =
        """
        {"brokerDatas":[{"brokerAddrs":{%s},"brokerName":"b0","cluster":"c"}],"filterServerTable":{},
         "queueDatas":[{"brokerName":"b0","perm":6,"readQueueNums":%d,"topicSysFlag":0,"writeQueueNums":%d}]}"""
            .formatted(addresses, count, count);
    call.answer(call.request.success().body(json.getBytes(StandardCharsets.UTF_8)));
  }

  private void send(Call call) {
    RemotingCommand request = call.request;
    Map<String, String> properties = PropertiesText.decode(request.text("i").orElse("").getBytes(StandardCharsets.UTF_8));
    int queueId = request.requireInt("e");
    long queueOffset = append(request.requireText("b"), queueId, request.body(), properties, request.requireInt("f"), 0);
    if (!request.oneway()) {
      call.answer(stored(request, queueId, queueOffset, ResultCode.SUCCESS));
    }
  }

  private void sendBatch(Call call) {
    RemotingCommand request = call.request;
    int queueId = request.requireInt("e");
    List<String> ids = new ArrayList<>();
    long first = -1;
    for (ByteBuffer bytes = ByteBuffer.wrap(request.body()); bytes.hasRemaining(); ) {
      bytes.position(bytes.position() + 16);
      byte[] body = new byte[bytes.getInt()];
      bytes.get(body);
      byte[] properties = new byte[bytes.getShort()];
      bytes.get(properties);
      long queueOffset = append(request.requireText("b"), queueId, body, PropertiesText.decode(properties), 0, 0);
      first = first < 0 ? queueOffset : first;
      ids.add("7F00000100002A9F%016X".formatted(queueOffset));
    }
    call.answer(stored(request, queueId, first, ResultCode.SUCCESS).ext("msgId", String.join(",", ids)));
  }

  private void cluster(Call call) {
    String json = addresses.isEmpty() ? "{\"brokerAddrTable\":{},\"clusterAddrTable\":{}}"
        : """
        {"brokerAddrTable":{"b0":{"brokerAddrs":{%s},"brokerName":"b0","cluster":"c"}},"clusterAddrTable":{"c":["b0"]}}"""
            .formatted(addresses);
    call.answer(call.request.success().body(json.getBytes(StandardCharsets.UTF_8)));
  }

  static RemotingCommand stored(RemotingCommand request, int queueId, long queueOffset, ResultCode code) {
    return request
        .response(code, null)
        .ext("msgId", "7F00000100002A9F0000000000000003")
        .ext("queueId", queueId)
        .ext("queueOffset", queueOffset);
  }

  private void pull(Call call) {
    RemotingCommand request = call.request;
    List<byte[]> records = queue(request.requireText("topic"), request.requireInt("queueId"));
    long from = request.requireLong("queueOffset");
    int count = (int) Math.min(request.requireInt("maxMsgNums"), records.size() - from);
    if (count > 0) {
      ByteSink body = new ByteSink(1024);
      records.subList((int) from, (int) from + count).forEach(body::putBytes);
      call.answer(pulled(request, ResultCode.SUCCESS, from + count, records.size()).body(body.toByteArray()));
    } else if ((request.requireInt("sysFlag") & 2) != 0) {
      held.add(call);
    } else {
      call.answer(pulled(request, ResultCode.PULL_NOT_FOUND, from, records.size()));
    }
  }

  static RemotingCommand pulled(RemotingCommand request, ResultCode code, long next, long max) {
    return request
        .response(code, null)
        .ext("suggestWhichBrokerId", 0)
        .ext("nextBeginOffset", next)
        .ext("minOffset", 0)
        .ext("maxOffset", max);
  }

  private long append(String topic, int queueId, byte[] body, Map<String, String> properties, int sysFlag, int reconsumed) {
    List<byte[]> records = queue(topic, queueId);
    byte[] host = {127, 0, 0, 1, 0, 0, 0, 80};
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    byte[] text = PropertiesText.encode(properties);
    RecordEncoder encoder =
        new RecordEncoder(host)
            .topic(name, 0, name.length)
            .properties(text, 0, text.length)
            .body(ByteBuffer.wrap(body))
            .born(host, 4)
            .message(queueId, 0, sysFlag, reconsumed, 0);
    ByteBuffer record = ByteBuffer.allocate(encoder.size());
    encoder.writeTo(record, 0);
    record.putLong(20, records.size());
    record.putLong(28, 1000 + records.size());
    records.add(record.array());
    List<Call> waiting = List.copyOf(held);
    held.clear();
    waiting.forEach(this::pull);
    return records.size() - 1;
  }

  private Set<String> group(String name) {
    return members.computeIfAbsent(name, key -> ConcurrentHashMap.newKeySet());
  }

  private List<byte[]> queue(String topic, int queueId) {
    return queues.computeIfAbsent(topic + "/" + queueId, key -> new ArrayList<>());
  }

  /** Half of a frame. */
  static Buffer half(RemotingCommand response) {
    byte[] whole = Call.bytes(response);
    return Buffer.buffer(Arrays.copyOf(whole, whole.length / 2));
  }
}
