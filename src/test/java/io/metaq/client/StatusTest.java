package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.admin.ConnectionsBody;
import io.metaq.codec.admin.HaStatusBody;
import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.registry.ClusterInfo;
import io.metaq.codec.registry.ClusterInfoCodec;
import io.metaq.codec.registry.KvTableCodec;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How brokers that are played say they are, who sends to them, and their settings. */
@Timeout(180)
class StatusTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Vertx vertx;
  private FakeCluster cluster;
  private MetaqClient client;
  private MetaqAdmin admin;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    cluster = FakeCluster.start(vertx);
    client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(cluster.address()));
    admin = client.admin();
    brokers(Map.of(0L, cluster.address()));
  }

  @AfterEach
  void stop() throws Exception {
    client.close().await().atMost(LIMIT);
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldReadWhatABrokerOfMetaqTells() {
    answer(RequestCode.GET_BROKER_RUNTIME_INFO, KvTableCodec.encode(Map.ofEntries(
        Map.entry("bootTimestamp", "1700000000000"), Map.entry("putTps", "10.5 2.0 3.0"), Map.entry("getTransferredTps", "7.0 1.0 1.0"),
        Map.entry("metaqPutBytesTps", "4096.0 1.0 1.0"), Map.entry("metaqPutLatency", "0.500 2.000 3.000 9.250"),
        Map.entry("msgPutTotalTodayNow", "100"), Map.entry("msgPutTotalTodayMorning", "60"),
        Map.entry("msgPutTotalYesterdayMorning", "10"), Map.entry("commitLogDiskRatio", "0.25"),
        Map.entry("metaqDiskFreeBytes", "5000"), Map.entry("commitLogMaxOffset", "900"), Map.entry("dispatchBehindBytes", "12"),
        Map.entry("remainHowManyDataToFlush", "34 B"), Map.entry("metaqHeapUsedBytes", "77"), Map.entry("metaqProducers", "2"),
        Map.entry("metaqConsumers", "3"))));
    answer(RequestCode.GET_BROKER_HA_STATUS, new HaStatusBody(true, 900,
        List.of(new HaStatusBody.Slave("10.0.0.2:5", 800, 850, false, 64, 1_700_000_000_123L)), HaStatusBody.Master.NONE).encode());

    BrokerStatus status = await(admin.statuses()).get(0);

    assertThat(status.upSinceMs()).hasValue(1_700_000_000_000L);
    assertThat(status.throughput()).isEqualTo(new BrokerStatus.Throughput(
        OptionalDouble.of(10.5), OptionalDouble.of(7), OptionalDouble.of(4096), OptionalDouble.empty()));
    assertThat(status.sendLatency()).isEqualTo(new BrokerStatus.Latency(
        OptionalDouble.of(0.5), OptionalDouble.of(2), OptionalDouble.of(3), OptionalDouble.of(9.25)));
    assertThat(status.totals().storedToday()).hasValue(40);
    assertThat(status.totals().storedYesterday()).hasValue(50);
    assertThat(status.totals().readToday()).isEmpty();
    assertThat(status.disk()).isEqualTo(new BrokerStatus.Disk(OptionalDouble.of(0.25), OptionalLong.of(5000), OptionalLong.empty()));
    assertThat(status.log().dispatchLagBytes()).hasValue(12);
    assertThat(status.log().unflushedBytes()).hasValue(34);
    assertThat(status.memory().heapUsedBytes()).hasValue(77);
    assertThat(status.clients()).isEqualTo(new BrokerStatus.Clients(OptionalLong.of(2), OptionalLong.of(3)));
    assertThat(status.replication()).hasValueSatisfying(told -> {
      assertThat(told.source()).isEmpty();
      assertThat(told.followers()).containsExactly(new ReplicationStatus.Follower(
          "10.0.0.2:5", 800, 850, 100, false, 64, OptionalLong.of(1_700_000_000_123L)));
    });
    assertThat(cluster.requests(RequestCode.GET_ALL_PRODUCER_INFO)).isEmpty();
  }

  @Test
  void shouldLeaveEmptyWhatApacheRocketmqDoesNotTell() {
    answer(RequestCode.GET_BROKER_RUNTIME_INFO, KvTableCodec.encode(Map.of("putTps", "1.0 2.0 3.0", "putLatency99", "4.0",
        "putMessageEntireTimeMax", "12", "commitLogDirCapacity", "Total : 2.0 GiB, Free : 512.0 MiB.", "remainHowManyDataToFlush", "-")));
    refuse(RequestCode.GET_BROKER_HA_STATUS, ResultCode.REQUEST_CODE_NOT_SUPPORTED);
    producers();

    BrokerStatus status = await(admin.statuses()).get(0);

    assertThat(status.sendLatency()).isEqualTo(new BrokerStatus.Latency(
        OptionalDouble.empty(), OptionalDouble.of(4), OptionalDouble.empty(), OptionalDouble.of(12)));
    assertThat(status.throughput().storedBytes()).isEmpty();
    assertThat(status.throughput().read()).isEmpty();
    assertThat(status.disk()).isEqualTo(
        new BrokerStatus.Disk(OptionalDouble.empty(), OptionalLong.of(512L << 20), OptionalLong.of(2L << 30)));
    assertThat(status.log().unflushedBytes()).isEmpty();
    assertThat(status.memory().heapUsedBytes()).isEmpty();
    assertThat(status.clients()).isEqualTo(new BrokerStatus.Clients(OptionalLong.of(2), OptionalLong.empty()));
    assertThat(status.refusedMessages()).isEmpty();
    assertThat(status.replication()).isEmpty();
  }

  @Test
  void shouldTellHowFarASlaveIsBehindItsMaster() {
    brokers(Map.of(0L, cluster.address(), 1L, cluster.address()));
    answer(RequestCode.GET_BROKER_RUNTIME_INFO, KvTableCodec.encode(Map.of("commitLogMaxOffset", "1000", "metaqProducers", "0")));
    answer(RequestCode.GET_BROKER_HA_STATUS,
        new HaStatusBody(false, 970, List.of(), new HaStatusBody.Master("10.0.0.1:6", true, 980, 55, 5)).encode());

    BrokerStatus slave = await(admin.statuses()).get(1);

    assertThat(slave.broker().master()).isFalse();
    assertThat(slave.replication().orElseThrow().source()).contains(
        new ReplicationStatus.Source("10.0.0.1:6", true, 980, OptionalLong.of(30), 55, OptionalLong.of(5)));
  }

  @Test
  void shouldTellOfABrokerThatDoesNotAnswerAndAskItNoMore() {
    brokers(Map.of(0L, cluster.address(), 1L, "127.0.0.1:1"));
    answer(RequestCode.GET_BROKER_RUNTIME_INFO, KvTableCodec.encode(Map.of("metaqProducers", "0")));
    refuse(RequestCode.GET_BROKER_HA_STATUS, ResultCode.REQUEST_CODE_NOT_SUPPORTED);

    List<BrokerStatus> statuses = await(admin.statuses());

    assertThat(statuses).extracting(status -> status.broker().fault().isPresent()).containsExactly(false, true);
    assertThat(statuses.get(1).log().maxOffset()).isEmpty();
    assertThat(cluster.requests(RequestCode.GET_BROKER_HA_STATUS)).hasSize(1);
  }

  @Test
  void shouldAskForFiguresOnlyWhileTheyAreWanted() {
    answer(RequestCode.GET_BROKER_RUNTIME_INFO, KvTableCodec.encode(Map.of("metaqProducers", "0")));
    AssertSubscriber<List<BrokerStatus>> calm = admin.figures(Duration.ofMillis(100)).subscribe().withSubscriber(AssertSubscriber.create(1));
    calm.awaitItems(1, LIMIT);

    // As many periods pass as another subscriber gets figures.
    admin.figures(Duration.ofMillis(100)).select().first(8).collect().asList().await().atMost(LIMIT);

    assertThat(cluster.requests(RequestCode.GET_BROKER_RUNTIME_INFO)).hasSizeLessThanOrEqualTo(1 + 8 + 1);
    assertThat(calm.getItems()).hasSize(1);
    calm.request(1).awaitItems(2, LIMIT).cancel();
  }

  @Test
  void shouldRefuseFiguresThatWouldComeTooFast() {
    assertThatThrownBy(() -> admin.figures(Duration.ofMillis(99))).isInstanceOf(MetaqException.class)
        .hasMessageContaining("every 100 ms to 1 day, not every PT0.099S");
  }

  @Test
  void shouldListProducersByGroup() {
    producers();

    List<ProducerGroup> groups = admin.producers().collect().asList().await().atMost(LIMIT);

    assertThat(groups).containsExactly(
        new ProducerGroup("bank", List.of(new ProducerGroup.Client("c@2", "10.0.0.9:7", "GO", 400, OptionalLong.empty(), List.of("b0"))), List.of()),
        new ProducerGroup("shop", List.of(
            new ProducerGroup.Client("c@1", "10.0.0.9:5", "JAVA", 513, OptionalLong.of(77), List.of("b0")),
            new ProducerGroup.Client("c@2", "10.0.0.9:6", "JAVA", 513, OptionalLong.of(78), List.of("b0"))), List.of()));
  }

  @Test
  void shouldShowAndChangeSettings() {
    answer(RequestCode.GET_BROKER_CONFIG, "b=two\na=C:\\data\n".getBytes(StandardCharsets.UTF_8));
    answer(RequestCode.UPDATE_BROKER_CONFIG, new byte[0]);

    assertThat(await(admin.brokerSettings("b0", 0))).containsExactly(Map.entry("a", "C:\\data"), Map.entry("b", "two"));
    await(admin.changeBrokerSettings("b0", 0, Map.of("longPollingEnable", "false", "a", "x y")));

    assertThat(cluster.requests(RequestCode.UPDATE_BROKER_CONFIG)).singleElement().satisfies(request ->
        assertThat(new String(request.body(), StandardCharsets.UTF_8)).isEqualTo("a=x y\nlongPollingEnable=false\n"));
  }

  @Test
  void shouldNotChangeSettingsOfNobodyNorMoreThanWasSaid() {
    assertThat(failure(admin.brokerSettings("elsewhere", 0))).isEqualTo(MetaqException.Reason.NOT_FOUND);
    assertThat(failure(admin.changeBrokerSettings("b0", 7, Map.of("a", "b")))).isEqualTo(MetaqException.Reason.NOT_FOUND);
    assertThat(failure(admin.changeBrokerSettings("b0", 0, Map.of()))).isEqualTo(MetaqException.Reason.INVALID);
    assertThat(failure(admin.changeBrokerSettings("b0", 0, Map.of("a", "b\nc=d")))).isEqualTo(MetaqException.Reason.INVALID);
    assertThat(failure(admin.changeBrokerSettings("b0", 0, Map.of("a=1\nb", "c")))).isEqualTo(MetaqException.Reason.INVALID);
    refuse(RequestCode.UPDATE_BROKER_CONFIG, ResultCode.NO_PERMISSION);
    assertThat(failure(admin.changeBrokerSettings("b0", 0, Map.of("a", "b")))).isEqualTo(MetaqException.Reason.REFUSED);
    assertThat(cluster.requests(RequestCode.UPDATE_BROKER_CONFIG)).hasSize(1);
  }

  private void producers() {
    answer(RequestCode.GET_ALL_PRODUCER_INFO, ConnectionsBody.allProducers(new TreeMap<>(Map.of(
        "shop", List.of(new ConnectionsBody.Client("c@1", "10.0.0.9:5", "JAVA", 513, 77),
            new ConnectionsBody.Client("c@2", "/10.0.0.9:6", "JAVA", 513, 78)),
        "bank", List.of(new ConnectionsBody.Client("c@2", "10.0.0.9:7", "GO", 400, 0))))));
  }

  private void brokers(Map<Long, String> addresses) {
    answer(RequestCode.GET_BROKER_CLUSTER_INFO,
        ClusterInfoCodec.encode(new ClusterInfo(List.of(new BrokerData("c", "b0", new TreeMap<>(addresses), false)))));
  }

  private void answer(RequestCode code, byte[] body) {
    cluster.script(code, call -> {
      call.answer(call.request().success().body(body));
      return true;
    });
  }

  private void refuse(RequestCode code, ResultCode result) {
    cluster.script(code, call -> {
      call.refuse(result.wire(), "no");
      return true;
    });
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(LIMIT);
  }

  private static MetaqException.Reason failure(Uni<?> uni) {
    try {
      uni.await().atMost(LIMIT);
      return null;
    } catch (MetaqException failure) {
      return failure.reason();
    }
  }
}
