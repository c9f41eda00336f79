package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.model.PropertyNames;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that wait for an answer. */
@Timeout(180)
class RequestReplyTest extends ClientTestBase {
  private static final Message QUESTION = Message.to(FakeCluster.TOPIC).body("question");

  @BeforeEach
  void makeTheTopicOfReplies() {
    cluster.topic("c_REPLY_TOPIC", 1);
  }

  @Test
  void shouldGiveTheAnswerThatABrokerBrings() throws Exception {
    answerEachWith("answer".getBytes(StandardCharsets.UTF_8), 0);

    Message answer = client.request(QUESTION, LIMIT).await().atMost(LIMIT);

    assertThat(answer.text()).isEqualTo("answer");
    Await.until("that the broker hears of it", LIMIT, () -> !cluster.answers().isEmpty());
    assertThat(cluster.answers()).extracting(RemotingCommand::code).containsExactly(ResultCode.SUCCESS.wire());
  }

  @Test
  void shouldUnpackACompressedAnswer() {
    answerEachWith(Bodies.pack("a".repeat(10_000).getBytes(StandardCharsets.UTF_8)), SysFlag.COMPRESSED | Bodies.ZLIB_FLAG);

    assertThat(client.request(QUESTION, LIMIT).await().atMost(LIMIT).text()).hasSize(10_000);
  }

  @Test
  void shouldTellBrokersWhoWaitsBeforeItAsks() {
    answerEachWith(new byte[1], 0);

    client.request(QUESTION, LIMIT).await().atMost(LIMIT);

    String beat = new String(cluster.requests(RequestCode.HEART_BEAT).get(0).body(), StandardCharsets.UTF_8);
    String clientId = properties(cluster.requests(RequestCode.SEND_MESSAGE_V2).get(0)).get(PropertyNames.REPLY_TO_CLIENT);
    assertThat(beat).contains(clientId).contains("DEFAULT_PRODUCER");
  }

  @Test
  void shouldTellBrokersThatKnowItAsAConsumerAlready() throws Exception {
    Subscription readers = Subscription.to(FakeCluster.TOPIC).group("readers").from(Position.EARLIEST);
    client
        .consume(readers, 1, delivery -> Uni.createFrom().voidItem())
        .subscribe()
        .with(done -> {}, failure -> {});
    Await.until("a heartbeat as a consumer", LIMIT, () -> beats("readers"));
    answerEachWith(new byte[1], 0);

    client.request(QUESTION, LIMIT).await().atMost(LIMIT);

    assertThat(beats("DEFAULT_PRODUCER")).isTrue();
  }

  @Test
  void shouldNotWaitForTheBrokersAnswerWhenTheReplyIsThere() {
    MetaqClient narrow =
        MetaqClient.create(
            vertx,
            options()
                .setRequestTimeout(Duration.ofMinutes(2))
                .setSendTimeout(Duration.ofMinutes(2))
                .setMaxInFlight(1));
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      cluster.tell(push(call.request(), new byte[1], 0));
      return true;
    });

    narrow.request(QUESTION, LIMIT).await().atMost(LIMIT);
    Message second = narrow.request(QUESTION, LIMIT).await().atMost(LIMIT);

    assertThat(second.body()).hasSize(1);
    narrow.close().await().atMost(LIMIT);
  }

  @Test
  void shouldFailWithATimeoutWhenNobodyAnswersAndTellABrokerThatComesLater() throws Exception {
    CompletableFuture<RemotingCommand> late = new CompletableFuture<>();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      late.complete(push(call.request(), new byte[1], 0));
      return false;
    });

    MetaqException failure = failure(client.request(QUESTION, Duration.ofSeconds(2)));
    cluster.tell(late.join());

    assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(failure).hasMessageContaining("2000 ms");
    Await.until("an answer of the client", LIMIT, () -> !cluster.answers().isEmpty());
    assertThat(cluster.answers().get(0).code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
  }

  @Test
  void shouldFailWhatWaitsWhenTheClientCloses() throws Exception {
    CompletableFuture<Message> waiting = client.request(QUESTION, LIMIT).subscribeAsCompletionStage();
    Await.until("the request", LIMIT, () -> !cluster.requests(RequestCode.SEND_MESSAGE_V2).isEmpty());

    client.close().await().atMost(LIMIT);

    assertThat(catchThrowableOfType(CompletionException.class, waiting::join))
        .hasCauseInstanceOf(MetaqException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void shouldRefuseATimeoutOfNothing() {
    assertThat(failure(client.request(QUESTION, Duration.ZERO)).reason()).isEqualTo(Reason.INVALID);
  }

  @Test
  void shouldSendAReplyWithAllThatBringsItBack() {
    client.reply(Message.replyTo(request()).body("answer")).await().atMost(LIMIT);

    RemotingCommand sent = cluster.requests(RequestCode.SEND_REPLY_MESSAGE_V2).get(0);
    assertThat(sent.text("b")).contains("c_REPLY_TOPIC");
    assertThat(properties(sent))
        .containsEntry(PropertyNames.CORRELATION_ID, "id-1")
        .containsEntry(PropertyNames.REPLY_TO_CLIENT, "somebody")
        .containsEntry(PropertyNames.TTL, "3000")
        .containsEntry(PropertyNames.MSG_TYPE, "reply");
  }

  @Test
  void shouldNotRepeatAReplyThatTheBrokerCouldNotBring() {
    cluster.script(RequestCode.SEND_REPLY_MESSAGE_V2, call -> {
      call.refuse(ResultCode.SYSTEM_ERROR.wire(), "the requester is gone");
      return true;
    });

    MetaqException failure = failure(client.reply(Message.replyTo(request())));

    assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
    assertThat(cluster.requests(RequestCode.SEND_REPLY_MESSAGE_V2)).hasSize(1);
  }

  @Test
  void shouldSayThatNobodyWaitsForAnAnswerToAPlainMessage() {
    MetaqException failure = catchThrowableOfType(MetaqException.class, () -> Message.replyTo(QUESTION));

    assertThat(failure.reason()).isEqualTo(Reason.INVALID);
  }

  private static Message request() {
    return QUESTION
        .with(PropertyNames.CORRELATION_ID, "id-1")
        .with(PropertyNames.REPLY_TO_CLIENT, "somebody")
        .with(PropertyNames.CLUSTER, "c")
        .with(PropertyNames.TTL, "3000");
  }

  private boolean beats(String group) {
    return cluster.requests(RequestCode.HEART_BEAT).stream()
        .anyMatch(beat -> new String(beat.body(), StandardCharsets.UTF_8).contains("\"" + group + "\""));
  }

  private void answerEachWith(byte[] body, int sysFlag) {
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      cluster.tell(push(call.request(), body, sysFlag));
      return false;
    });
  }

  private static RemotingCommand push(RemotingCommand request, byte[] body, int sysFlag) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(PropertyNames.CORRELATION_ID, properties(request).get(PropertyNames.CORRELATION_ID));
    return RemotingCommand.request(RequestCode.PUSH_REPLY_MESSAGE_TO_CLIENT)
        .ext("topic", "c_REPLY_TOPIC")
        .ext("sysFlag", sysFlag)
        .ext("flag", 0)
        .ext("properties", new String(PropertiesText.encode(properties), StandardCharsets.UTF_8))
        .body(body);
  }

  private static Map<String, String> properties(RemotingCommand send) {
    return PropertiesText.decode(send.requireText("i").getBytes(StandardCharsets.UTF_8));
  }
}
