package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.MetaqException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads from single queues, and from positions that name an offset for each. */
@Timeout(180)
class QueueReadTest extends ClientTestBase {
  private static final String T = FakeCluster.TOPIC;
  private static final TopicQueue FIRST = new TopicQueue(T, FakeCluster.BROKER, 0);
  private static final TopicQueue SECOND = new TopicQueue(T, FakeCluster.BROKER, 1);

  @Test
  void shouldReadWithAllThatTheRecordsTell() {
    cluster.store(T, 0, "a", Map.of("TAGS", "red"), 0);
    cluster.store(T, 0, "b", Map.of(), 0);

    QueueRead read = client.read(FIRST, 0, 10, Duration.ZERO).await().atMost(LIMIT);

    assertThat(read.messages()).extracting(found -> found.message().text()).containsExactly("a", "b");
    assertThat(read.messages().get(0).broker()).isEqualTo(FakeCluster.BROKER);
    assertThat(read.messages().get(0).offsetId()).hasSize(32);
    assertThat(read.nextQueueOffset()).isEqualTo(2);
    assertThat(read.maxQueueOffset()).isEqualTo(2);
  }

  @Test
  void shouldHoldAReadUntilAMessageComes() throws Exception {
    CompletableFuture<QueueRead> held = client.read(FIRST, 0, 10, Duration.ofSeconds(20)).subscribeAsCompletionStage();
    cluster.store(T, 0, "late", Map.of(), 0);

    assertThat(held.get(LIMIT.toSeconds(), TimeUnit.SECONDS).messages()).extracting(found -> found.message().text()).containsExactly("late");
  }

  @Test
  void shouldTellWhatAPositionMeansInEveryQueue() {
    cluster.store(T, 1, "a", Map.of(), 0);

    assertThat(client.offsets(T, Position.LATEST).await().atMost(LIMIT)).isEqualTo(Map.of(FIRST, 0L, SECOND, 1L));
    assertThat(client.offsets(T, Position.EARLIEST).await().atMost(LIMIT)).isEqualTo(Map.of(FIRST, 0L, SECOND, 0L));
    MetaqException unknown = catchThrowableOfType(
        MetaqException.class, () -> client.offsets("nowhere", Position.LATEST).await().atMost(LIMIT));
    assertThat(unknown.reason()).isEqualTo(Reason.NO_ROUTE);
  }

  @Test
  void shouldBeginAtTheOffsetsGivenAndInOtherQueuesAtTheirBeginning() {
    cluster.store(T, 0, "a", Map.of(), 0);
    cluster.store(T, 0, "b", Map.of(), 0);
    cluster.store(T, 1, "c", Map.of(), 0);

    Subscription fromSecond = Subscription.to(T).from(Position.at(Map.of(FIRST, 1L)));
    List<Delivery> got = client.subscribe(fromSecond).select().first(2).collect().asList().await().atMost(LIMIT);

    assertThat(got).extracting(delivery -> delivery.found().message().text()).containsExactlyInAnyOrder("b", "c");
  }
}
