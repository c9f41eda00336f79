package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.embedded.EmbeddedMetaq;
import io.metaq.model.Clock;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics that change under their readers at a real broker. The clock of the clients skips what they would wait to look at the route again. */
@Timeout(120)
class ChangingTopicIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TOPIC = "orders";

  private final AtomicLong skippedNs = new AtomicLong();
  private final List<MetaqClient> clients = new ArrayList<>();
  private EmbeddedMetaq server;
  private Vertx vertx;
  private MetaqClient admin;

  /** Of this machine, but for what was skipped. */
  private final class Skipping implements Clock {
    @Override
    public long millis() {
      return Clock.system().millis();
    }

    @Override
    public long nanos() {
      return Clock.system().nanos() + skippedNs.get();
    }
  }

  @BeforeEach
  void start() {
    server = EmbeddedMetaq.start().await().atMost(LIMIT);
    vertx = Vertx.vertx();
    admin = client();
  }

  @AfterEach
  void stop() throws Exception {
    clients.forEach(client -> client.close().await().atMost(LIMIT));
    vertx.close().toCompletionStage().toCompletableFuture().get();
    server.close().await().atMost(LIMIT);
  }

  @Test
  void shouldReadATopicThatWasDeletedAndMadeAnewFromItsFirstMessage() {
    queues(1);
    List<String> got = new CopyOnWriteArrayList<>();
    consume(client(), Subscription.to(TOPIC).group("billing").from(Position.EARLIEST), got);
    send("old", 10, Optional.empty());
    until(() -> got.size() == 10);

    admin.admin().deleteTopic(TOPIC).await().atMost(LIMIT);
    queues(1);
    look();
    send("new", 5, Optional.empty());

    until(() -> got.containsAll(List.of("new0", "new1", "new2", "new3", "new4")));
    assertThat(got).hasSize(15).doesNotHaveDuplicates();
  }

  @Test
  void shouldReadInOrderWhileQueuesGoAndComeBack() {
    queues(4);
    List<String> got = new CopyOnWriteArrayList<>();
    Subscription ordered = Subscription.to(TOPIC).group("billing").from(Position.EARLIEST).ordered().handover(Duration.ofSeconds(1));
    consume(client(), ordered, got);
    send("a", 40, Optional.of(4));
    until(() -> got.size() == 40);

    queues(2);
    look();
    consume(client(), ordered, got);
    send("b", 40, Optional.of(2));
    until(() -> got.size() == 80);
    queues(6);
    look();
    consume(client(), ordered, got);
    send("c", 60, Optional.of(6));
    until(() -> got.size() >= 140);

    assertThat(got).hasSize(140).doesNotHaveDuplicates();
    Map<String, List<Integer>> byQueue = new HashMap<>();
    got.forEach(text -> {
      String[] parts = text.split("-");
      byQueue.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(Integer.parseInt(parts[1]));
    });
    assertThat(byQueue.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
  }

  @Test
  void shouldLoseAndDoubleNothingWhenMembersCloseWhileQueuesMove() {
    queues(6);
    List<String> got = new CopyOnWriteArrayList<>();
    Subscription member = Subscription.to(TOPIC).group("billing").from(Position.EARLIEST);
    consume(client(), member, got);
    int sent = 0;
    for (int round = 0; round < 6; round++) {
      MetaqClient passing = client();
      consume(passing, member, got);
      send("r" + round + "x", 30, Optional.empty());
      sent += 30;
      if (round % 2 == 0) {
        int enough = sent - 25;
        until(() -> got.size() >= enough);
      }
      passing.close().await().atMost(LIMIT);
    }

    int all = sent;
    until(() -> got.size() >= all);
    assertThat(got).hasSize(all).doesNotHaveDuplicates();
  }

  private MetaqClient client() {
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(server.nameServers()), new Skipping());
    clients.add(client);
    return client;
  }

  private void queues(int count) {
    admin.admin().putTopic(TopicSettings.of(TOPIC).queues(count), Optional.empty(), Optional.empty()).await().atMost(LIMIT);
    // Its name server is told a moment later.
    until(() -> client().queues(TOPIC).map(List::size).onFailure().recoverWithItem(0).await().atMost(LIMIT) == count);
  }

  /** Routes are looked up again. */
  private void look() {
    skippedNs.addAndGet(TimeUnit.SECONDS.toNanos(31));
  }

  private static void consume(MetaqClient client, Subscription subscription, List<String> got) {
    client.consume(subscription, 64, delivery -> {
      got.add(delivery.message().text());
      return Uni.createFrom().voidItem();
    }).subscribe().with(done -> {}, Throwable::printStackTrace);
  }

  private void send(String name, int count, Optional<Integer> queues) {
    List<Message> messages = new ArrayList<>();
    String broker = admin.queues(TOPIC).await().atMost(LIMIT).get(0).broker();
    for (int i = 0; i < count; i++) {
      int number = i;
      messages.add(queues.map(all -> Message.to(new TopicQueue(TOPIC, broker, number % all)).body(name + number % all + "-" + number))
          .orElseGet(() -> Message.to(TOPIC).body(name + number)));
    }
    MetaqClient sender = client();
    sender.sendAll(messages).await().atMost(LIMIT);
  }

  private static void until(BooleanSupplier condition) {
    ConsumerTestBase.until(condition);
  }
}
