package io.metaq.nameserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.codec.registry.ClusterInfoCodec;
import io.metaq.codec.registry.DataVersionCodec;
import io.metaq.codec.registry.IdKeys;
import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.registry.QueueData;
import io.metaq.codec.registry.RegisterBody;
import io.metaq.codec.registry.RegisterBodyCodec;
import io.metaq.codec.registry.TopicListCodec;
import io.metaq.codec.registry.TopicRoute;
import io.metaq.codec.registry.TopicRouteCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.AddressRanges;
import io.metaq.model.DataVersion;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.net.TestPeer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over real sockets. */
class NameServerVerticleTest {
  private static final DataVersion VERSION = new DataVersion(0, 1_700_000_000_000L, 3);
  private static final TopicConfig T = TopicConfig.of("T", 4, 6);
  private static final TopicConfig U = new TopicConfig("U", 2, 2, 6, "SINGLE_TAG", 2, false, Map.of());
  private static final RegisterBody BODY = new RegisterBody(VERSION, List.of(T, U));
  private static final int V4_9_3 = 399;
  private static final long SCAN_PERIOD_MS = 20;

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final HandClock clock = new HandClock();
  private NameServerVerticle nameServer;
  private String deployment;
  private TestPeer client;

  @BeforeEach
  void start() throws Exception {
    client = new TestPeer(deploy(NameServerSwitches.DEFAULTS, AddressRanges.LOOPBACK));
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    vertx.close().await(60, TimeUnit.SECONDS);
  }

  @Test
  void shouldGiveTheRouteOfATopicThatWasRegistered() throws Exception {
    RemotingCommand registered = call(client, plain("10.0.0.1:10911"));
    RemotingCommand answer = call(client, route("T"));

    assertThat(registered.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(KvTableCodec.decode(registered.body())).isEmpty();
    assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
    TopicRoute route = TopicRouteCodec.decode(answer.body());
    assertThat(route.queues()).containsExactly(new QueueData("b0", 4, 4, 6, 0));
    assertThat(route.brokers().get(0).masterAddress()).contains("10.0.0.1:10911");
  }

  @Test
  void shouldTakeACompressedRegistrationAndCheckItsChecksum() throws Exception {
    byte[] body = RegisterBodyCodec.encodeCompressed(BODY, RemotingCommand.VERSION);

    int crc = RegisterBodyCodec.crc(body);

    RemotingCommand wrong =
        call(client, register("10.0.0.1:10911").ext("compressed", true).ext("bodyCrc32", crc ^ 1).body(body));
    RemotingCommand right = call(client, register("10.0.0.1:10911").ext("compressed", true).ext("bodyCrc32", crc).body(body));

    assertThat(wrong.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(wrong.remark()).isEqualTo("crc32 not match");
    assertThat(right.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(TopicListCodec.decode(call(client, list()).body())).containsExactly("T", "U");
  }

  /** What a broker of RocketMQ 5.5.0 with compressedRegister=true sends; it showed as a registration that is not valid JSON. */
  @Test
  void shouldTakeACompressedRegistrationThatSaysItIsNot() throws Exception {
    byte[] body = RegisterBodyCodec.encodeCompressed(BODY, RemotingCommand.VERSION);

    RemotingCommand answer = call(client, register("10.0.0.1:10911").ext("compressed", false).body(body));

    assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(TopicListCodec.decode(call(client, list()).body())).containsExactly("T", "U");
  }

  @Test
  void shouldAnswerAnUnreadableRegistrationAndGoOn() throws Exception {
    RemotingCommand answer = call(client, register("10.0.0.1:10911").body(bytes("{\"topicConfigSerializeWrapper\":{")));

    assertThat(answer.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(answer.remark()).startsWith("the registration is not valid JSON");
    assertThat(call(client, plain("10.0.0.1:10911")).code()).isEqualTo(ResultCode.SUCCESS.wire());
  }

  @Test
  void shouldAnswerInTheHeaderFormOfTheRequest() throws Exception {
    int code = RequestCode.GET_ROUTEINFO_BY_TOPIC.wire();
    RemotingCommand binary =
        RemotingCommand.decoded(code, "JAVA", RemotingCommand.VERSION, 5, 0, SerializeType.ROCKETMQ).ext("topic", "none");

    RemotingCommand answer = call(client, binary);

    assertThat(answer.type()).isEqualTo(SerializeType.ROCKETMQ);
    assertThat(answer.opaque()).isEqualTo(5);
    assertThat(answer.code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
    assertThat(answer.remark()).startsWith("No topic route info in name server for the topic: none");
  }

  @Test
  void shouldWriteBareIdsForOldClientsUnlessTheyAskForStrictJson() throws Exception {
    call(client, plain("10.0.0.1:10911"));

    String old = text(call(client, route("T", V4_9_3)));
    String asked = text(call(client, route("T", V4_9_3).ext("acceptStandardJsonOnly", true)));
    String current = text(call(client, route("T")));

    assertThat(old).contains("{0:\"10.0.0.1:10911\"}");
    assertThat(asked).contains("{\"0\":\"10.0.0.1:10911\"}").isEqualTo(current);
    assertThat(IdKeys.forClient(401, false)).isEqualTo(IdKeys.QUOTED);
    assertThat(IdKeys.forClient(400, false)).isEqualTo(IdKeys.BARE);
  }

  @Test
  void shouldAnswerNothingToAOnewayRequest() throws Exception {
    client.send(RemotingCommand.oneway(RequestCode.GET_ROUTEINFO_BY_TOPIC).ext("topic", "T").opaque(1));
    RemotingCommand next = call(client, route("T").opaque(2));

    assertThat(next.opaque()).isEqualTo(2);
  }

  @Test
  void shouldForgetABrokerAtOnceWhenItsConnectionCloses() throws Exception {
    try (TestPeer broker = new TestPeer(nameServer.port())) {
      call(broker, plain("10.0.0.1:10911"));
      assertThat(call(client, route("T")).code()).isEqualTo(ResultCode.SUCCESS.wire());
    }

    await(() -> code(route("T")) == ResultCode.TOPIC_NOT_EXIST.wire());
  }

  @Test
  void shouldDropASilentBrokerTogetherWithItsConnection() throws Exception {
    try (TestPeer broker = new TestPeer(nameServer.port())) {
      call(broker, plain("10.0.0.1:10911").ext("heartbeatTimeoutMillis", 10_000));
      clock.advance(10_000);
      call(broker, of(RequestCode.BROKER_HEARTBEAT, "10.0.0.1:10911"));
      clock.advance(10_000);
      assertThat(call(client, route("T")).code()).isEqualTo(ResultCode.SUCCESS.wire());

      clock.advance(1);

      assertThat(broker.receiveToEnd()).isEmpty();
      assertThat(call(client, route("T")).code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
    }
  }

  @Test
  void shouldForgetABrokerThatUnregisters() throws Exception {
    call(client, plain("10.0.0.1:10911"));

    RemotingCommand answer = call(client, of(RequestCode.UNREGISTER_BROKER, "10.0.0.1:10911"));

    assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(call(client, route("T")).code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
  }

  @Test
  void shouldSayWhetherABrokersTopicsChanged() throws Exception {
    byte[] same = DataVersionCodec.encode(VERSION);
    byte[] other = DataVersionCodec.encode(VERSION.next(1));

    RemotingCommand unknown = call(client, of(RequestCode.QUERY_DATA_VERSION, "10.0.0.1:10911").body(same));
    call(client, plain("10.0.0.1:10911"));
    RemotingCommand equal = call(client, of(RequestCode.QUERY_DATA_VERSION, "10.0.0.1:10911").body(same));
    RemotingCommand different = call(client, of(RequestCode.QUERY_DATA_VERSION, "10.0.0.1:10911").body(other));

    assertThat(unknown.ext()).containsEntry("changed", "true");
    assertThat(unknown.body()).isEmpty();
    assertThat(equal.ext()).containsEntry("changed", "false");
    assertThat(different.ext()).containsEntry("changed", "true");
    assertThat(DataVersionCodec.decode(different.body())).isEqualTo(VERSION);
  }

  @Test
  void shouldTellASlaveItsMasterAndShowTheGroup() throws Exception {
    call(client, plain("10.0.0.1:10911"));

    RemotingCommand slave = call(client, plain("10.0.0.2:10911").ext("brokerId", 1));
    RemotingCommand members = call(client, of(RequestCode.GET_BROKER_MEMBER_GROUP, "10.0.0.1:10911"));
    RemotingCommand cluster = call(client, RemotingCommand.request(RequestCode.GET_BROKER_CLUSTER_INFO));
    RemotingCommand system = call(client, RemotingCommand.request(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_NS));

    assertThat(slave.ext()).containsEntry("masterAddr", "10.0.0.1:10911").containsEntry("haServerAddr", "10.0.0.9:10912");
    assertThat(text(members)).contains("{\"0\":\"10.0.0.1:10911\",\"1\":\"10.0.0.2:10911\"}");
    assertThat(ClusterInfoCodec.decode(cluster.body()).namesByCluster()).containsOnlyKeys("c0");
    assertThat(text(system)).isEqualTo("{\"brokerAddr\":\"10.0.0.1:10911\",\"topicList\":[\"c0\",\"b0\"]}");
  }

  @Test
  void shouldShowLoopbackToClientsHereWhenTheBrokerAgreed() throws Exception {
    call(client, plain("10.0.0.1:10911").ext("metaqLoopback", true));

    TopicRoute route = TopicRouteCodec.decode(call(client, route("T")).body());

    assertThat(route.brokers().get(0).masterAddress()).contains("127.0.0.1:10911");
  }

  @Test
  void shouldRegisterTheQueuesOfOneTopic() throws Exception {
    call(client, plain("10.0.0.1:10911"));
    TopicRoute added = new TopicRoute(Optional.empty(), List.of(new QueueData("b0", 1, 1, 6, 0)), List.of());

    RemotingCommand answer = call(client, RemotingCommand.request(RequestCode.REGISTER_TOPIC_IN_NAMESRV)
        .ext("topic", "V").body(TopicRouteCodec.encode(added, IdKeys.QUOTED)));

    assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(TopicListCodec.decode(call(client, list()).body())).containsExactly("T", "U", "V");
  }

  @Test
  void shouldListTopicsByClusterAndFlag() throws Exception {
    call(client, plain("10.0.0.1:10911"));

    assertThat(topics(RemotingCommand.request(RequestCode.GET_TOPICS_BY_CLUSTER).ext("cluster", "c0"))).containsExactly("T", "U");
    assertThat(topics(RemotingCommand.request(RequestCode.GET_TOPICS_BY_CLUSTER).ext("cluster", "c1"))).isEmpty();
    assertThat(topics(RemotingCommand.request(RequestCode.GET_UNIT_TOPIC_LIST))).isEmpty();
    assertThat(topics(RemotingCommand.request(RequestCode.GET_HAS_UNIT_SUB_TOPIC_LIST))).containsExactly("U");
    assertThat(topics(RemotingCommand.request(RequestCode.GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST))).containsExactly("U");
  }

  @Test
  void shouldKeepTheKeyValueTableOverARestart() throws Exception {
    RemotingCommand put = call(client, kv(RequestCode.PUT_KV_CONFIG, "n", "k").ext("value", "v"));
    RemotingCommand doomed = call(client, kv(RequestCode.PUT_KV_CONFIG, "n", "doomed").ext("value", "v"));
    RemotingCommand deleted = call(client, kv(RequestCode.DELETE_KV_CONFIG, "n", "doomed"));

    restart(NameServerSwitches.DEFAULTS, AddressRanges.LOOPBACK);

    assertThat(List.of(put.code(), doomed.code(), deleted.code())).containsOnly(ResultCode.SUCCESS.wire());
    assertThat(call(client, kv(RequestCode.GET_KV_CONFIG, "n", "k")).ext()).containsEntry("value", "v");
    assertThat(call(client, kv(RequestCode.GET_KV_CONFIG, "n", "doomed")).code()).isEqualTo(ResultCode.QUERY_NOT_FOUND.wire());
    RemotingCommand list = call(client, kv(RequestCode.GET_KVLIST_BY_NAMESPACE, "n", ""));
    assertThat(KvTableCodec.decode(list.body())).isEqualTo(Map.of("k", "v"));
    RemotingCommand unknown = call(client, kv(RequestCode.GET_KVLIST_BY_NAMESPACE, "m", ""));
    assertThat(unknown.code()).isEqualTo(ResultCode.QUERY_NOT_FOUND.wire());
  }

  @Test
  void shouldAnswerCode1WhenTheKeyValueTableCannotBeWritten() throws Exception {
    Files.createDirectories(folder.resolve("kvConfig.json.new"));

    RemotingCommand put = call(client, kv(RequestCode.PUT_KV_CONFIG, "n", "k").ext("value", "v"));

    assertThat(put.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(call(client, kv(RequestCode.GET_KV_CONFIG, "n", "k")).code()).isEqualTo(ResultCode.QUERY_NOT_FOUND.wire());
  }

  @Test
  void shouldTellTheOrderOfATopicsQueuesToBrokersAndWhereSwitchedOnToClients() throws Exception {
    restart(NameServerSwitches.DEFAULTS.with("orderMessageEnable", true).orElseThrow(), AddressRanges.LOOPBACK);
    call(client, kv(RequestCode.PUT_KV_CONFIG, KvConfig.ORDER_TOPICS, "T").ext("value", "b0:4"));

    RemotingCommand registered = call(client, plain("10.0.0.1:10911"));

    assertThat(KvTableCodec.decode(registered.body())).isEqualTo(Map.of("T", "b0:4"));
    assertThat(TopicRouteCodec.decode(call(client, route("T")).body()).orderTopicConf()).contains("b0:4");
    assertThat(TopicRouteCodec.decode(call(client, route("U")).body()).orderTopicConf()).isEmpty();
  }

  @Test
  void shouldTakeAdministrativeRequestsFromAllowedAddressesOnly() throws Exception {
    restart(NameServerSwitches.DEFAULTS, AddressRanges.parse("192.0.2.0/24"));

    assertThat(call(client, kv(RequestCode.PUT_KV_CONFIG, "n", "k").ext("value", "v")).code())
        .isEqualTo(ResultCode.NO_PERMISSION.wire());
    assertThat(call(client, plain("10.0.0.1:10911")).code()).isEqualTo(ResultCode.SUCCESS.wire());
  }

  private void restart(NameServerSwitches switches, AddressRanges admins) throws Exception {
    client.close();
    vertx.undeploy(deployment).await(60, TimeUnit.SECONDS);
    client = new TestPeer(deploy(switches, admins));
  }

  private int deploy(NameServerSwitches switches, AddressRanges admins) throws Exception {
    nameServer = new NameServerVerticle(
        new NameServerOptions("127.0.0.1", 0, folder.resolve("kvConfig.json"), SCAN_PERIOD_MS, admins, switches, Map.of()), level -> {}, clock);
    deployment = vertx.deployVerticle(nameServer).await(60, TimeUnit.SECONDS);
    return nameServer.port();
  }

  private static RemotingCommand plain(String address) {
    return register(address).body(RegisterBodyCodec.encode(BODY));
  }

  private static RemotingCommand register(String address) {
    return of(RequestCode.REGISTER_BROKER, address).ext("haServerAddr", "10.0.0.9:10912");
  }

  private static RemotingCommand of(RequestCode code, String address) {
    return RemotingCommand.request(code)
        .ext("clusterName", "c0").ext("brokerName", "b0").ext("brokerId", 0).ext("brokerAddr", address);
  }

  private static RemotingCommand route(String topic) {
    return route(topic, RemotingCommand.VERSION);
  }

  private static RemotingCommand route(String topic, int version) {
    return RemotingCommand.decoded(RequestCode.GET_ROUTEINFO_BY_TOPIC.wire(), "JAVA", version, 0, 0, SerializeType.JSON)
        .ext("topic", topic);
  }

  private static RemotingCommand list() {
    return RemotingCommand.request(RequestCode.GET_ALL_TOPIC_LIST_FROM_NAMESERVER);
  }

  private static RemotingCommand kv(RequestCode code, String namespace, String key) {
    return RemotingCommand.request(code).ext("namespace", namespace).ext("key", key);
  }

  private List<String> topics(RemotingCommand request) throws IOException {
    return TopicListCodec.decode(call(client, request).body());
  }

  private int code(RemotingCommand request) {
    try {
      return call(client, request).code();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static RemotingCommand call(TestPeer peer, RemotingCommand request) throws IOException {
    peer.send(request);
    return peer.receive();
  }

  private static void await(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(deadlineNs);
    }
  }

  private static String text(RemotingCommand answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
