package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.MetaqException.Reason;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many messages at once. */
@Timeout(180)
class SendAllTest extends ClientTestBase {
  @Override
  MetaqClientOptions options() {
    return super.options().setMaxBodyBytes(10_000);
  }

  @Test
  void shouldSendASmallListAsOneBatchWithReceiptsInItsOrder() {
    List<Message> messages = IntStream.range(0, 10).mapToObj(i -> HELLO.body("m" + i).key("k" + i)).toList();

    List<SendReceipt> receipts = client.sendAll(messages).await().atMost(LIMIT);

    assertThat(cluster.requests(RequestCode.SEND_BATCH_MESSAGE)).hasSize(1);
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).isEmpty();
    assertThat(receipts).extracting(SendReceipt::queueOffset).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(receipts).extracting(SendReceipt::offsetMessageId).doesNotHaveDuplicates().allMatch(id -> id.length() == 32);
    assertThat(receipts).extracting(SendReceipt::messageId).doesNotHaveDuplicates();
    assertThat(read(receipts.get(0).queueId())).extracting(Message::text).containsExactly(
        "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
    assertThat(read(receipts.get(0).queueId())).extracting(message -> message.messageId().orElse(""))
        .containsExactlyElementsOf(receipts.stream().map(SendReceipt::messageId).toList());
  }

  @Test
  void shouldSendAnEmptyListWithoutAskingAnybody() {
    assertThat(client.sendAll(List.of()).await().atMost(LIMIT)).isEmpty();
    assertThat(cluster.requests(RequestCode.GET_ROUTEINFO_BY_TOPIC)).isEmpty();
  }

  @Test
  void shouldGiveReceiptsInOrderAlsoWhenSomeGoAlone() {
    cluster.topic("U", 1);
    List<Message> messages =
        List.of(HELLO, HELLO.delayLevel(1), Message.to("U").body("u"), HELLO, HELLO.body(new byte[5000]), Message.to("U").body("v"));

    List<SendReceipt> receipts = client.sendAll(messages).await().atMost(LIMIT);

    assertThat(receipts).extracting(SendReceipt::topic).containsExactly("T", "T", "U", "T", "T", "U");
    assertThat(cluster.requests(RequestCode.SEND_BATCH_MESSAGE)).hasSize(2);
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).hasSize(2);
  }

  @Test
  void shouldSplitWhatIsLongerThanOneRequestMayBe() {
    List<Message> messages = IntStream.range(0, 12).mapToObj(i -> HELLO.body(new byte[3000])).toList();

    List<SendReceipt> receipts = client.sendAll(messages).await().atMost(LIMIT);

    assertThat(receipts).hasSize(12);
    assertThat(cluster.requests(RequestCode.SEND_BATCH_MESSAGE))
        .hasSize(4)
        .allSatisfy(request -> assertThat(request.body()).hasSizeLessThanOrEqualTo(10_000));
  }

  @Test
  void shouldSayOfEachMessageWhetherItIsStored() {
    cluster.first(1, RequestCode.SEND_BATCH_MESSAGE, call -> call.refuse(ResultCode.MESSAGE_ILLEGAL.wire(), "not this"));
    List<Message> messages =
        List.of(HELLO, HELLO, Message.to("a/b").body("x"), HELLO.delayLevel(1), HELLO.body(new byte[10_001]));

    SendAllException failure =
        catchThrowableOfType(SendAllException.class, () -> client.sendAll(messages).await().atMost(LIMIT));

    assertThat(failure.stored()).containsOnlyKeys(3);
    assertThat(failure.failed()).containsOnlyKeys(0, 1, 2, 4);
    assertThat(failure.failed().get(0).code()).isEqualTo(ResultCode.MESSAGE_ILLEGAL.wire());
    assertThat(failure.failed().get(2).reason()).isEqualTo(Reason.INVALID);
    assertThat(failure.failed().get(4).reason()).isEqualTo(Reason.INVALID);
    assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
    assertThat(failure.retryable()).isFalse();
    assertThat(failure).hasMessageContaining("4 of 5").hasMessageContaining("not this");
  }

  @Test
  void shouldRepeatABatchWithTheSameIdsWhenItsConnectionIsCut() {
    cluster.first(1, RequestCode.SEND_BATCH_MESSAGE, call -> call.socket().close());

    List<SendReceipt> receipts = client.sendAll(List.of(HELLO, HELLO)).await().atMost(LIMIT);

    Set<String> bodies =
        cluster.requests(RequestCode.SEND_BATCH_MESSAGE).stream().map(request -> new String(request.body())).collect(Collectors.toSet());
    assertThat(cluster.requests(RequestCode.SEND_BATCH_MESSAGE)).hasSize(2);
    assertThat(bodies).hasSize(1).allSatisfy(body -> assertThat(body).contains(receipts.get(0).messageId()));
  }

  @Test
  void shouldSendAnewForEachSubscription() {
    Uni<List<SendReceipt>> all = client.sendAll(List.of(HELLO, HELLO));

    List<SendReceipt> first = all.await().atMost(LIMIT);
    List<SendReceipt> second = all.await().atMost(LIMIT);

    assertThat(first.get(0).messageId()).isNotEqualTo(second.get(0).messageId());
  }

  private List<Message> read(int queueId) {
    List<Message> messages = new ArrayList<>();
    client.pull(new TopicQueue(FakeCluster.TOPIC, FakeCluster.BROKER, queueId), 0, 32).await().atMost(LIMIT).messages()
        .forEach(messages::add);
    return messages;
  }
}
