package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.admin.BrokerConsumeStats;
import io.metaq.codec.admin.ConnectionsBody;
import io.metaq.codec.admin.ConsumeStats;
import io.metaq.codec.admin.GroupBodies;
import io.metaq.codec.admin.OffsetsBody;
import io.metaq.codec.admin.StatisticsBody;
import io.metaq.codec.admin.TopicStats;
import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.registry.ClusterInfo;
import io.metaq.codec.registry.ClusterInfoCodec;
import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.registry.TopicListCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Subscription;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Administration of a cluster that is played. */
@Timeout(180)
class AdminTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String T = FakeCluster.TOPIC;

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
  void shouldListTopicsWithTheirKind() {
    answer(RequestCode.GET_ALL_TOPIC_CONFIG, """
        {"topicConfigTable":{"orders":{"topicName":"orders","readQueueNums":4,"writeQueueNums":2,"perm":4},
        "%RETRY%g":{"topicName":"%RETRY%g"},"%DLQ%g":{"topicName":"%DLQ%g"},"TBW102":{"topicName":"TBW102"}}}""");
    answer(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_BROKER, TopicListCodec.encode(List.of("TBW102")));

    List<TopicSummary> topics = admin.topics().collect().asList().await().atMost(LIMIT);

    assertThat(topics).extracting(TopicSummary::topic).containsExactly("%DLQ%g", "%RETRY%g", "TBW102", "orders");
    assertThat(topics).extracting(TopicSummary::kind).containsExactly(
        TopicSummary.Kind.DEAD_LETTER, TopicSummary.Kind.RETRY, TopicSummary.Kind.SYSTEM, TopicSummary.Kind.NORMAL);
    assertThat(topics.get(3)).isEqualTo(new TopicSummary("orders", TopicSummary.Kind.NORMAL, List.of("b0"), 4, 2, true, false, List.of()));
  }

  @Test
  void shouldShowATopicWithItsQueuesAndReaders() {
    answer(RequestCode.GET_TOPIC_STATS_INFO, new TopicStats("b0", T, List.of(new TopicStats.Queue(1, 2, 9, 77)), 0).encode());
    answer(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, GroupBodies.names(List.of("g")));
    answer(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_BROKER, TopicListCodec.encode(List.of("TBW102")));
    answer(RequestCode.GET_TOPIC_CONFIG, """
        {"topicName":"T","readQueueNums":4,"writeQueueNums":2,"perm":4,"order":true,"attributes":{"message.type":"FIFO"}}""");
    answer(RequestCode.VIEW_BROKER_STATS_DATA, new StatisticsBody(
        new StatisticsBody.Window(150, 2.5, 1), new StatisticsBody.Window(150, 0, 1), new StatisticsBody.Window(150, 0, 1)).encode());

    TopicDetails topic = await(admin.topic(T));

    assertThat(topic).isEqualTo(new TopicDetails(T, TopicSummary.Kind.NORMAL,
        List.of(new TopicDetails.Share("b0", 4, 2, true, false, true, "FIFO")), List.of(new TopicDetails.Queue("b0", 1, 2, 9, 77)),
        List.of("g"), OptionalDouble.of(2.5), OptionalDouble.of(2.5), List.of()));
    assertThat(topic.queues().get(0).messages()).isEqualTo(7);
  }

  @Test
  void shouldSayThatATopicDoesNotExist() {
    refuse(RequestCode.GET_TOPIC_STATS_INFO, ResultCode.TOPIC_NOT_EXIST.wire(), "no such topic");

    MetaqException failure = failure(admin.topic("none"));

    assertThat(failure.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(failure).hasMessage("topic 'none' does not exist");
  }

  @Test
  void shouldMakeATopicAsItIsWanted() {
    answer(RequestCode.UPDATE_AND_CREATE_TOPIC, "");

    List<String> made = await(admin.putTopic(
        TopicSettings.of("orders").queues(3).permit(true, false).ordered(true).attribute("message.type", "FIFO"),
        Optional.empty(), Optional.empty()));

    assertThat(made).containsExactly("b0");
    assertThat(cluster.requests(RequestCode.UPDATE_AND_CREATE_TOPIC)).singleElement().satisfies(request -> assertThat(request.ext())
        .containsEntry("topic", "orders").containsEntry("readQueueNums", "3").containsEntry("writeQueueNums", "3")
        .containsEntry("perm", "4").containsEntry("order", "true").containsEntry("attributes", "+message.type=FIFO"));
  }

  @Test
  void shouldSayWhatWasAskedOfWhomWhenItIsRefused() {
    refuse(RequestCode.UPDATE_AND_CREATE_TOPIC, ResultCode.NO_PERMISSION.wire(), "only from adminAllowedFrom");

    MetaqException failure = failure(admin.putTopic(TopicSettings.of("orders"), Optional.empty(), Optional.empty()));

    assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
    assertThat(failure.code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
    assertThat(failure).hasMessage("cannot create topic 'orders': broker b0 at " + cluster.address()
        + " answered 16 (NO_PERMISSION): only from adminAllowedFrom");
  }

  @Test
  void shouldChangeNothingWhereNoMasterFits() {
    MetaqException failure = failure(admin.putTopic(TopicSettings.of("orders"), Optional.of("elsewhere"), Optional.empty()));

    assertThat(failure.reason()).isEqualTo(Reason.NO_BROKER);
    assertThat(failure).hasMessageContaining("no master is registered in cluster 'elsewhere'");
    assertThat(cluster.requests(RequestCode.UPDATE_AND_CREATE_TOPIC)).isEmpty();
  }

  @Test
  void shouldDeleteATopicAtBrokersAndThenAtNameServers() {
    answer(RequestCode.GET_TOPIC_STATS_INFO, new TopicStats("b0", T, List.of(new TopicStats.Queue(0, 0, 0, 0)), 0).encode());
    answer(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, GroupBodies.names(List.of()));
    answer(RequestCode.DELETE_TOPIC_IN_BROKER, "");
    answer(RequestCode.DELETE_TOPIC_IN_NAMESRV, "");

    assertThat(await(admin.deleteTopic(T))).containsExactly("b0");

    assertThat(cluster.requests(RequestCode.DELETE_TOPIC_IN_NAMESRV)).hasSize(1);
  }

  @Test
  void shouldListGroupsWithMembersAndLag() {
    answer(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG,
        "{\"subscriptionGroupTable\":{\"billing\":{\"groupName\":\"billing\"},\"TOOLS_CONSUMER\":{\"groupName\":\"TOOLS_CONSUMER\"}}}");
    answer(RequestCode.GET_BROKER_CONSUME_STATS, new BrokerConsumeStats("x", List.of(new BrokerConsumeStats.Group("billing",
        List.of(stats(T, 9, 4), stats("%RETRY%billing", 3, 1))))).encode());
    members("billing");

    List<GroupSummary> groups = admin.groups().collect().asList().await().atMost(LIMIT);

    assertThat(groups).containsExactly(
        new GroupSummary("TOOLS_CONSUMER", true, 0, 0, List.of(), List.of()), new GroupSummary("billing", false, 1, 7, List.of(T), List.of()));
  }

  @Test
  void shouldShowAGroupWithItsMembersAndProgress() {
    answer(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, "{\"subscriptionGroupTable\":{\"billing\":{\"groupName\":\"billing\"}}}");
    answer(RequestCode.GET_CONSUME_STATS, stats(T, 9, 4).encode());
    members("billing");

    GroupDetails group = await(admin.group("billing"));

    assertThat(group.messageModel()).isEqualTo("CLUSTERING");
    assertThat(group.members()).containsExactly(new GroupDetails.Member("c@1", "10.0.0.9:5", "JAVA", 513));
    assertThat(group.subscriptions()).isEqualTo(Map.of(T, "a || b"));
    assertThat(group.queues()).containsExactly(new GroupDetails.Queue(T, "b0", 0, 9, 4, 0));
    assertThat(group.lag()).isEqualTo(5);
  }

  @Test
  void shouldAskEachMemberWhichQueuesItHas() {
    consumers(List.of("c@1", "c@2"));
    running(Map.of("c@1", """
        {"mqTable":{{"brokerName":"b0","queueId":1,"topic":"T"}:{"cachedMsgCount":3,"commitOffset":5,"droped":false,
          "lastPullTimestamp":77,"locked":true}},
         "mqPopTable":{{"brokerName":"b0","queueId":-1,"topic":"P"}:{"waitAckCount":2,"lastPopTimestamp":78}},
         "properties":{"PROP_CLIENT_VERSION":"V5_5_0","PROP_CONSUMER_START_TIMESTAMP":"1700000000000","PROP_CONSUMEORDERLY":"true"},
         "statusTable":{"T":{"consumeFailedTPS":0.5,"consumeOKTPS":2.0,"consumeRT":3.5,"pullTPS":2.5}},
         "subscriptionSet":[{"topic":"T","subString":"a || b"}]}"""));

    List<MemberReport> members = await(admin.members("billing", Duration.ofSeconds(5))).reports();

    assertThat(members).extracting(one -> one.member().clientId()).containsExactly("c@1", "c@2");
    assertThat(members.get(0).told()).contains(new MemberReport.Told("V5_5_0", OptionalLong.of(1_700_000_000_000L), true,
        Map.of("T", "a || b"),
        List.of(
            new MemberReport.Queue(new TopicQueue("P", "b0", -1), OptionalLong.empty(), 2, OptionalLong.of(78), OptionalLong.empty(),
                false, false, true),
            new MemberReport.Queue(new TopicQueue("T", "b0", 1), OptionalLong.of(5), 3, OptionalLong.of(77), OptionalLong.empty(),
                true, false, false)),
        List.of(new MemberReport.Topic("T", 2.5, 2, 0.5, 3.5))));
    assertThat(members.get(0).holds(new TopicQueue("T", "b0", 1))).isTrue();
    assertThat(members.get(0).holds(new TopicQueue("T", "b0", 0))).isFalse();
    assertThat(members.get(0).holds(new TopicQueue("P", "b0", 6))).isTrue();
    assertThat(members.get(1).told()).isEmpty();
    assertThat(members.get(1).fault()).hasValueSatisfying(fault -> assertThat(fault).contains("207"));
    assertThat(cluster.requests(RequestCode.GET_CONSUMER_RUNNING_INFO).get(0).ext())
        .containsEntry("consumerGroup", "billing").containsEntry("jstackEnable", "false");
  }

  @Test
  void shouldNotWaitForAMemberLongerThanItWasTold() {
    consumers(List.of("c@1"));
    cluster.script(RequestCode.GET_CONSUMER_RUNNING_INFO, call -> true);

    List<MemberReport> members = await(admin.members("billing", Duration.ofSeconds(1))).reports();

    assertThat(members).singleElement().satisfies(one -> assertThat(one.fault()).isPresent());
  }

  @Test
  void shouldTellWhatMembersSubscribeToDifferently() {
    consumers(List.of("c@1", "c@2", "c@3"));
    running(Map.of(
        "c@1", "{\"subscriptionSet\":[{\"topic\":\"T\",\"subString\":\"a\"}]}",
        "c@2", "{\"subscriptionSet\":[{\"topic\":\"T\",\"subString\":\"b\"},{\"topic\":\"U\",\"subString\":\"*\"}]}"));

    List<MemberReport> members = await(admin.members("billing", Duration.ofSeconds(5))).reports();

    assertThat(MemberReport.contradictions(members)).containsExactly(
        "topic 'T' is subscribed to by c@1 with 'a'; by c@2 with 'b'", "topic 'U' is subscribed to by c@1 not at all; by c@2 with '*'");
    assertThat(MemberReport.contradictions(members.subList(0, 1))).isEmpty();
  }

  private void consumers(List<String> ids) {
    answer(RequestCode.GET_CONSUMER_CONNECTION_LIST, ConnectionsBody.consumers(
        ids.stream().map(id -> new ConnectionsBody.Client(id, "10.0.0.9:5", "JAVA", 513, 0)).toList(),
        "CONSUME_PASSIVELY", "CLUSTERING", "CONSUME_FROM_LAST_OFFSET", Map.of(), List.of()));
  }

  /** What members tell; others do not answer their broker. */
  private void running(Map<String, String> byId) {
    cluster.script(RequestCode.GET_CONSUMER_RUNNING_INFO, call -> {
      String told = byId.get(call.request().requireText("clientId"));
      if (told == null) {
        call.refuse(ResultCode.CONSUME_MSG_TIMEOUT.wire(), "no answer");
      } else {
        call.answer(call.request().success().body(told.getBytes(StandardCharsets.UTF_8)));
      }
      return true;
    });
  }

  @Test
  void shouldShowWhoReadsATopicAndHowFarBehind() {
    answer(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, GroupBodies.names(List.of("g", "a")));
    answer(RequestCode.GET_CONSUME_STATS, stats(T, 9, 4).encode());
    cluster.script(RequestCode.VIEW_BROKER_STATS_DATA, call -> {
      if (call.request().requireText("statsKey").equals(T + "@a")) {
        call.answer(call.request().success().body(new StatisticsBody(
            new StatisticsBody.Window(60, 1, 1), new StatisticsBody.Window(0, 0, 0), new StatisticsBody.Window(0, 0, 0)).encode()));
      } else {
        call.refuse(ResultCode.SYSTEM_ERROR.wire(), "never seen");
      }
      return true;
    });

    assertThat(await(admin.readers(T, 10))).containsExactly(
        new TopicReader("a", OptionalLong.of(5), OptionalDouble.of(1)), new TopicReader("g", OptionalLong.of(5), OptionalDouble.empty()));
    assertThat(await(admin.readers(T, 1))).extracting(TopicReader::group).containsExactly("a");
  }

  @Test
  void shouldGiveEachMessageOfATopicOnOnePage() {
    cluster.topic("P", 3);
    for (int i = 0; i < 3; i++) {
      cluster.store("P", 0, "a" + i, Map.of(), 0);
      cluster.store("P", 2, "b" + i, Map.of(), 0);
    }
    cluster.store("P", 1, "c0", Map.of(), 0);
    List<String> bodies = new ArrayList<>();

    MessagePage page = await(admin.browse("P", Position.EARLIEST, 3));
    page.messages().forEach(message -> bodies.add(message.message().text()));
    while (!page.end()) {
      page = await(admin.browse("P", page.next(), 3));
      page.messages().forEach(message -> bodies.add(message.message().text()));
    }

    assertThat(bodies).containsExactlyInAnyOrder("a0", "a1", "a2", "b0", "b1", "b2", "c0");
    assertThat(bodies.subList(0, 3)).containsExactlyInAnyOrder("a0", "b0", "c0");
    assertThat(await(admin.browse("P", page.next(), 3)).messages()).isEmpty();
    cluster.store("P", 1, "c1", Map.of(), 0);
    assertThat(await(admin.browse("P", page.next(), 3)).messages()).extracting(message -> message.message().text()).containsExactly("c1");
  }

  @Test
  void shouldGiveEachMessageOnOnePageAlsoWhereTheClockOfABrokerWentBack() {
    cluster.topic("P", 2);
    cluster.storeAt("P", 0, "a0", 1000);
    cluster.storeAt("P", 0, "a1", 500);
    cluster.storeAt("P", 0, "a2", 1100);
    cluster.storeAt("P", 1, "b0", 600);
    cluster.storeAt("P", 1, "b1", 700);
    cluster.storeAt("P", 1, "b2", 800);
    List<String> bodies = new ArrayList<>();

    MessagePage page = await(admin.browse("P", Position.EARLIEST, 2));
    page.messages().forEach(message -> bodies.add(message.message().text()));
    for (int pages = 1; !page.end() && pages < 10; pages++) {
      page = await(admin.browse("P", page.next(), 2));
      page.messages().forEach(message -> bodies.add(message.message().text()));
    }

    assertThat(bodies).containsExactly("b0", "b1", "b2", "a0", "a1", "a2");
    assertThat(page.end()).isTrue();
  }

  @Test
  void shouldReadOfLargeMessagesOnlyWhatAPageCanHold() {
    cluster.topic("P", 1);
    for (int i = 0; i < 40; i++) {
      cluster.store("P", 0, new byte[8 << 10], Map.of(), 0);
    }

    MessagePage page = await(admin.browse("P", Position.EARLIEST, 200));

    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).hasSize(1);
    assertThat(page.messages()).hasSize(32);
    assertThat(page.end()).isFalse();
    MessagePage rest = await(admin.browse("P", page.next(), 200));
    assertThat(rest.messages()).hasSize(8);
    assertThat(rest.end()).isTrue();
  }

  @Test
  void shouldGoOnWhereTheBrokerSaysWhenAPageIsNotThereAnyMore() {
    cluster.store(T, 0, "one", Map.of(), 0);
    cluster.script(RequestCode.PULL_MESSAGE, call -> {
      boolean outside = call.request().longOr("queueOffset", 0) == 50;
      if (outside) {
        call.answer(call.request().response(ResultCode.PULL_OFFSET_MOVED, "outside")
            .ext("nextBeginOffset", 1).ext("minOffset", 0).ext("maxOffset", 1).ext("suggestWhichBrokerId", 0));
      }
      return outside;
    });

    MessagePage page = await(admin.browse(T, Position.at(Map.of(new TopicQueue(T, "b0", 0), 50L)), 3));

    assertThat(page.messages()).isEmpty();
    assertThat(page.end()).isTrue();
    assertThat(((Position.Offsets) page.next()).byQueue()).containsEntry(new TopicQueue(T, "b0", 0), 1L);
    assertThat(failure(admin.browse("none", Position.EARLIEST, 3)).reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void shouldSayThatAGroupDoesNotExist() {
    answer(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, "{\"subscriptionGroupTable\":{\"billing\":{\"groupName\":\"billing\"}}}");
    answer(RequestCode.GET_CONSUME_STATS, new ConsumeStats("b0", List.of(), 0).encode());
    members("another");

    assertThat(failure(admin.group("none")).reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(failure(admin.deleteGroup("none")).reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(cluster.requests(RequestCode.DELETE_SUBSCRIPTIONGROUP)).isEmpty();
  }

  @Test
  void shouldResetAGroupAtTheBroker() {
    answer(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET, OffsetsBody.reset("b0", T, Map.of(0, 3L, 1, 4L)));

    Map<TopicQueue, Long> moved = await(admin.resetGroup("g", T, Position.LATEST));

    assertThat(moved).isEqualTo(Map.of(new TopicQueue(T, "b0", 0), 3L, new TopicQueue(T, "b0", 1), 4L));
    assertThat(cluster.requests(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)).singleElement()
        .satisfies(request -> assertThat(request.ext()).containsEntry("timestamp", "-1").containsEntry("isForce", "true"));
  }

  @Test
  void shouldStoreOffsetsItselfWhereABrokerResetsOnlyMembersAndThereAreNone() {
    cluster.store(T, 1, "m", Map.of(), 0);
    refuse(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET, ResultCode.CONSUMER_NOT_ONLINE.wire(), "nobody");

    Map<TopicQueue, Long> moved = await(admin.resetGroup("g", T, Position.LATEST));

    assertThat(moved).isEqualTo(Map.of(new TopicQueue(T, "b0", 0), 0L, new TopicQueue(T, "b0", 1), 1L));
    assertThat(cluster.offset("g", T, 1)).isEqualTo(1);
  }

  @Test
  void shouldRefuseAnOffsetOutsideOfItsQueue() {
    MetaqException failure = failure(admin.resetGroup("g", new TopicQueue(T, "b0", 0), 5));

    assertThat(failure.reason()).isEqualTo(Reason.INVALID);
    assertThat(failure).hasMessageContaining("offset 5 is outside of queue 0").hasMessageContaining("0 to 0");
    assertThat(failure(admin.resetGroup("g", new TopicQueue(T, "b0", 9), 0))).hasMessageContaining("has no queue 9");
  }

  @Test
  void shouldFindMessagesByPlaceInTheQueue() {
    cluster.store(T, 0, "one", Map.of("TAGS", "a", "KEYS", "k1 k2"), 0);
    cluster.store(T, 0, "two", Map.of(), 0);

    List<FoundMessage> found = await(admin.messagesAt(new TopicQueue(T, "b0", 0), 0, 10));

    assertThat(found).extracting(message -> message.message().text()).containsExactly("one", "two");
    assertThat(found.get(0).message().keys()).containsExactly("k1", "k2");
    assertThat(found.get(0).storeHost()).isEqualTo("127.0.0.1:80");
    assertThat(found.get(1).queueOffset()).isEqualTo(1);
    assertThat(await(admin.messagesAt(new TopicQueue(T, "b0", 0), 1, 1))).hasSize(1);
    assertThat(await(admin.messagesAt(new TopicQueue(T, "b0", 0), 2, 1))).isEmpty();
  }

  @Test
  void shouldFindMessagesByTimeInAllQueues() {
    cluster.store(T, 0, "one", Map.of(), 0);
    cluster.store(T, 1, "two", Map.of(), 0);
    cluster.script(RequestCode.SEARCH_OFFSET_BY_TIMESTAMP, call -> {
      call.answer(call.request().success().ext("offset", 0));
      return true;
    });

    assertThat(await(admin.messagesSince(T, Instant.EPOCH, 10))).extracting(message -> message.message().text())
        .containsExactlyInAnyOrder("one", "two");
    assertThat(await(admin.messagesSince(T, Instant.parse("2030-01-01T00:00:00Z"), 10))).isEmpty();
  }

  @Test
  void shouldFindNothingWithAKeyThatOnlyHasTheSameHash() {
    refuse(RequestCode.QUERY_MESSAGE, ResultCode.QUERY_NOT_FOUND.wire(), "none");

    assertThat(await(admin.messagesByKey(T, "k", 10))).isEmpty();
    assertThat(failure(admin.messagesByKey("none", "k", 10)).reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void shouldFindTheNewestOfTheMessagesWithAnIdInWhateverOrderTheyCome() {
    cluster.store(T, 0, "old", Map.of("UNIQ_KEY", "K"), 0);
    cluster.store(T, 0, "new", Map.of("UNIQ_KEY", "K"), 0);
    byte[] old = cluster.record(T, 0, 0);
    byte[] recent = cluster.record(T, 0, 1);

    answer(RequestCode.QUERY_MESSAGE, joined(old, recent));
    assertThat(await(admin.messageByUniqueId(T, "K")).orElseThrow().message().text()).isEqualTo("new");
    answer(RequestCode.QUERY_MESSAGE, joined(recent, old));
    assertThat(await(admin.messageByUniqueId(T, "K")).orElseThrow().message().text()).isEqualTo("new");
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  @Test
  void shouldRefuseAnIdThatIsNone() {
    assertThat(failure(admin.message(Optional.empty(), "42")).reason()).isEqualTo(Reason.INVALID);
  }

  @Test
  void shouldTellOfABrokerThatDoesNotAnswer() {
    brokers(Map.of(0L, cluster.address(), 1L, "127.0.0.1:1"));
    answer(RequestCode.GET_BROKER_RUNTIME_INFO, KvTableCodec.encode(Map.of("putTps", "1.0 2.0 3.0")));

    List<BrokerInfo> brokers = admin.brokers().collect().asList().await().atMost(LIMIT);

    assertThat(brokers).extracting(BrokerInfo::id).containsExactly(0L, 1L);
    assertThat(brokers.get(0).figure("putTps")).isEqualTo("1.0 2.0 3.0");
    assertThat(brokers.get(0).fault()).isEmpty();
    assertThat(brokers.get(1).fault()).hasValueSatisfying(fault -> assertThat(fault).contains("127.0.0.1:1"));
  }

  @Test
  void shouldSendACopyWithoutThePastOfTheMessage() {
    cluster.store(T, 0, "one", Map.of("TAGS", "a", "colour", "red", "UNIQ_KEY", "OLD", "DELAY", "3", "ORIGIN_MESSAGE_ID", "X"), 0);
    FoundMessage found = await(admin.messagesAt(new TopicQueue(T, "b0", 0), 0, 1)).get(0);

    SendReceipt receipt = await(admin.resend(found, Optional.empty()));

    RemotingCommand sent = cluster.requests(RequestCode.SEND_MESSAGE_V2).get(0);
    assertThat(sent.requireText("b")).isEqualTo(T);
    assertThat(sent.requireText("i")).contains("TAGS\u0001a", "colour\u0001red", receipt.messageId()).doesNotContain("OLD", "DELAY", "ORIGIN");
    assertThat(new String(sent.body(), StandardCharsets.UTF_8)).isEqualTo("one");
  }

  @Test
  void shouldSendADeadLetterBackToItsGroupAlone() {
    cluster.topic("%DLQ%billing", 1);
    cluster.topic("%RETRY%billing", 1);
    cluster.store("%DLQ%billing", 0, "one", Map.of("RETRY_TOPIC", T), 0);
    answer(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, "{\"subscriptionGroupTable\":{\"billing\":{\"groupName\":\"billing\"}}}");
    FoundMessage found = await(admin.messagesAt(new TopicQueue("%DLQ%billing", "b0", 0), 0, 1)).get(0);

    await(admin.resend(found, Optional.empty()));

    RemotingCommand sent = cluster.requests(RequestCode.SEND_MESSAGE_V2).get(0);
    assertThat(sent.requireText("b")).isEqualTo("%RETRY%billing");
    assertThat(sent.requireText("i")).contains("RETRY_TOPIC\u0001" + T);
  }

  @Test
  void shouldSendNothingForAGroupThatNoBrokerKnows() {
    cluster.topic("TBW102", 8);
    cluster.store(T, 0, "one", Map.of(), 0);
    answer(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, "{\"subscriptionGroupTable\":{\"billing\":{\"groupName\":\"billing\"}}}");
    FoundMessage found = await(admin.messagesAt(new TopicQueue(T, "b0", 0), 0, 1)).get(0);

    MetaqException failure = failure(admin.resend(found, Optional.of("nobody")));

    assertThat(failure.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(failure).hasMessage("consumer group 'nobody' does not exist");
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).isEmpty();
  }

  @Test
  void shouldSendToTheOneQueueThatARetryTopicIsMadeWith() {
    cluster.topic("TBW102", 8);
    cluster.store(T, 0, "one", Map.of(), 0);
    answer(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, "{\"subscriptionGroupTable\":{\"billing\":{\"groupName\":\"billing\"}}}");
    FoundMessage found = await(admin.messagesAt(new TopicQueue(T, "b0", 0), 0, 1)).get(0);

    for (int i = 0; i < 4; i++) {
      await(admin.resend(found, Optional.of("billing")));
    }

    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).extracting(sent -> sent.requireText("e")).containsOnly("0");
  }

  private void brokers(Map<Long, String> addresses) {
    answer(RequestCode.GET_BROKER_CLUSTER_INFO,
        ClusterInfoCodec.encode(new ClusterInfo(List.of(new BrokerData("c", "b0", new TreeMap<>(addresses), false)))));
  }

  private void members(String group) {
    byte[] body = ConnectionsBody.consumers(List.of(new ConnectionsBody.Client("c@1", "10.0.0.9:5", "JAVA", 513, 0)),
        "CONSUME_PASSIVELY", "CLUSTERING", "CONSUME_FROM_LAST_OFFSET", Map.of(T, Subscription.ofTags(T, "a || b", 1)), List.of());
    cluster.script(RequestCode.GET_CONSUMER_CONNECTION_LIST, call -> {
      if (call.request().requireText("consumerGroup").equals(group)) {
        call.answer(call.request().success().body(body));
      } else {
        call.refuse(ResultCode.CONSUMER_NOT_ONLINE.wire(), "nobody");
      }
      return true;
    });
  }

  private static ConsumeStats stats(String topic, long end, long consumed) {
    return new ConsumeStats("b0", List.of(new ConsumeStats.Queue(topic, 0, end, consumed, 0)), 0);
  }

  private void answer(RequestCode code, String body) {
    answer(code, body.getBytes(StandardCharsets.UTF_8));
  }

  private void answer(RequestCode code, byte[] body) {
    cluster.script(code, call -> {
      call.answer(call.request().success().body(body));
      return true;
    });
  }

  private void refuse(RequestCode code, int result, String remark) {
    cluster.script(code, call -> {
      call.refuse(result, remark);
      return true;
    });
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(LIMIT);
  }

  private static MetaqException failure(Uni<?> uni) {
    return catchThrowableOfType(MetaqException.class, () -> uni.await().atMost(LIMIT));
  }
}
