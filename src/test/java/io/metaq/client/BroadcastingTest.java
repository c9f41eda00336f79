package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqException.Reason;
import io.metaq.model.RequestCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Broadcasting groups: everybody reads everything, and the progress is in a file. */
@Timeout(180)
class BroadcastingTest extends ConsumerTestBase {
  private static final Subscription BROADCAST = MEMBER.broadcasting();

  @TempDir
  private Path folder;

  @Override
  MetaqClient client() {
    return client("one");
  }

  @Test
  void shouldReadEveryQueueWhateverOtherMembersThereAre() {
    cluster.member("0 comes first", GROUP);
    fill(0, 3);
    fill(1, 3);

    take(BROADCAST, Long.MAX_VALUE).next(6);

    assertThat(new String(cluster.requests(RequestCode.HEART_BEAT).get(0).body(), StandardCharsets.UTF_8))
        .contains("\"messageModel\":\"BROADCASTING\"").doesNotContain("%RETRY%");
    assertThat(cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP)).isEmpty();
  }

  @Test
  void shouldGoOnFromItsFileWhenItIsStartedAgain() {
    fill(0, 5);
    Taker taker = take(BROADCAST, Long.MAX_VALUE);
    taker.next(5).subList(0, 3).forEach(delivery -> await(delivery.ack()));
    client.close().await().atMost(LIMIT);

    client = client("one");

    assertThat(take(BROADCAST, Long.MAX_VALUE).next(2)).extracting(Delivery::queueOffset).containsExactly(3L, 4L);
    assertThat(cluster.requests(RequestCode.UPDATE_CONSUMER_OFFSET)).isEmpty();
    assertThat(cluster.requests(RequestCode.QUERY_CONSUMER_OFFSET)).isEmpty();
  }

  @Test
  void shouldStoreItsProgressWhileItRuns() {
    fill(0, 2);
    take(BROADCAST, Long.MAX_VALUE).next(2).forEach(delivery -> await(delivery.ack()));

    Path file = folder.resolve("one").resolve("g.json");
    until(() -> text(file).contains("\"queueId\":0,\"offset\":2"));
    assertThat(text(file)).contains("\"group\":\"g\"", "\"topic\":\"T\"", "\"broker\":\"b0\"");
  }

  @Test
  void shouldRefuseAFileThatAnotherClientUses() {
    fill(0, 1);
    take(BROADCAST, 1).next(1);
    MetaqClient second = client("one");
    Taker refused = new Taker(1);

    second.subscribe(BROADCAST).subscribe().withSubscriber(refused);

    assertThat(refused.failure()).isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID))
        .hasMessageContaining("instance name").hasMessageContaining("g.json");
    second.close().await().atMost(LIMIT);
  }

  @Test
  void shouldLetTwoInstancesReadSideBySide() {
    fill(0, 2);
    MetaqClient second = client("two");
    Taker other = new Taker(Long.MAX_VALUE);
    second.subscribe(BROADCAST).subscribe().withSubscriber(other);

    assertThat(take(BROADCAST, Long.MAX_VALUE).next(2)).hasSize(2);
    assertThat(other.next(2)).hasSize(2);
    second.close().await().atMost(LIMIT);
  }

  @Test
  void shouldRefuseAFileThatItCannotRead() throws Exception {
    Path file = Files.createDirectories(folder.resolve("one")).resolve("g.json");
    Files.writeString(file, "{\"version\":1,\"queues\":[{\"topic\":\"T\"}]}");

    assertThat(take(BROADCAST, 1).failure()).isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID))
        .hasMessageContaining("g.json");
    assertThat(Files.exists(file)).isTrue();
  }

  @Test
  void shouldDeliverAgainHereWhatIsSentBackAndDropItInTheEnd() {
    fill(0, 1);
    Taker taker = take(BROADCAST.maxRetries(2), Long.MAX_VALUE);

    for (int retries = 0; retries <= 2; retries++) {
      Delivery delivery = taker.next(1).get(0);
      assertThat(delivery.reconsumeTimes()).isEqualTo(retries);
      await(delivery.nack(Duration.ofMillis(1)));
    }

    until(() -> text(folder.resolve("one").resolve("g.json")).contains("\"queueId\":0,\"offset\":1"));
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).isEmpty();
  }

  @Test
  void shouldRefuseBothKindsOfGroupUnderOneName() {
    take(BROADCAST, 1);

    assertThat(take(Subscription.to("U").group(GROUP), 1).failure())
        .isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID))
        .hasMessageContaining("broadcasting");
  }

  @Test
  void shouldSeekInItsFile() {
    fill(0, 5);
    Taker taker = take(BROADCAST, Long.MAX_VALUE);
    taker.next(5);
    TopicQueue queue = new TopicQueue(TOPIC, FakeCluster.BROKER, 0);

    await(client.membership(GROUP).seek(queue, 2));

    assertThat(taker.next(3)).extracting(Delivery::queueOffset).isEqualTo(List.of(2L, 3L, 4L));
    assertThat(text(folder.resolve("one").resolve("g.json"))).contains("\"offset\":2");
  }

  private MetaqClient client(String instanceName) {
    return MetaqClient.create(
        vertx, new MetaqClientOptions().setNameServers(cluster.address()).setInstanceName(instanceName).setLocalOffsets(folder));
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
