package io.metaq.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.MetaqException;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.client.TransactionProducer;
import io.metaq.client.TransactionReceipt;
import io.metaq.client.Verdict;
import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.Transactions;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What applications see of a broker that is killed and comes back. */
@Execution(ExecutionMode.CONCURRENT)
class BrokerKillIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path data;
  private final String topic = Queues.freshName("killed");
  private Vertx vertx;

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void shouldEndEverySendAndKeepEveryAcknowledgedMessageWhenTheBrokerIsKilledAndComesBack() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      MetaqClient client =
          MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(broker.namesrv()).setSendTimeout(Duration.ofSeconds(40)));
      client.send(Message.to(topic).body("first")).await().atMost(LIMIT);
      Lanes lanes = new Lanes(client);
      lanes.start(16);
      Await.until("a thousand messages", LIMIT, () -> lanes.acknowledged.size() >= 1000);

      broker.kill();
      int atKill = lanes.acknowledged.size();
      broker.startAgain();

      Await.until("a thousand more", LIMIT, () -> lanes.acknowledged.size() >= atKill + 1000);
      lanes.stop.set(true);
      Await.until("an end of every send", LIMIT, () -> lanes.running.get() == 0);
      assertThat(lanes.failed).allSatisfy((body, failure) -> assertThat(failure).isInstanceOf(MetaqException.class));
      assertThat(bodies(client, lanes.acknowledged)).containsAll(lanes.acknowledged);
      client.close().await().atMost(LIMIT);
    }
  }

  @Test
  void shouldAnswerForItsTransactionsWhenTheBrokerComesBack() throws Exception {
    try (BrokerProcess broker = Transactions.askOften(BrokerProcess.standalone(data), 500, 500).start()) {
      MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(broker.namesrv()));
      Map<String, Verdict> verdicts = new ConcurrentHashMap<>();
      Set<String> asked = ConcurrentHashMap.newKeySet();
      TransactionProducer producer = client.transaction(Queues.freshName("payers"), message -> {
        asked.add(message.text());
        return Uni.createFrom().item(verdicts.getOrDefault(message.text(), Verdict.UNKNOWN));
      });

      TransactionReceipt committed = send(producer, "commit now", Verdict.COMMIT);
      TransactionReceipt rolledBack = send(producer, "rollback now", Verdict.ROLLBACK);
      send(producer, "commit later", Verdict.UNKNOWN);
      send(producer, "rollback later", Verdict.UNKNOWN);
      broker.kill();
      verdicts.put("commit later", Verdict.COMMIT);
      verdicts.put("rollback later", Verdict.ROLLBACK);
      broker.startAgain();

      assertThat(committed.confirmed()).isTrue();
      assertThat(rolledBack.confirmed()).isTrue();
      assertThat(bodies(client, Set.of("commit now", "commit later"))).containsExactlyInAnyOrder("commit now", "commit later");
      Await.until("a question about each that was open", LIMIT, () -> asked.containsAll(Set.of("commit later", "rollback later")));
      assertThat(asked).doesNotContain("commit now", "rollback now");
      client.close().await().atMost(LIMIT);
    }
  }

  @Test
  void shouldDeliverNothingAgainThatWasAcknowledgedWhenTheBrokerOfThreeMembersIsKilledAndComesBack() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      MetaqClientOptions options = new MetaqClientOptions().setNameServers(broker.namesrv()).setSendTimeout(Duration.ofSeconds(40));
      MetaqClient sender = MetaqClient.create(vertx, options);
      sender.sendAll(bodies(0, 1)).await().atMost(LIMIT);
      Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
      List<MetaqClient> members = Stream.generate(() -> MetaqClient.create(vertx, options)).limit(3).toList();
      members.forEach(member -> member.subscribe(Subscription.to(topic).group("three").from(Position.EARLIEST).handover(LIMIT))
          .onItem().transformToUni(delivery -> Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(20))
              .chain(delivery::ack).invoke(() -> acknowledged.merge(delivery.message().text(), 1, Integer::sum)))
          .merge(4).subscribe().with(done -> {}, Throwable::printStackTrace));
      Await.until("a share for each", LIMIT, () -> members.stream().allMatch(member -> queues(member) > 0)
          && members.stream().mapToInt(BrokerKillIT::queues).sum() == members.get(0).queues(topic).await().atMost(LIMIT).size());
      sender.sendAll(bodies(1, 1200)).await().atMost(LIMIT);
      Await.until("some of it", LIMIT, () -> acknowledged.size() > 300);

      broker.kill();
      broker.startAgain();
      sender.sendAll(bodies(1200, 2000)).await().atMost(LIMIT);
      Await.until("everything", LIMIT, () -> acknowledged.size() == 2000);
      members.get(0).close().await().atMost(LIMIT);
      sender.sendAll(bodies(2000, 2400)).await().atMost(LIMIT);

      Await.until("everything without the first member", LIMIT, () -> acknowledged.size() == 2400);
      assertThat(acknowledged.values()).as("deliveries that were acknowledged, by message").containsOnly(1);
      members.forEach(member -> member.close().await().atMost(LIMIT));
      sender.close().await().atMost(LIMIT);
    }
  }

  private static int queues(MetaqClient member) {
    return (int) member.membership("three").status().await().atMost(LIMIT).queues().stream()
        .filter(queue -> !queue.queue().topic().startsWith("%RETRY%")).count();
  }

  private List<Message> bodies(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> Message.to(topic).body("m" + i)).toList();
  }

  private TransactionReceipt send(TransactionProducer producer, String body, Verdict verdict) {
    Message plain = Message.to(topic).body(body);
    // However long the way of its verdict takes, nobody is to ask meanwhile.
    Message message = verdict == Verdict.UNKNOWN ? plain : plain.property("CHECK_IMMUNITY_TIME_IN_SECONDS", "600");
    return producer.send(message, half -> Uni.createFrom().item(verdict)).await().atMost(LIMIT);
  }

  /** Reads until all of these were seen; gives everything that was. */
  private Set<String> bodies(MetaqClient client, Set<String> wanted) {
    Set<String> seen = new HashSet<>();
    client
        .subscribe(Subscription.to(topic).from(Position.EARLIEST))
        .onItem()
        .transformToUniAndConcatenate(delivery -> delivery.ack().invoke(() -> seen.add(delivery.message().text())).replaceWith(delivery))
        .select()
        .first(done -> !seen.containsAll(wanted))
        .collect()
        .last()
        .await()
        .atMost(LIMIT);
    return seen;
  }

  /** Senders side by side, each with its next message when the one before has ended. */
  private final class Lanes {
    private static final int MAX_MESSAGES = 1_000_000;

    private final MetaqClient client;
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Map<String, Throwable> failed = new ConcurrentHashMap<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();

    Lanes(MetaqClient client) {
      this.client = client;
    }

    void start(int count) {
      running.set(count);
      for (int lane = 0; lane < count; lane++) {
        next();
      }
    }

    private void next() {
      int number = begun.incrementAndGet();
      if (stop.get() || number > MAX_MESSAGES) {
        running.decrementAndGet();
        return;
      }
      String body = "m" + number;
      client
          .send(Message.to(topic).body(body))
          .subscribe()
          .with(
              receipt -> {
                acknowledged.add(body);
                next();
              },
              failure -> {
                failed.put(body, failure);
                next();
              });
    }
  }
}
