package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Heartbeats;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
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

/** The way of a reply to whoever waits for it. */
class ReplyTest {
  private static final String TOPIC = "c_REPLY_TOPIC";
  private static final String TO_REQUESTER = "CORRELATION_ID\u0001id-1\u0002REPLY_TO_CLIENT\u0001requester\u0002";

  @TempDir
  Path folder;
  private TestBroker broker;
  private RawClient requester;

  @BeforeEach
  void startWithARequester() throws Exception {
    broker = new TestBroker(folder, false, true);
    requester = RawClient.connect(broker.port());
    requester.call(Heartbeats.producer("requester"));
  }

  @AfterEach
  void stop() throws Exception {
    requester.close();
    broker.close();
  }

  @Test
  void shouldBringAReplyToWhoeverWaitsAndStoreIt() throws Exception {
    long before = broker.appendedMessages();
    Future<RemotingCommand> sent = broker.request(reply(TO_REQUESTER));

    RawFrame push = requester.awaitRequest(RequestCode.PUSH_REPLY_MESSAGE_TO_CLIENT.wire());
    requester.write(RawFrame.answerTo(push, 0).encode());
    RemotingCommand answer = TestBroker.await(sent);

    assertThat(new String(push.body(), StandardCharsets.UTF_8)).isEqualTo("pong");
    assertThat(push.ext()).containsEntry("producerGroup", "pg").containsEntry("topic", TOPIC).containsEntry("queueId", "0")
        .containsEntry("sysFlag", "1").containsEntry("bornTimestamp", "77").containsEntry("flag", "5").containsEntry("reconsumeTimes", "0");
    assertThat(push.ext("properties")).startsWith(TO_REQUESTER + "PUSH_REPLY_TIME\u0001");
    assertThat(push.ext("bornHost")).matches("127\\.0\\.0\\.1:\\d+");
    assertThat(push.ext("storeHost")).isEqualTo("127.0.0.1:" + broker.port());
    assertThat(push.number("storeTimestamp")).isPositive();
    assertThat(answer.code()).as(answer.remark()).isZero();
    assertThat(answer.requireText("msgId")).matches("7F00000100002A9F[0-9A-F]{16}");
    assertThat(answer.requireInt("queueId")).isZero();
    assertThat(answer.requireLong("queueOffset")).isZero();
    assertThat(answer.requireText("TRACE_ON")).isEqualTo("true");
    assertThat(broker.appendedMessages()).isEqualTo(before + 1);
  }

  @Test
  void shouldTakeTheOldFormOfAReply() throws Exception {
    Future<RemotingCommand> sent = broker.request(RemotingCommand.request(RequestCode.SEND_REPLY_MESSAGE)
        .ext("producerGroup", "pg").ext("topic", TOPIC).ext("defaultTopic", "TBW102").ext("defaultTopicQueueNums", 4).ext("queueId", -1)
        .ext("sysFlag", 0).ext("bornTimestamp", 1).ext("flag", 0).ext("properties", "REPLY_TO_CLIENT\u0001requester"));

    RawFrame push = requester.awaitRequest(RequestCode.PUSH_REPLY_MESSAGE_TO_CLIENT.wire());
    requester.write(RawFrame.answerTo(push, 0).encode());

    assertThat(push.ext("queueId")).isEqualTo("0");
    assertThat(push.ext("properties")).startsWith("REPLY_TO_CLIENT\u0001requester\u0002PUSH_REPLY_TIME\u0001");
    assertThat(TestBroker.await(sent).code()).isZero();
  }

  @Test
  void shouldSayThatARequesterIsGoneAndStoreTheReply() throws Exception {
    requester.close();
    long before = broker.appendedMessages();

    RemotingCommand answer = broker.ask(reply("REPLY_TO_CLIENT\u0001nobody\u0002"));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).isEqualTo("push reply message fail, channel of <nobody> not found.");
    assertThat(answer.requireText("msgId")).hasSize(32);
    assertThat(broker.appendedMessages()).isEqualTo(before + 1);
  }

  @Test
  void shouldSayThatARequesterWantsNoReply() throws Exception {
    Future<RemotingCommand> sent = broker.request(reply(TO_REQUESTER));

    RawFrame push = requester.awaitRequest(RequestCode.PUSH_REPLY_MESSAGE_TO_CLIENT.wire());
    requester.write(RawFrame.answerTo(push, 1).remark("no").encode());
    RemotingCommand answer = TestBroker.await(sent);

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).contains("push reply message to requester fail").contains("no");
  }

  @Test
  void shouldForgetAProducerThatUnregistered() throws Exception {
    requester.call(RawFrame.request(35).ext("clientID", "requester").ext("producerGroup", "producers-of-requester"));

    RemotingCommand answer = broker.ask(reply(TO_REQUESTER));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).contains("channel of <requester> not found");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      b | no!topic | 29 | illegal character
      b | SCHEDULE_TOPIC_XXXX | 16 | belongs to the broker
      c | nothing | 0 |
      e | 1 | 29 | queue 1 does not exist: topic c_REPLY_TOPIC has 1 queues
      e | x | 1 | the field 'e' is not a whole number: 'x'
      i | KEYS\u0001k | 1 | has no property REPLY_TO_CLIENT
      """)
  void shouldRefuseAReplyThatMakesNoSense(String field, String value, int code, String sentence) throws Exception {
    Future<RemotingCommand> sent = broker.request(reply(TO_REQUESTER).ext(field, value));
    if (code == 0) {
      requester.write(RawFrame.answerTo(requester.awaitRequest(RequestCode.PUSH_REPLY_MESSAGE_TO_CLIENT.wire()), 0).encode());
    }

    RemotingCommand answer = TestBroker.await(sent);

    assertThat(answer.code()).as(answer.remark()).isEqualTo(code);
    if (sentence != null) {
      assertThat(answer.remark()).contains(sentence);
    }
  }

  @Test
  void shouldRefuseAReplyToATopicThatCannotBeMade() throws Exception {
    RemotingCommand answer = broker.ask(reply(TO_REQUESTER).ext("b", "unknown").ext("c", "no-template"));

    assertThat(answer.code()).isEqualTo(17);
    assertThat(answer.remark()).contains("topic unknown does not exist");
  }

  @Test
  void shouldNameAFieldThatIsMissing() throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.SEND_REPLY_MESSAGE_V2).ext("a", "pg"));

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.remark()).isEqualTo("the request lacks the field 'b'");
  }

  private static RemotingCommand reply(String properties) {
    return RemotingCommand.request(RequestCode.SEND_REPLY_MESSAGE_V2)
        .ext("a", "pg").ext("b", TOPIC).ext("c", "TBW102").ext("d", 4).ext("e", 0).ext("f", 1).ext("g", 77).ext("h", 5)
        .ext("i", properties).ext("j", 0).ext("k", false).body("pong".getBytes(StandardCharsets.UTF_8));
  }
}
