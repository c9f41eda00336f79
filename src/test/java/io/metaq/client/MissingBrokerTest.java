package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.admin.BrokerConsumeStats;
import io.metaq.codec.admin.ConnectionsBody;
import io.metaq.codec.admin.ConsumeStats;
import io.metaq.codec.admin.GroupBodies;
import io.metaq.codec.admin.OffsetsBody;
import io.metaq.codec.admin.StatisticsBody;
import io.metaq.codec.admin.TopicStats;
import io.metaq.codec.registry.TopicListCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Subscription;
import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Administration of two brokers while one of them, {@code b1}, does not answer: what the other one has is shown, and what is missing. */
@Timeout(180)
class MissingBrokerTest extends ClientTestBase {
  private static final TopicQueue AWAY = new TopicQueue(TOPIC, "b1", 0);

  private FakeCluster other;
  private int port;
  private MetaqAdmin admin;

  @BeforeEach
  void loseABroker() throws Exception {
    other = FakeCluster.start(vertx);
    port = other.port();
    away();
    admin = client.admin();
    answer(RequestCode.GET_BROKER_CLUSTER_INFO, """
        {"brokerAddrTable":{"b0":{"brokerAddrs":{"0":"%s"},"brokerName":"b0","cluster":"c"},
        "b1":{"brokerAddrs":{"0":"127.0.0.1:%d"},"brokerName":"b1","cluster":"c"}},"clusterAddrTable":{"c":["b0","b1"]}}"""
        .formatted(cluster.address(), port));
    answer(RequestCode.GET_ROUTEINFO_BY_TOPIC, """
        {"brokerDatas":[{"brokerAddrs":{"0":"%s"},"brokerName":"b0","cluster":"c"},
        {"brokerAddrs":{"0":"127.0.0.1:%d"},"brokerName":"b1","cluster":"c"}],"filterServerTable":{},
        "queueDatas":[{"brokerName":"b0","perm":6,"readQueueNums":1,"topicSysFlag":0,"writeQueueNums":1},
        {"brokerName":"b1","perm":6,"readQueueNums":1,"topicSysFlag":0,"writeQueueNums":1}]}""".formatted(cluster.address(), port));
  }

  @AfterEach
  void stopTheOther() throws Exception {
    if (other != null) {
      other.stop();
    }
  }

  @Test
  void shouldListTopicsGroupsAndProducersOfTheBrokersThatAnswer() {
    answer(RequestCode.GET_ALL_TOPIC_CONFIG, "{\"topicConfigTable\":{\"T\":{\"topicName\":\"T\",\"readQueueNums\":1,\"perm\":6}}}");
    answer(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_BROKER, TopicListCodec.encode(List.of()));
    knowsGroup("billing");
    answer(RequestCode.GET_BROKER_CONSUME_STATS,
        new BrokerConsumeStats("x", List.of(new BrokerConsumeStats.Group("billing", List.of(progress(9, 4))))).encode());
    connected("c@1");
    answer(RequestCode.GET_ALL_PRODUCER_INFO, "{\"data\":{\"shop\":[{\"clientId\":\"p@1\",\"remoteIP\":\"10.0.0.9:5\",\"language\":\"JAVA\","
        + "\"version\":513,\"lastUpdateTimestamp\":77}]}}");

    assertThat(admin.topics().collect().asList().await().atMost(LIMIT)).singleElement().satisfies(topic -> {
      assertThat(topic.brokers()).containsExactly("b0");
      lacks(topic.missing());
    });
    assertThat(admin.groups().collect().asList().await().atMost(LIMIT)).singleElement().satisfies(group -> {
      assertThat(group.lag()).isEqualTo(5);
      assertThat(group.members()).isEqualTo(1);
      lacks(group.missing());
    });
    assertThat(admin.producers().collect().asList().await().atMost(LIMIT)).singleElement().satisfies(group -> {
      assertThat(group.clients()).extracting(ProducerGroup.Client::clientId).containsExactly("p@1");
      lacks(group.missing());
    });
  }

  @Test
  void shouldShowATopicAndAGroupAndItsMembersAsFarAsTheyAreKnown() {
    answer(RequestCode.GET_TOPIC_STATS_INFO, new TopicStats("b0", TOPIC, List.of(new TopicStats.Queue(0, 2, 9, 77)), 0).encode());
    answer(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, GroupBodies.names(List.of("billing")));
    answer(RequestCode.GET_CONSUME_STATS, progress(9, 4).encode());
    knowsGroup("billing");
    connected("c@1");
    StatisticsBody.Window window = new StatisticsBody.Window(60, 1, 1);
    answer(RequestCode.VIEW_BROKER_STATS_DATA, new StatisticsBody(window, window, window).encode());

    TopicDetails topic = await(admin.topic(TOPIC));
    GroupDetails group = await(admin.group("billing"));
    GroupMembers members = await(admin.members("billing", Duration.ofSeconds(1)));

    assertThat(topic.queues()).extracting(TopicDetails.Queue::broker).containsExactly("b0");
    lacks(topic.missing());
    assertThat(group.queues()).extracting(GroupDetails.Queue::broker).containsExactly("b0");
    lacks(group.missing());
    assertThat(members.reports()).extracting(one -> one.member().clientId()).containsExactly("c@1");
    lacks(members.missing());
    assertThat(await(admin.readers(TOPIC, 5))).singleElement().satisfies(reader -> {
      assertThat(reader.group()).isEqualTo("billing");
      assertThat(reader.lag()).as("the other broker may have more").isEqualTo(OptionalLong.empty());
      assertThat(reader.readPerSecond()).as("the other broker may give more").isEqualTo(OptionalDouble.empty());
    });
  }

  @Test
  void shouldNotWaitForABrokerAgainForEachReaderOfATopic() throws Exception {
    other = FakeCluster.start(vertx, port);
    other.script(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, call -> {
      call.answer(call.request().response(ResultCode.SYSTEM_ERROR, "broken"));
      return true;
    });
    answer(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, GroupBodies.names(List.of("billing", "shipping")));
    answer(RequestCode.GET_CONSUME_STATS, progress(9, 4).encode());

    assertThat(await(admin.readers(TOPIC, 5))).extracting(TopicReader::group).containsExactly("billing", "shipping");

    assertThat(cluster.requests(RequestCode.GET_CONSUME_STATS)).hasSize(2);
    assertThat(other.requests(RequestCode.GET_CONSUME_STATS)).isEmpty();
  }

  @Test
  void shouldNotSayOfAnythingThatItDoesNotExistWhileABrokerDoesNotAnswer() {
    answer(RequestCode.GET_TOPIC_STATS_INFO, call -> call.response(ResultCode.TOPIC_NOT_EXIST, "none"));
    knowsGroup("billing");
    answer(RequestCode.GET_CONSUME_STATS, new ConsumeStats("b0", List.of(), 0).encode());
    answer(RequestCode.GET_CONSUMER_CONNECTION_LIST, call -> call.response(ResultCode.CONSUMER_NOT_ONLINE, "nobody"));
    answer(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, GroupBodies.names(List.of()));
    answer(RequestCode.QUERY_MESSAGE, call -> call.response(ResultCode.QUERY_NOT_FOUND, "none"));
    answer(RequestCode.GET_ALL_PRODUCER_INFO, "{\"data\":{}}");

    namesTheBroker(admin.topic(TOPIC));
    namesTheBroker(admin.group("another"));
    namesTheBroker(admin.readers(TOPIC, 5));
    namesTheBroker(admin.messageByUniqueId(TOPIC, "K"));
    namesTheBroker(admin.messagesByKey(TOPIC, "k", 5));
    // Of an address that nobody is registered with: a broker with this port may be meant.
    namesTheBroker(admin.messageByOffsetId("C6336401%08X%016X".formatted(port, 0)));
    namesTheBroker(admin.messagesAt(AWAY, 0, 5));
    namesTheBroker(admin.producers().collect().asList());
    assertThat(await(admin.members("another", Duration.ofSeconds(1)))).satisfies(members -> {
      assertThat(members.reports()).isEmpty();
      lacks(members.missing());
    });
  }

  @Test
  void shouldFindAMessageByItsIdWhereverItIs() {
    cluster.store(TOPIC, 0, "here", Map.of("UNIQ_KEY", "K"), 0);
    answer(RequestCode.QUERY_MESSAGE, cluster.record(TOPIC, 0, 0));

    assertThat(await(admin.messageByUniqueId(TOPIC, "K"))).hasValueSatisfying(
        found -> assertThat(found.message().text()).isEqualTo("here"));
  }

  @Test
  void shouldChangeNothingWhereItCannotLookEverywhere() {
    answer(RequestCode.GET_TOPIC_STATS_INFO, new TopicStats("b0", TOPIC, List.of(new TopicStats.Queue(0, 2, 9, 77)), 0).encode());
    answer(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, GroupBodies.names(List.of()));
    knowsGroup("billing");
    connected("c@1");
    answer(RequestCode.GET_CONSUME_STATS, progress(9, 4).encode());

    namesTheBroker(admin.deleteTopic(TOPIC));
    namesTheBroker(admin.deleteGroup("billing"));

    assertThat(cluster.requests(RequestCode.DELETE_TOPIC_IN_BROKER)).isEmpty();
    assertThat(cluster.requests(RequestCode.DELETE_SUBSCRIPTIONGROUP)).isEmpty();
  }

  static Stream<Position> starts() {
    return Stream.of(Position.EARLIEST, Position.at(Instant.ofEpochMilli(1)), Position.at(Map.of(AWAY, 0L)));
  }

  @ParameterizedTest
  @MethodSource("starts")
  void shouldReadAPageWithoutTheBrokerAndGoOnWithItWhenItIsBack(Position start) throws Exception {
    byTime(cluster);
    cluster.storeAt(TOPIC, 0, "here", 1000);

    MessagePage page = await(admin.browse(TOPIC, start, 10));
    MessagePage second = await(admin.browse(TOPIC, page.next(), 10));
    other = FakeCluster.start(vertx, port);
    byTime(other);
    other.storeAt(TOPIC, 0, "there", 1000);
    MessagePage whole = await(admin.browse(TOPIC, second.next(), 10));

    assertThat(texts(page)).containsExactly("here");
    assertThat(page.end()).isFalse();
    lacks(page.missing());
    assertThat(texts(second)).isEmpty();
    assertThat(second.end()).isFalse();
    assertThat(texts(whole)).containsExactly("there");
    assertThat(whole.missing()).isEmpty();
    assertThat(whole.end()).isTrue();
  }

  @Test
  void shouldNotGoBackToTheBeginningOfABrokersQueuesThatWasAwayForAPage() throws Exception {
    other = FakeCluster.start(vertx, port);
    cluster.store(TOPIC, 0, "here", Map.of(), 0);
    other.store(TOPIC, 0, "there", Map.of(), 0);
    List<String> texts = new ArrayList<>();

    MessagePage first = await(admin.browse(TOPIC, Position.EARLIEST, 10));
    texts.addAll(texts(first));
    away();
    // As name servers do with a broker that is gone.
    cluster.noScript(RequestCode.GET_ROUTEINFO_BY_TOPIC);
    cluster.topic(TOPIC, 1);
    MessagePage second = await(admin.browse(TOPIC, first.next(), 10));
    texts.addAll(texts(second));

    assertThat(texts).containsExactlyInAnyOrder("here", "there");
    assertThat(((Position.Offsets) second.next()).byQueue()).containsEntry(AWAY, 1L);
  }

  @Test
  void shouldFailWhenNobodyAnswers() throws Exception {
    answer(RequestCode.GET_BROKER_CLUSTER_INFO, """
        {"brokerAddrTable":{"b1":{"brokerAddrs":{"0":"127.0.0.1:%d"},"brokerName":"b1","cluster":"c"}},"clusterAddrTable":{"c":["b1"]}}"""
        .formatted(port));

    for (Function<MetaqAdmin, Uni<?>> call : List.<Function<MetaqAdmin, Uni<?>>>of(
        all -> all.topics().collect().asList(), all -> all.groups().collect().asList(), all -> all.producers().collect().asList(),
        all -> all.topic(TOPIC), all -> all.group("g"), all -> all.members("g", Duration.ofSeconds(1)), all -> all.readers(TOPIC, 1))) {
      namesTheBroker(call.apply(admin));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void shouldRefuseToLookForLessThanOne(int max) {
    TopicQueue here = new TopicQueue(TOPIC, "b0", 0);

    for (Uni<?> call : List.of(
        admin.browse(TOPIC, Position.EARLIEST, max), admin.readers(TOPIC, max), admin.messagesByKey(TOPIC, "k", max),
        admin.messagesAt(here, 0, max), admin.messagesSince(TOPIC, Instant.EPOCH, max), client.pull(here, 0, max),
        client.read(here, 0, max, Duration.ZERO), client.read(here, 0, 1, Duration.ofMillis(-1)),
        client.read(here, 0, 1, Duration.ofSeconds(Long.MAX_VALUE)))) {
      assertThat(failure(call).reason()).isEqualTo(Reason.INVALID);
    }
    assertThat(cluster.wasAsked()).isFalse();
  }

  @Test
  void shouldMoveAGroupToTheOffsetOfEachQueueAndNeverToTheEndInstead() throws Exception {
    other = FakeCluster.start(vertx, port);
    cluster.store(TOPIC, 0, "one", Map.of(), 0);
    cluster.store(TOPIC, 0, "two", Map.of(), 0);
    other.store(TOPIC, 0, "three", Map.of(), 0);
    Map<TopicQueue, Long> wanted = Map.of(new TopicQueue(TOPIC, "b0", 0), 1L, AWAY, 0L);
    for (FakeCluster broker : List.of(cluster, other)) {
      broker.script(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET, call -> {
        call.answer(call.request().success().body(OffsetsBody.reset("b", TOPIC, Map.of(0, call.request().requireLong("offset")))));
        return true;
      });
    }

    assertThat(await(admin.resetGroup("billing", TOPIC, Position.at(wanted)))).isEqualTo(wanted);

    assertThat(cluster.requests(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)).singleElement().satisfies(
        request -> assertThat(request.ext()).containsEntry("queueId", "0").containsEntry("offset", "1"));
    assertThat(failure(admin.resetGroup("billing", TOPIC, Position.at(Map.of(AWAY, 2L)))).reason()).isEqualTo(Reason.INVALID);
    assertThat(failure(admin.resetGroup("billing", TOPIC, Position.at(Map.of(new TopicQueue(TOPIC, "b9", 0), 0L)))).reason())
        .isEqualTo(Reason.INVALID);
    assertThat(other.requests(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)).hasSize(1);
  }

  private void away() throws Exception {
    other.cutAll();
    other.stop();
    other = null;
  }

  private static void byTime(FakeCluster broker) {
    broker.script(RequestCode.SEARCH_OFFSET_BY_TIMESTAMP, call -> {
      call.answer(call.request().success().ext("offset", 0));
      return true;
    });
  }

  private void lacks(List<MissingBroker> missing) {
    assertThat(missing).singleElement().satisfies(broker -> {
      assertThat(broker.broker()).isEqualTo("b1");
      assertThat(broker.reason()).isEqualTo(Reason.CONNECTION);
      assertThat(broker.fault()).contains("broker b1").contains("127.0.0.1:" + port);
    });
  }

  private static void namesTheBroker(Uni<?> call) {
    MetaqException failure = failure(call);
    assertThat(failure.reason()).isEqualTo(Reason.CONNECTION);
    assertThat(failure.retryable()).isTrue();
    assertThat(failure.broker()).hasValueSatisfying(broker -> assertThat(broker).contains("b1"));
    assertThat(failure).hasMessageStartingWith("cannot ").hasMessageContaining("broker b1");
  }

  private void knowsGroup(String group) {
    answer(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG,
        "{\"subscriptionGroupTable\":{\"%s\":{\"groupName\":\"%s\"}}}".formatted(group, group));
  }

  private void connected(String clientId) {
    answer(RequestCode.GET_CONSUMER_CONNECTION_LIST, ConnectionsBody.consumers(
        List.of(new ConnectionsBody.Client(clientId, "10.0.0.9:5", "JAVA", 513, 0)), "CONSUME_PASSIVELY", "CLUSTERING",
        "CONSUME_FROM_LAST_OFFSET", Map.of(TOPIC, Subscription.ofTags(TOPIC, "*", 1)), List.of()));
  }

  private static ConsumeStats progress(long end, long consumed) {
    return new ConsumeStats("b0", List.of(new ConsumeStats.Queue(TOPIC, 0, end, consumed, 0)), 0);
  }

  private static List<String> texts(MessagePage page) {
    return page.messages().stream().map(found -> found.message().text()).toList();
  }

  private void answer(RequestCode code, String body) {
    answer(code, body.getBytes(StandardCharsets.UTF_8));
  }

  private void answer(RequestCode code, byte[] body) {
    answer(code, request -> request.success().body(body));
  }

  private void answer(RequestCode code, UnaryOperator<RemotingCommand> answer) {
    cluster.script(code, call -> {
      call.answer(answer.apply(call.request()));
      return true;
    });
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(LIMIT);
  }
}
