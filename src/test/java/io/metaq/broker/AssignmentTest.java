package io.metaq.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What members are told of the queues they are to pull or pop, and who may change it. */
class AssignmentTest {
  private static final String HEARTBEAT = """
      {"clientID":"c1","producerDataSet":[],"consumerDataSet":[{"groupName":"g","consumeType":"CONSUME_PASSIVELY",
        "messageModel":"CLUSTERING","consumeFromWhere":"CONSUME_FROM_FIRST_OFFSET","subscriptionDataSet":[]}]}
      """;

  @TempDir
  Path folder;
  private TestBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = new TestBroker(folder, false, true);
    broker.sendAndDispatch("orders", "m");
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  @Test
  void shouldGiveTheOnlyMemberAllQueuesToPull() throws Exception {
    broker.ask(RemotingCommand.request(RequestCode.HEART_BEAT).body(HEARTBEAT.getBytes(UTF_8)));

    String queues = query("orders", "CLUSTERING", "AVG");

    assertThat(queues)
        .startsWith("{\"messageQueueAssignments\":[{\"messageQueue\":{\"brokerName\":\"b\",\"queueId\":0,"
            + "\"topic\":\"orders\"},\"mode\":\"PULL\"}")
        .contains("\"queueId\":3").doesNotContain("\"queueId\":4");
  }

  @Test
  void shouldLetAGroupPopTheWholeBrokerOnceThatIsSet() throws Exception {
    broker.ask(RemotingCommand.request(RequestCode.HEART_BEAT).body(HEARTBEAT.getBytes(UTF_8)));

    assertThat(set("{\"topic\":\"orders\",\"consumerGroup\":\"g\",\"mode\":\"POP\",\"popShareQueueNum\":0}").code()).isZero();

    assertThat(query("orders", "CLUSTERING", "AVG"))
        .isEqualTo("{\"messageQueueAssignments\":[{\"messageQueue\":{\"brokerName\":\"b\","
        + "\"queueId\":-1,\"topic\":\"orders\"},\"mode\":\"POP\"}]}");
    assertThat(new String(broker.ask(RemotingCommand.request(RequestCode.GET_ALL_MESSAGE_REQUEST_MODE)).body(), UTF_8))
        .isEqualTo("{\"messageRequestModeMap\":{\"orders\":{\"g\":{\"consumerGroup\":\"g\",\"mode\":\"POP\",\"popShareQueueNum\":0,"
            + "\"topic\":\"orders\"}}}}");
  }

  @ParameterizedTest
  @CsvSource({"nobody-has-it, CLUSTERING, AVG", "orders, CLUSTERING, AVG", "orders, CLUSTERING, MACHINE_ROOM"})
  void shouldLetAClientKeepWhatItHasWhereItCannotSay(String topic, String model, String strategy) throws Exception {
    if (strategy.equals("MACHINE_ROOM")) {
      broker.ask(RemotingCommand.request(RequestCode.HEART_BEAT).body(HEARTBEAT.getBytes(UTF_8)));
    }

    assertThat(query(topic, model, strategy)).isEqualTo("{}");
  }

  @Test
  void shouldGiveAllQueuesToEverybodyWhoBroadcasts() throws Exception {
    assertThat(query("orders", "BROADCASTING", "AVG")).contains("\"queueId\":0", "\"queueId\":3");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      '' | 1 | is empty
      'no' | 1 | not valid JSON
      '{"topic":"orders","consumerGroup":"g"}' | 1 | lacks 'mode'
      '{"topic":"orders","mode":"POP"}' | 1 | lacks 'consumerGroup'
      '{"topic":"orders","consumerGroup":"g","mode":"PUSH"}' | 1 | there are POP and PULL
      '{"topic":"orders","consumerGroup":"g","mode":"POP","popShareQueueNum":"x"}' | 1 | is not a whole number
      '{"topic":"%RETRY%g","consumerGroup":"g","mode":"POP"}' | 16 | is a retry topic
      '{"topic":"unknown","consumerGroup":"g","mode":"POP"}' | 17 | does not exist
      """)
  void shouldRefuseARequestModeThatMakesNoSense(String body, int code, String sentence) throws Exception {
    RemotingCommand answer = set(body);

    assertThat(answer.code()).as(answer.remark()).isEqualTo(code);
    assertThat(answer.remark()).contains(sentence);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      '' | is empty
      '{"clientId":"c1","consumerGroup":"g","topic":"orders"}' | lacks 'messageModel'
      '{"clientId":"c1","consumerGroup":"g","messageModel":"CLUSTERING"}' | lacks 'topic'
      '{"clientId":"c1","consumerGroup":"g","topic":"orders","messageModel":"x"}' | there are CLUSTERING and BROADCASTING
      """)
  void shouldRefuseAQuestionThatMakesNoSense(String body, String sentence) throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.QUERY_ASSIGNMENT).body(body.getBytes(UTF_8)));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).contains(sentence);
  }

  @Test
  void shouldTakeRequestModesFromAdministratorsOnly(@TempDir Path other) throws Exception {
    try (TestBroker elsewhere = TestBroker.administeredFromElsewhere(other)) {
      RemotingCommand answer = elsewhere.ask(RemotingCommand.request(RequestCode.SET_MESSAGE_REQUEST_MODE)
          .body("{\"topic\":\"orders\",\"consumerGroup\":\"g\",\"mode\":\"POP\"}".getBytes(UTF_8)));

      assertThat(answer.code()).isEqualTo(16);
      assertThat(answer.remark()).contains("adminAllowedFrom");
    }
  }

  @Test
  void shouldDeleteTheRetryTopicsOfPopsWithTheirTopic() throws Exception {
    RemotingCommand pop = RemotingCommand.request(RequestCode.POP_MESSAGE).ext("consumerGroup", "g").ext("topic", "orders")
        .ext("queueId", 0).ext("maxMsgNums", 32).ext("invisibleTime", 1).ext("pollTime", 10_000).ext("bornTime", 0)
            .ext("initMode", 0);
    assertThat(broker.ask(pop).code()).isZero();
    RemotingCommand again = pop.ext("invisibleTime", 60_000).ext("pollTime", 500);
    RemotingCommand revived = broker.ask(again);
    for (int asked = 1; revived.code() != 0 && asked < 120; asked++) {
      revived = broker.ask(again);
    }
    assertThat(revived.text("startOffsetInfo")).as(revived.toString()).contains("1 0 0");
    awaitProgress("g", "orders");

    assertThat(broker.ask(RemotingCommand.request(RequestCode.DELETE_TOPIC_IN_BROKER).ext("topic", "orders")).code()).isZero();

    assertThat(broker.ask(RemotingCommand.request(RequestCode.GET_TOPIC_CONFIG).ext("topic", "%RETRY%g_orders")).code())
        .isEqualTo(17);
  }

  /** Their names are the same: whatever another group's members had sent back was gone. */
  @Test
  void shouldLeaveTheRetryTopicOfAnotherGroupAlone() throws Exception {
    assertThat(broker.ask(RemotingCommand.request(RequestCode.UPDATE_CONSUMER_OFFSET)
        .ext("consumerGroup", "g").ext("topic", "orders").ext("queueId", 0).ext("commitOffset", 1)).code()).isZero();
    assertThat(broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP)
        .body("{\"groupName\":\"g_orders\"}".getBytes(UTF_8))).code()).isZero();
    assertThat(broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_TOPIC).ext("topic", "%RETRY%g_orders")
        .ext("readQueueNums", 1).ext("writeQueueNums", 1).ext("perm", 6)).code()).isZero();

    assertThat(broker.ask(RemotingCommand.request(RequestCode.DELETE_TOPIC_IN_BROKER).ext("topic", "orders")).code()).isZero();

    assertThat(broker.ask(RemotingCommand.request(RequestCode.GET_TOPIC_CONFIG).ext("topic", "%RETRY%g_orders")).code()).isZero();
  }

  /** Progress of pops is noted when the log is on disk. */
  private void awaitProgress(String group, String topic) throws Exception {
    RemotingCommand query = RemotingCommand.request(RequestCode.QUERY_CONSUMER_OFFSET).ext("consumerGroup", group).ext("topic", topic)
        .ext("queueId", 0).ext("setZeroIfNotFound", false);
    long deadlineNs = System.nanoTime() + 60_000_000_000L;
    while (broker.ask(query).code() != 0) {
      assertThat(System.nanoTime()).as("waited long enough").isLessThan(deadlineNs);
    }
  }

  private String query(String topic, String model, String strategy) throws Exception {
    String body = "{\"clientId\":\"c1\",\"consumerGroup\":\"g\",\"messageModel\":\"" + model + "\",\"strategyName\":\"" + strategy
        + "\",\"topic\":\"" + topic + "\"}";
    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.QUERY_ASSIGNMENT).body(body.getBytes(UTF_8)));
    assertThat(answer.code()).as(answer.remark()).isZero();
    return new String(answer.body(), UTF_8);
  }

  private RemotingCommand set(String body) throws Exception {
    return broker.ask(RemotingCommand.request(RequestCode.SET_MESSAGE_REQUEST_MODE).body(body.getBytes(UTF_8)));
  }
}
