package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.ByteSink;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which messages of a list share a request. */
class BatchingTest {
  private static final Message SMALL = Message.to("T").body("x");

  @Test
  void shouldPutMessagesOfOneTopicTogether() {
    assertThat(places(SMALL, SMALL, SMALL)).containsExactly(List.of(0, 1, 2));
  }

  @Test
  void shouldKeepTopicsApart() {
    Message other = Message.to("U").body("x");

    assertThat(places(SMALL, other, SMALL, other)).containsExactly(List.of(0, 2), List.of(1, 3));
  }

  @Test
  void shouldSendAloneWhatBrokersRefuseInABatch() {
    Message late = SMALL.deliverAfter(Duration.ofSeconds(1));
    Message level = SMALL.delayLevel(3);
    Message retried = Message.to("%RETRY%g").body("x");

    assertThat(places(late, level, retried, retried, SMALL, late, SMALL))
        .containsExactly(List.of(0), List.of(1), List.of(2), List.of(3), List.of(4, 6), List.of(5));
  }

  @Test
  void shouldSendAloneWhatIsCompressed() {
    assertThat(places(SMALL, SMALL.body(new byte[100]), SMALL.body(new byte[99]))).containsExactly(List.of(0, 2), List.of(1));
  }

  @Test
  void shouldKeepTheOrderOfMessagesWithOneKey() {
    Message keyed = SMALL.orderKey("k");
    Message large = keyed.body(new byte[100]);

    assertThat(places(keyed, keyed, large, keyed, SMALL, keyed, large, large, SMALL.orderKey("l")))
        .containsExactly(List.of(0, 1), List.of(2), List.of(3, 5), List.of(4), List.of(6), List.of(7), List.of(8));
  }

  @Test
  void shouldKeepQueuesApart() {
    Message first = Message.to(new TopicQueue("T", "b0", 0));
    Message second = Message.to(new TopicQueue("T", "b0", 1));

    assertThat(places(first, second, first)).containsExactly(List.of(0, 2), List.of(1));
  }

  @Test
  void shouldKeepApartWhatWaitsAndWhatDoesNot() {
    Message hasty = SMALL.waitStored(false);

    assertThat(places(SMALL, SMALL, hasty, hasty)).containsExactly(List.of(0, 1), List.of(2, 3));
  }

  @Test
  void shouldBeginAnewWhereABatchWouldBeTooLong() {
    IdentifiedMessage one = identified(SMALL);

    assertThat(places(new Batching(3 * MessageBatch.bytes(one), 100), SMALL, SMALL, SMALL, SMALL))
        .containsExactly(List.of(0, 1, 2), List.of(3));
    assertThat(places(new Batching(3 * MessageBatch.bytes(one) - 1, 100), SMALL, SMALL, SMALL, SMALL))
        .containsExactly(List.of(0, 1), List.of(2, 3));
  }

  @Test
  void shouldBoundTheMessagesOfABatch() {
    Message[] many = IntStream.range(0, 1025).mapToObj(i -> SMALL).toArray(Message[]::new);

    assertThat(places(many)).hasSize(2).last().isEqualTo(List.of(1024));
  }

  private static List<List<Integer>> places(Message... messages) {
    return places(new Batching(1 << 20, 100), messages);
  }

  private static List<List<Integer>> places(Batching batching, Message... messages) {
    return batching.divide(List.of(messages).stream().map(BatchingTest::identified).toList()).stream()
        .map(Batching.Portion::places)
        .toList();
  }

  private static IdentifiedMessage identified(Message message) {
    return IdentifiedMessage.of(message, "id", new ByteSink(64));
  }
}
