package io.metaq.it.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.Delivery;
import io.metaq.client.MemberStatus;
import io.metaq.client.Membership;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.MetaqException;
import io.metaq.client.Position;
import io.metaq.client.SendReceipt;
import io.metaq.client.Subscription;
import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Consumers of {@code io.metaq.client} against the packaged broker. */
@Timeout(200)
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class ConsumerIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int MEMBERS = 38;
  private static final int RESET = 222;
  private static final int STATUS = 223;
  private static final int RUNNING_INFO = 307;
  private static final int CONSUME_DIRECTLY = 309;

  private final Server server;
  private final String topic = Queues.freshName("consumed");
  private final String group = Queues.freshName("member");
  private final Vertx vertx = Vertx.vertx();
  private final Deque<MetaqClient> clients = new ArrayDeque<>();
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

  @TempDir
  private Path folder;

  ConsumerIT(Server server) {
    this.server = server;
  }

  @AfterEach
  void close() throws Exception {
    clients.forEach(client -> client.close().await().atMost(LIMIT));
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldSettleEveryMessageOnceWhileMembersComeAndGo() throws Exception {
    MetaqClient producer = client(server.namesrv());
    send(producer, 0, 400);
    Subscription subscription = member().handover(LIMIT);
    MetaqClient first = client(server.namesrv());
    consume(first, subscription, this::afterAMoment);
    send(producer, 400, 800);
    MetaqClient second = client(server.namesrv());
    consume(second, subscription, this::afterAMoment);
    send(producer, 800, 1200);
    MetaqClient third = client(server.namesrv());
    consume(third, subscription, this::afterAMoment);
    Await.until("three members that read", LIMIT, () -> queues(first) + queues(second) + queues(third) >= 4 && queues(third) > 0);
    send(producer, 1200, 1600);

    first.close().await().atMost(LIMIT);
    send(producer, 1600, 2000);
    second.close().await().atMost(LIMIT);

    Await.until("every message", LIMIT, () -> acknowledged.size() == 2000);
    assertThat(acknowledged.values()).as("deliveries that were acknowledged, by message").containsOnly(1);
  }

  @Test
  void shouldReadOnWhenTheBrokerIsKilledAndBack() throws Exception {
    try (BrokerProcess process = BrokerProcess.standalone(folder).key("flushDiskType", "SYNC_FLUSH").start()) {
      MetaqClient client = client(process.namesrv());
      send(client, 0, 300);
      consume(client, member(), this::afterAMoment);
      Await.until("some messages", LIMIT, () -> acknowledged.size() > 50);

      process.kill();
      process.startAgain();
      send(client, 300, 400);

      Await.until("every message", LIMIT, () -> acknowledged.size() == 400);
      client.close().await().atMost(LIMIT);
      clients.remove(client);
    }
  }

  @Test
  void shouldRetryWithTheMembersThemselvesAndBuryWhatHasNoRetryLeft() throws Exception {
    MetaqClient client = client(server.namesrv());
    client.send(Message.to(topic).body("bad").tag("bad")).await().atMost(LIMIT);
    client.send(Message.to(topic).body("good")).await().atMost(LIMIT);
    Queue<Integer> attempts = new ConcurrentLinkedQueue<>();

    consume(client, member().maxRetries(2), delivery -> {
      if (delivery.message().text().equals("bad")) {
        attempts.add(delivery.reconsumeTimes());
        throw new IllegalStateException("cannot be handled");
      }
      return Uni.createFrom().voidItem();
    });

    Delivery dead = client.subscribe(Subscription.to("%DLQ%" + group).from(Position.EARLIEST)).toUni().await().atMost(LIMIT);
    assertThat(dead.message().text()).isEqualTo("bad");
    assertThat(attempts).containsExactly(0, 1, 2);
  }

  @Test
  void shouldBeginAtTheEndOfAYoungTopicWithLatestAndWhereATimeIs() throws Exception {
    MetaqClient client = client(server.namesrv());
    send(client, 0, 20);
    Subscription latest = Subscription.to(topic).group(group).from(Position.LATEST);
    consume(client, latest, delivery -> Uni.createFrom().voidItem());
    Await.until("a position in every queue", LIMIT, () -> client.membership(group).status().await().atMost(LIMIT).queues().stream()
        .filter(queue -> queue.queue().topic().equals(topic) && queue.readUpTo() >= 0).count() == 4);

    send(client, 20, 30);

    Await.until("the new messages", LIMIT, () -> acknowledged.size() == 10);
    assertThat(acknowledged.keySet()).containsExactlyInAnyOrderElementsOf(IntStream.range(20, 30).mapToObj(i -> "m" + i).toList());
  }

  @Test
  void shouldReadInOrderWhileAMemberComesAndGoes() throws Exception {
    MetaqClient producer = client(server.namesrv());
    Map<Integer, Queue<Long>> byQueue = new ConcurrentHashMap<>();
    Function<Delivery, Uni<?>> note = delivery -> {
      byQueue.computeIfAbsent(delivery.queueId(), id -> new ConcurrentLinkedQueue<>()).add(delivery.queueOffset());
      return afterAMoment(delivery);
    };
    Subscription ordered = member().ordered().handover(LIMIT);
    send(producer, 0, 200);
    MetaqClient first = client(server.namesrv());
    consume(first, ordered, note);
    Await.until("some messages", LIMIT, () -> acknowledged.size() > 20);
    MetaqClient second = client(server.namesrv());
    consume(second, ordered, note);
    Await.until("two members that read", LIMIT, () -> queues(second) == 2);
    send(producer, 200, 400);
    first.close().await().atMost(LIMIT);

    Await.until("every message", LIMIT, () -> acknowledged.size() == 400);
    assertThat(byQueue.values()).allSatisfy(offsets -> assertThat(List.copyOf(offsets)).isSorted().doesNotHaveDuplicates());
  }

  @Test
  void shouldAnswerToolsThroughTheBroker() throws Exception {
    MetaqClient client = client(server.namesrv());
    SendReceipt sent = client.send(Message.to(topic).body("m0")).await().atMost(LIMIT);
    consume(client, member(), delivery -> Uni.createFrom().voidItem());
    Await.until("the message", LIMIT, () -> acknowledged.size() == 1);
    MemberStatus status = client.membership(group).status().await().atMost(LIMIT);

    RawFrame info = call(RawFrame.request(RUNNING_INFO).ext("consumerGroup", group).ext("clientId", status.clientId())
        .ext("jstackEnable", false));
    RawFrame directly = call(RawFrame.request(CONSUME_DIRECTLY).ext("consumerGroup", group).ext("clientId", status.clientId())
        .ext("msgId", sent.offsetMessageId()).ext("topic", topic));
    RawFrame offsets = call(RawFrame.request(STATUS).ext("group", group).ext("topic", topic));

    assertThat(info.code()).as(info.toString()).isZero();
    assertThat(new String(info.body(), UTF_8)).contains("\"PROP_CONSUME_TYPE\":\"CONSUME_PASSIVELY\"", "\"topic\":\"" + topic + "\"");
    assertThat(directly.code()).as(directly.toString()).isZero();
    assertThat(new String(directly.body(), UTF_8)).contains("\"consumeResult\":\"CR_SUCCESS\"");
    assertThat(acknowledged.get("m0")).isEqualTo(2);
    assertThat(new String(offsets.body(), UTF_8)).contains("\"" + status.clientId() + "\":{", "\"topic\":\"" + topic + "\"");
  }

  @Test
  void shouldReadAgainAfterAResetWhileItRuns() throws Exception {
    MetaqClient client = client(server.namesrv());
    send(client, 0, 20);
    consume(client, member(), delivery -> Uni.createFrom().voidItem());
    Await.until("every message", LIMIT, () -> acknowledged.size() == 20);

    RawFrame reset = call(RawFrame.request(RESET).ext("topic", topic).ext("group", group).ext("timestamp", 0).ext("isForce", true));

    assertThat(reset.code()).as(reset.toString()).isZero();
    Await.until("all of them once more", LIMIT, () -> total(acknowledged.values()) == 40);
  }

  @Test
  void shouldBeNoMemberAnyMoreWhenItIsClosed() throws Exception {
    MetaqClient client = client(server.namesrv());
    send(client, 0, 1);
    consume(client, member(), delivery -> Uni.createFrom().voidItem());
    Await.until("the message", LIMIT, () -> acknowledged.size() == 1);

    client.close().await().atMost(LIMIT);

    assertThat(call(RawFrame.request(MEMBERS).ext("consumerGroup", group)).code()).isEqualTo(1);
  }

  @Test
  void shouldSeekAndPauseWhileItRuns() throws Exception {
    MetaqClient client = client(server.namesrv());
    send(client, 0, 20);
    consume(client, member(), delivery -> Uni.createFrom().voidItem());
    Await.until("every message", LIMIT, () -> acknowledged.size() == 20);
    Membership membership = client.membership(group);

    membership.pause().await().atMost(LIMIT);
    membership.seek(topic, Position.EARLIEST).await().atMost(LIMIT);
    assertThat(total(acknowledged.values())).isEqualTo(20);
    membership.resume().await().atMost(LIMIT);

    Await.until("all of them once more", LIMIT, () -> total(acknowledged.values()) == 40);
  }

  private Subscription member() {
    return Subscription.to(topic).group(group).from(Position.EARLIEST);
  }

  private MetaqClient client(String nameServers) {
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(nameServers));
    clients.push(client);
    return client;
  }

  private void send(MetaqClient client, int from, int to) {
    List<Message> messages = IntStream.range(from, to).mapToObj(i -> Message.to(topic).body("m" + i)).toList();
    client.sendAll(messages).await().atMost(LIMIT);
  }

  /** Handles messages, and counts those whose acknowledgement was taken. */
  private Cancellable consume(MetaqClient client, Subscription subscription, Function<Delivery, Uni<?>> handler) {
    return client.consume(subscription, 16, delivery -> handler.apply(delivery).chain(delivery::ack)
            .invoke(() -> acknowledged.merge(delivery.message().text(), 1, Integer::sum)))
        .subscribe().with(done -> {}, failure -> {
          if (!(failure instanceof MetaqException)) {
            throw new AssertionError(failure);
          }
        });
  }

  private Uni<Void> afterAMoment(Delivery delivery) {
    return Uni.createFrom().emitter(emitter -> vertx.setTimer(1 + delivery.queueOffset() % 5, ignored -> emitter.complete(null)));
  }

  private long queues(MetaqClient client) {
    return client.membership(group).status().await().atMost(LIMIT).queues().stream()
        .filter(queue -> queue.queue().topic().equals(topic) && queue.state() == MemberStatus.State.READING).count();
  }

  private static int total(Collection<Integer> counts) {
    return counts.stream().mapToInt(Integer::intValue).sum();
  }

  private RawFrame call(RawFrame request) throws Exception {
    try (RawClient raw = RawClient.connect(server.brokerPort())) {
      return raw.call(request);
    }
  }
}
