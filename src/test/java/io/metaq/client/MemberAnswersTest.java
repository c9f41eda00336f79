package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.admin.ConsumerRunning;
import io.metaq.codec.admin.OffsetsBody;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a member answers when brokers ask or tell it something for a tool. */
@Timeout(180)
class MemberAnswersTest extends ConsumerTestBase {
  private Taker taker;

  @BeforeEach
  void member() {
    cluster.topic(TOPIC, 1);
    fill(0, 5);
    taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(5).subList(0, 2).forEach(delivery -> await(delivery.ack()));
  }

  @Test
  void shouldTellHowItRuns() throws Exception {
    RemotingCommand answer = cluster.ask(request(RequestCode.GET_CONSUMER_RUNNING_INFO, "consumerGroup", GROUP));

    assertThat(answer.code()).isZero();
    assertThat(ConsumerRunning.decodeQueues(answer.body())).containsExactly(new QueueRef(TOPIC, FakeCluster.BROKER, 0));
    assertThat(text(answer)).contains("\"commitOffset\":2", "\"cachedMsgCount\":3", "\"PROP_CONSUMEORDERLY\":\"false\"", "\"%RETRY%g\"")
        .doesNotContain("jstack");
  }

  @Test
  void shouldTellItsThreadsWhenTheyAreAskedFor() throws Exception {
    RemotingCommand request = request(RequestCode.GET_CONSUMER_RUNNING_INFO, "consumerGroup", GROUP).ext("jstackEnable", true);

    assertThat(text(cluster.ask(request))).contains("\"jstack\":", "vert.x-eventloop-thread");
  }

  @Test
  void shouldTellWhereItStands() throws Exception {
    RemotingCommand answer = cluster.ask(request(RequestCode.GET_CONSUMER_STATUS_FROM_CLIENT, "group", GROUP).ext("topic", TOPIC));

    assertThat(text(answer)).isEqualTo("{\"messageQueueTable\":{{\"brokerName\":\"b0\",\"queueId\":0,\"topic\":\"T\"}:2}}");
  }

  @Test
  void shouldSayThatItIsNoMember() throws Exception {
    for (RequestCode code : List.of(RequestCode.GET_CONSUMER_RUNNING_INFO, RequestCode.CONSUME_MESSAGE_DIRECTLY)) {
      assertThat(cluster.ask(request(code, "consumerGroup", "other")).code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    }
    assertThat(cluster.ask(request(RequestCode.GET_CONSUMER_STATUS_FROM_CLIENT, "group", "other")).code())
        .isEqualTo(ResultCode.SYSTEM_ERROR.wire());
  }

  @Test
  void shouldGoOnWhereAToolOrders() {
    cluster.tell(RemotingCommand.oneway(RequestCode.RESET_CONSUMER_CLIENT_OFFSET).ext("group", GROUP).ext("topic", TOPIC)
        .body(OffsetsBody.reset(FakeCluster.BROKER, TOPIC, Map.of(0, 1L))));

    assertThat(taker.next(4)).extracting(Delivery::queueOffset).containsExactly(1L, 2L, 3L, 4L);
    until(() -> Long.valueOf(1).equals(cluster.offset(GROUP, TOPIC, 0)));
    cluster.tell(RemotingCommand.oneway(RequestCode.RESET_CONSUMER_CLIENT_OFFSET).ext("group", GROUP).ext("topic", TOPIC)
        .body(OffsetsBody.resetList(FakeCluster.BROKER, TOPIC, Map.of(0, 4L))));
    assertThat(taker.next(1)).extracting(Delivery::queueOffset).containsExactly(4L);
  }

  @Test
  void shouldGiveAToolsMessageToTheSubscriberAndTellWhatBecameOfIt() throws Exception {
    assertThat(consumeDirectly(true)).contains("\"consumeResult\":\"CR_SUCCESS\"");
    assertThat(consumeDirectly(false)).contains("\"consumeResult\":\"CR_LATER\"");
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).isEmpty();
  }

  private String consumeDirectly(boolean acknowledge) throws Exception {
    RemotingCommand request = request(RequestCode.CONSUME_MESSAGE_DIRECTLY, "consumerGroup", GROUP).ext("brokerName", FakeCluster.BROKER)
        .body(cluster.record(TOPIC, 0, 3));
    CompletableFuture<RemotingCommand> answer = CompletableFuture.supplyAsync(() -> {
      try {
        return cluster.ask(request);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
    Delivery delivery = taker.next(1).get(0);
    assertThat(delivery.queueOffset()).isEqualTo(3);
    await(acknowledge ? delivery.ack() : delivery.nack());
    return text(answer.get());
  }

  private static RemotingCommand request(RequestCode code, String field, String value) {
    return RemotingCommand.request(code).ext(field, value);
  }

  private static String text(RemotingCommand answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
