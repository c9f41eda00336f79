package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tools ask of a broker about groups, their clients and their progress. */
class AdminGroupsTest {
  private static final String HEARTBEAT = """
      {"clientID":"client-1","producerDataSet":[{"groupName":"pg"}],"consumerDataSet":[{"groupName":"g",
        "consumeType":"CONSUME_PASSIVELY","messageModel":"CLUSTERING","consumeFromWhere":"CONSUME_FROM_FIRST_OFFSET",
        "subscriptionDataSet":[{"topic":"orders","subString":"*","subVersion":1,"expressionType":"TAG","tagsSet":[],"codeSet":[]}]}]}
      """;

  @TempDir
  Path folder;
  private TestBroker broker;

  @BeforeEach
  void startWithTwoMessages() throws Exception {
    broker = new TestBroker(folder, false, true);
    broker.sendAndDispatch("orders", "m1");
    broker.sendAndDispatch("orders", "m2");
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  @Test
  void shouldMakeShowAndDeleteAGroup() throws Exception {
    RemotingCommand made = broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP).body("""
        {"groupName":"made","retryMaxTimes":3,"consumeEnable":true,"consumeBroadcastEnable":false,"retryQueueNums":2,
         "groupRetryPolicy":{"type":"EXPONENTIAL"}}""".getBytes(StandardCharsets.UTF_8)));

    assertThat(made.code()).as(made.remark()).isZero();
    assertThat(text(ask(RequestCode.GET_SUBSCRIPTIONGROUP_CONFIG, "group", "made")))
        .contains("\"retryMaxTimes\":3,\"retryQueueNums\":2").contains("\"groupRetryPolicy\":{\"type\":\"EXPONENTIAL\"}");

    assertThat(ask(RequestCode.DELETE_SUBSCRIPTIONGROUP, "groupName", "made").code()).isZero();
    assertThat(ask(RequestCode.GET_SUBSCRIPTIONGROUP_CONFIG, "group", "made").code())
        .isEqualTo(ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST.wire());
  }

  @Test
  void shouldMakeAllGroupsOfAList() throws Exception {
    broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST)
        .body("{\"groupConfigList\":[{\"groupName\":\"g1\"},{\"groupName\":\"g2\"}]}".getBytes(StandardCharsets.UTF_8)));

    assertThat(ask(RequestCode.GET_SUBSCRIPTIONGROUP_CONFIG, "group", "g1").code()).isZero();
    assertThat(ask(RequestCode.GET_SUBSCRIPTIONGROUP_CONFIG, "group", "g2").code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      '' | 1 | the group configuration is empty
      'no' | 1 | the group configuration is not valid JSON
      '[]' | 1 | the group configuration is not an object
      '{}' | 1 | the group configuration lacks 'groupName'
      '{"groupName":"a b"}' | 29 | illegal character
      '{"groupName":"g","retryMaxTimes":"many"}' | 1 | 'retryMaxTimes' is not a whole number: 'many'
      '{"groupName":"g","retryQueueNums":-1}' | 29 | cannot have retryQueueNums=-1
      """)
  void shouldRefuseAGroupThatMakesNoSense(String body, int code, String sentence) throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP)
        .body(body.getBytes(StandardCharsets.UTF_8)));

    assertThat(answer.code()).as(answer.remark()).isEqualTo(code);
    assertThat(answer.remark()).contains(sentence);
  }

  @Test
  void shouldShowConnectedClients() throws Exception {
    heartbeat();

    String consumers = text(ask(RequestCode.GET_CONSUMER_CONNECTION_LIST, "consumerGroup", "g"));
    String producers = text(ask(RequestCode.GET_PRODUCER_CONNECTION_LIST, "producerGroup", "pg"));
    String all = text(broker.ask(RemotingCommand.request(RequestCode.GET_ALL_PRODUCER_INFO)));

    String client = "\"connectionSet\":\\[\\{\"clientAddr\":\"127.0.0.1:\\d+\",\"clientId\":\"client-1\","
        + "\"language\":\"JAVA\",\"version\":513}]";
    assertThat(consumers).matches("\\{" + client + ",\"consumeFromWhere\":\"CONSUME_FROM_FIRST_OFFSET\","
        + "\"consumeType\":\"CONSUME_PASSIVELY\",\"messageModel\":\"CLUSTERING\",\"subscriptionTable\":\\{\"orders\":\\{.*}}}");
    assertThat(producers).matches("\\{" + client + "}");
    assertThat(all).matches("\\{\"data\":\\{\"pg\":\\[\\{\"clientId\":\"client-1\",\"language\":\"JAVA\","
        + "\"lastUpdateTimestamp\":[1-9]\\d{12},\"remoteIP\":\"127.0.0.1:\\d+\",\"version\":513}]}}");
    assertThat(text(ask(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, "topic", "orders"))).isEqualTo("{\"groupList\":[\"g\"]}");
    RemotingCommand subscription =
        RemotingCommand.request(RequestCode.QUERY_SUBSCRIPTION_BY_CONSUMER).ext("group", "g").ext("topic", "orders");
    assertThat(text(broker.ask(subscription)))
        .startsWith("{\"group\":\"g\",\"subscriptionData\":{").contains("\"subString\":\"*\"").endsWith("\"topic\":\"orders\"}");
  }

  @ParameterizedTest
  @CsvSource({"GET_CONSUMER_CONNECTION_LIST, consumerGroup, 206", "GET_PRODUCER_CONNECTION_LIST, producerGroup, 1"})
  void shouldSayThatNobodyIsConnected(RequestCode code, String field, int result) throws Exception {
    RemotingCommand answer = ask(code, field, "nobody");

    assertThat(answer.code()).isEqualTo(result);
    assertThat(answer.remark()).contains("nobody is connected");
  }

  @Test
  void shouldShowHowFarAGroupIs() throws Exception {
    commit("g", 1);

    String stats = text(ask(RequestCode.GET_CONSUME_STATS, "consumerGroup", "g"));

    assertThat(stats).contains("{\"brokerName\":\"b\",\"queueId\":0,\"topic\":\"orders\"}:{\"brokerOffset\":2,\"consumerOffset\":1,")
        .containsPattern("\"lastTimestamp\":[1-9]\\d{12},\"pullOffset\":1}")
        .contains("{\"brokerName\":\"b\",\"queueId\":3,\"topic\":\"orders\"}:{\"brokerOffset\":0,\"consumerOffset\":0,\"lastTimestamp\":0");
    assertThat(text(ask(RequestCode.GET_BROKER_CONSUME_STATS, "isOrder", "false")))
        .startsWith("{\"brokerAddr\":\"127.0.0.1:").contains("[{\"g\":[{").endsWith("\"totalDiff\":1,\"totalInflightDiff\":0}");
    assertThat(text(ask(RequestCode.GET_BROKER_CONSUME_STATS, "isOrder", "true"))).contains("\"consumeStatsList\":[]");
    assertThat(text(ask(RequestCode.QUERY_TOPICS_BY_CONSUMER, "group", "g")))
        .matches("\\{\"brokerAddr\":\"127.0.0.1:\\d+\",\"topicList\":\\[\"orders\"]}");
  }

  @Test
  void shouldLeaveOutWhatAConnectedGroupHasGivenUp() throws Exception {
    broker.sendAndDispatch("given-up", "m");
    broker.ask(commitRequest("g", "given-up", 1));
    commit("g", 1);
    heartbeat();

    String all = text(ask(RequestCode.GET_CONSUME_STATS, "consumerGroup", "g"));
    String named = text(broker.ask(
        RemotingCommand.request(RequestCode.GET_CONSUME_STATS).ext("consumerGroup", "g").ext("topicList", "given-up;orders")));

    assertThat(all).contains("orders").doesNotContain("given-up");
    assertThat(named).contains("orders").contains("given-up");
  }

  @Test
  void shouldAnswerWithNothingForAnUnknownGroup() throws Exception {
    assertThat(text(ask(RequestCode.GET_CONSUME_STATS, "consumerGroup", "nobody")))
        .isEqualTo("{\"consumeTps\":0.0,\"offsetTable\":{}}");
  }

  @Test
  void shouldShowTheTimesOfMessages() throws Exception {
    commit("g", 1);

    String spans =
        text(broker.ask(RemotingCommand.request(RequestCode.QUERY_CONSUME_TIME_SPAN).ext("topic", "orders").ext("group", "g")));

    assertThat(spans).containsPattern("\\{\"consumeTimeStamp\":[1-9]\\d{12},\"delayTime\":\\d+,\"maxTimeStamp\":[1-9]\\d{12},"
        + "\"messageQueue\":\\{\"brokerName\":\"b\",\"queueId\":0,\"topic\":\"orders\"},\"minTimeStamp\":[1-9]\\d{12}}");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-1, 2", "-9000000000000, 2", "9000000000000, 2", "9223372036854775807, 2"})
  void shouldResetAStoppedGroupByTime(long timestampMs, long expected) throws Exception {
    commit("g", 1);

    RemotingCommand answer = broker.ask(reset("g", "orders", timestampMs));

    assertThat(text(answer)).startsWith("{\"offsetTable\":{{\"brokerName\":\"b\",\"queueId\":0,\"topic\":\"orders\"}:" + expected + ",");
    assertThat(offset("g")).isEqualTo(expected);
  }

  @Test
  void shouldResetOneQueueToAnOffset() throws Exception {
    commit("g", 2);

    RemotingCommand answer = broker.ask(reset("g", "orders", 0).ext("queueId", 0).ext("offset", 1));

    assertThat(text(answer)).isEqualTo("{\"offsetTable\":{{\"brokerName\":\"b\",\"queueId\":0,\"topic\":\"orders\"}:1}}");
    assertThat(offset("g")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      g | nowhere | 0 | -1 | -1 | 17 | topic nowhere does not exist
      nobody | orders | 0 | -1 | -1 | 26 | consumer group nobody does not exist
      g | orders | 0 | 99 | 0 | 1 | topic orders has no queue 99
      g | orders | 0 | 0 | 3 | 1 | offset 3 is outside of queue 0 of topic orders, which has 0 to 2
      g | orders | x | -1 | -1 | 1 | the field 'timestamp' is not a whole number: 'x'
      """)
  void shouldRefuseAResetThatMakesNoSense(
      String group, String topic, String timestamp, int queueId, long offset, int code, String sentence) throws Exception {
    commit("g", 1);

    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)
        .ext("group", group).ext("topic", topic).ext("timestamp", timestamp).ext("isForce", true).ext("queueId", queueId)
        .ext("offset", offset));

    assertThat(answer.code()).as(answer.remark()).isEqualTo(code);
    assertThat(answer.remark()).contains(sentence);
    assertThat(offset("g")).isEqualTo(1);
  }

  @Test
  void shouldForbidAGroupATopicAndPermitItAgain() throws Exception {
    heartbeat();
    RemotingCommand asked = RemotingCommand.request(RequestCode.UPDATE_AND_GET_GROUP_FORBIDDEN).ext("group", "g").ext("topic", "orders");

    assertThat(text(broker.ask(asked))).isEqualTo("{\"group\":\"g\",\"readable\":true,\"topic\":\"orders\"}");
    assertThat(text(broker.ask(asked.ext("readable", false)))).contains("\"readable\":false");
    RemotingCommand refused = broker.ask(TestBroker.pull("orders", 0, 0, 0));
    broker.ask(asked.ext("readable", true));
    RemotingCommand served = broker.ask(TestBroker.pull("orders", 0, 0, 0));

    assertThat(refused.code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
    assertThat(refused.remark()).isEqualTo("group g is forbidden to read topic orders");
    assertThat(served.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"'', orders, 29", "g, a b, 29", "a b, orders, 29"})
  void shouldForbidNothingUnderABadName(String group, String topic, int code) throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_GET_GROUP_FORBIDDEN)
        .ext("group", group).ext("topic", topic).ext("readable", false));

    assertThat(answer.code()).as(answer.remark()).isEqualTo(code);
  }

  @Test
  void shouldCopyAGroupsProgress() throws Exception {
    commit("g", 1);

    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.CLONE_GROUP_OFFSET)
        .ext("srcGroup", "g").ext("destGroup", "other").ext("topic", "orders").ext("offline", true));

    assertThat(answer.code()).isZero();
    assertThat(offset("other")).isEqualTo(1);
  }

  @Test
  void shouldForgetProgressWithTheGroupWhenAsked() throws Exception {
    commit("g", 1);

    broker.ask(RemotingCommand.request(RequestCode.DELETE_SUBSCRIPTIONGROUP).ext("groupName", "g").ext("cleanOffset", true));

    assertThat(text(ask(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO, "topic", "orders"))).isEqualTo("{\"groupList\":[]}");
  }

  @Test
  void shouldTellWhereTheSlowestOfTheOtherGroupsIs() throws Exception {
    commit("slow", 1);
    commit("fast", 2);
    commit("compared", 2);

    RemotingCommand request = RemotingCommand.request(RequestCode.QUERY_CORRECTION_OFFSET)
        .ext("topic", "orders").ext("compareGroup", "compared").ext("filterGroups", "compared");

    assertThat(text(broker.ask(request))).isEqualTo("{\"correctionOffsets\":{\"0\":1}}");
  }

  private void heartbeat() throws Exception {
    RemotingCommand answer =
        broker.ask(RemotingCommand.request(RequestCode.HEART_BEAT).body(HEARTBEAT.getBytes(StandardCharsets.UTF_8)));
    assertThat(answer.code()).as(answer.remark()).isZero();
  }

  private void commit(String group, long offset) throws Exception {
    assertThat(broker.ask(commitRequest(group, "orders", offset)).code()).isZero();
  }

  private static RemotingCommand commitRequest(String group, String topic, long offset) {
    return RemotingCommand.request(RequestCode.UPDATE_CONSUMER_OFFSET)
        .ext("consumerGroup", group).ext("topic", topic).ext("queueId", 0).ext("commitOffset", offset);
  }

  private long offset(String group) throws Exception {
    return broker.ask(RemotingCommand.request(RequestCode.QUERY_CONSUMER_OFFSET)
        .ext("consumerGroup", group).ext("topic", "orders").ext("queueId", 0)).requireLong("offset");
  }

  private static RemotingCommand reset(String group, String topic, long timestampMs) {
    return RemotingCommand.request(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)
        .ext("group", group).ext("topic", topic).ext("timestamp", timestampMs).ext("isForce", true);
  }

  private RemotingCommand ask(RequestCode code, String field, String value) throws Exception {
    return broker.ask(RemotingCommand.request(code).ext(field, value));
  }

  private static String text(RemotingCommand answer) {
    assertThat(answer.code()).as(answer.remark()).isZero();
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
