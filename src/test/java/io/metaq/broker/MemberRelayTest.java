package io.metaq.broker;

import static io.metaq.it.Heartbeats.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.it.Heartbeats;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.StoredRecord;
import io.metaq.model.RequestCode;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tools want of members, and members answer, by way of the broker. */
class MemberRelayTest {
  @TempDir
  Path folder;
  private TestBroker broker;
  private RawClient member;

  @BeforeEach
  void startWithAMember() throws Exception {
    broker = new TestBroker(folder, false, true);
    member = RawClient.connect(broker.port());
    member.call(Heartbeats.consumer("member-1", "g", tags("orders")));
  }

  @AfterEach
  void stop() throws Exception {
    member.close();
    broker.close();
  }

  @Test
  void shouldPassAQuestionOnAndTheAnswerBackAsItIs() throws Exception {
    Future<RemotingCommand> asked = broker.request(runningInfo("g", "member-1").ext("jstackEnable", true));

    RawFrame question = member.awaitRequest(RequestCode.GET_CONSUMER_RUNNING_INFO.wire());
    byte[] odd = "{\"mqTable\":{{\"topic\":\"orders\"}:1}}".getBytes(StandardCharsets.UTF_8);
    member.write(RawFrame.answerTo(question, 7).remark("what it says").ext("more", "x").body(odd).encode());
    RemotingCommand answer = TestBroker.await(asked);

    assertThat(question.ext()).containsEntry("consumerGroup", "g").containsEntry("clientId", "member-1").containsEntry("jstackEnable", "true");
    assertThat(answer.code()).isEqualTo(7);
    assertThat(answer.remark()).isEqualTo("what it says");
    assertThat(answer.ext()).containsEntry("more", "x");
    assertThat(answer.body()).isEqualTo(odd);
  }

  @ParameterizedTest
  @CsvSource({"g, nobody, The Consumer <g> <nobody> not online", "empty, member-1, The Consumer <empty> <member-1> not online"})
  void shouldSayThatAMemberIsNotThere(String group, String clientId, String sentence) throws Exception {
    RemotingCommand answer = broker.ask(runningInfo(group, clientId));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).isEqualTo(sentence);
  }

  @Test
  void shouldSayThatAMemberLeftWhileItWasAsked() throws Exception {
    Future<RemotingCommand> asked = broker.request(runningInfo("g", "member-1"));

    member.awaitRequest(RequestCode.GET_CONSUMER_RUNNING_INFO.wire());
    member.close();
    RemotingCommand answer = TestBroker.await(asked);

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).startsWith("invoke consumer <g> <member-1> Exception: ");
  }

  @Test
  void shouldNotAskClientsThatAreTooOldToAnswer() throws Exception {
    RemotingCommand heartbeat = RemotingCommand
        .decoded(RequestCode.HEART_BEAT.wire(), "JAVA", 27, 0, 0, SerializeType.JSON)
        .body(Heartbeats.consumer("old", "g", tags("orders")).body());
    broker.ask(heartbeat);

    RemotingCommand running = broker.ask(runningInfo("g", "old"));
    RemotingCommand status = broker.ask(status("g").ext("clientAddr", "old"));

    assertThat(running.code()).isEqualTo(1);
    assertThat(running.remark()).contains("The Consumer <old> Version <27> too low");
    assertThat(status.code()).isEqualTo(1);
    assertThat(status.remark()).contains("the client old of group g is older than 3.0.7");
  }

  @Test
  void shouldGiveAMemberAMessageToConsume() throws Exception {
    RemotingCommand sent = broker.ask(TestBroker.send("orders", 2, "once more"));

    Future<RemotingCommand> asked = broker.request(consume("member-1", sent.requireText("msgId")).ext("topic", "orders"));
    RawFrame question = member.awaitRequest(RequestCode.CONSUME_MESSAGE_DIRECTLY.wire());
    member.write(RawFrame.answerTo(question, 0).body("{\"consumeResult\":\"CR_SUCCESS\"}".getBytes(StandardCharsets.UTF_8)).encode());
    RemotingCommand answer = TestBroker.await(asked);

    assertThat(question.ext()).containsEntry("brokerName", "b").containsEntry("topicSysFlag", "0").containsEntry("groupSysFlag", "0");
    assertThat(StoredRecord.readAll(question.body())).singleElement().satisfies(record -> {
      assertThat(record.text()).isEqualTo("once more");
      assertThat(record.queueId()).isEqualTo(2);
    });
    assertThat(answer.code()).isZero();
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("{\"consumeResult\":\"CR_SUCCESS\"}");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      member-1 | 7F00000100002A9F0000000077777777 | there is no message at offset 2004318071 of the commit log
      member-1 | 7F00000100002A9F | the field 'msgId' is no id of a place in the log: '7F00000100002A9F'
      member-1 | hello | the field 'msgId' is no id
      """)
  void shouldGiveNoMemberAMessageThatIsNotThere(String clientId, String messageId, String sentence) throws Exception {
    RemotingCommand answer = broker.ask(consume(clientId, messageId));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).contains(sentence);
  }

  @ParameterizedTest
  @CsvSource({"GET_CONSUMER_RUNNING_INFO, consumerGroup", "CONSUME_MESSAGE_DIRECTLY, msgId", "INVOKE_BROKER_TO_GET_CONSUMER_STATUS, group"})
  void shouldNameAFieldThatIsMissing(RequestCode code, String field) throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(code));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).isEqualTo("the request lacks the field '" + field + "'");
  }

  @Test
  void shouldCollectWhereAllMembersAre() throws Exception {
    try (RawClient second = RawClient.connect(broker.port())) {
      second.call(Heartbeats.consumer("member-2", "g", tags("orders")));
      Future<RemotingCommand> asked = broker.request(status("g"));

      String table = "{{\"brokerName\":\"b\",\"queueId\":0,\"topic\":\"or}ders\"}:12}";
      answerStatus(member, "{\"consumerTable\":{},\"messageQueueTable\":" + table + "}");
      answerStatus(second, "{}");

      assertThat(new String(TestBroker.await(asked).body(), StandardCharsets.UTF_8))
          .isEqualTo("{\"consumerTable\":{\"member-1\":" + table + ",\"member-2\":{}},\"messageQueueTable\":{}}");
    }
  }

  @Test
  void shouldLeaveOutAMemberWhoseAnswerMakesNoSense() throws Exception {
    Future<RemotingCommand> asked = broker.request(status("g"));

    answerStatus(member, "{\"messageQueueTable\":{{");

    assertThat(new String(TestBroker.await(asked).body(), StandardCharsets.UTF_8))
        .isEqualTo("{\"consumerTable\":{},\"messageQueueTable\":{}}");
  }

  @Test
  void shouldSayThatNobodyIsThereToSayWhereItIs() throws Exception {
    RemotingCommand answer = broker.ask(status("empty"));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).isEqualTo("No Any Consumer online in the consumer group: [empty]");
  }

  private static void answerStatus(RawClient client, String body) throws Exception {
    RawFrame question = client.awaitRequest(RequestCode.GET_CONSUMER_STATUS_FROM_CLIENT.wire());
    assertThat(question.ext()).containsEntry("topic", "orders").containsEntry("group", "g");
    client.write(RawFrame.answerTo(question, 0).body(body.getBytes(StandardCharsets.UTF_8)).encode());
  }

  private static RemotingCommand runningInfo(String group, String clientId) {
    return RemotingCommand.request(RequestCode.GET_CONSUMER_RUNNING_INFO).ext("consumerGroup", group).ext("clientId", clientId);
  }

  private static RemotingCommand consume(String clientId, String messageId) {
    return RemotingCommand.request(RequestCode.CONSUME_MESSAGE_DIRECTLY)
        .ext("consumerGroup", "g").ext("clientId", clientId).ext("msgId", messageId);
  }

  private static RemotingCommand status(String group) {
    return RemotingCommand.request(RequestCode.INVOKE_BROKER_TO_GET_CONSUMER_STATUS).ext("group", group).ext("topic", "orders");
  }
}
