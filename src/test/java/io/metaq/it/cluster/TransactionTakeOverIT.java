package io.metaq.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.StoredRecord;
import io.metaq.it.Transactions;
import io.metaq.it.Transactions.Half;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A synchronous master is killed in the middle of transactions, its disk is lost, and the store of its slave goes on as the master: what
 * was answered as committed is there without its producer, what was not decided is asked for, and nothing comes twice.
 */
@Execution(ExecutionMode.CONCURRENT)
class TransactionTakeOverIT {
  private static final int KILL_AT = 400;
  private static final int ROUND = 16;

  /** What is to become of a message, by the number in its key. */
  private enum Fate {
    COMMITTED, ROLLED_BACK, COMMITTED_WHEN_ASKED, ROLLED_BACK_WHEN_ASKED;

    static Fate of(String key) {
      return values()[Integer.parseInt(key.substring(1)) % values().length];
    }

    boolean commits() {
      return this == COMMITTED || this == COMMITTED_WHEN_ASKED;
    }

    boolean isDecidedAtOnce() {
      return this == COMMITTED || this == ROLLED_BACK;
    }
  }

  @TempDir
  private Path folder;
  private final String topic = Queues.freshName("taken-over");
  private final String group = Queues.freshName("producers");
  private final List<String> begun = new ArrayList<>();
  private final List<String> committed = new ArrayList<>();
  private final AtomicInteger made = new AtomicInteger();
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();

  @Test
  void shouldGoOnWithEveryTransactionInTheStoreOfTheSlave() throws Exception {
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("SYNC_MASTER").key("slaveTimeout", 60_000).start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      workUntilKilled(master);
      slave.kill();

      try (BrokerProcess successor = Transactions.askOften(pair.slaveAsMaster(), 200, 300).start()) {
        Await.until("what was answered as committed is there", Pair.LIMIT, () -> delivered(successor).containsAll(committed));

        answerQuestions(successor);

        assertThat(delivered(successor)).doesNotHaveDuplicates().allMatch(key -> Fate.of(key).commits());
        assertThat(asked).doesNotContainAnyElementsOf(committed);
      }
    }
  }

  /** Begins transactions and ends every second one, until the broker dies of it. */
  private void workUntilKilled(BrokerProcess broker) throws Exception {
    Thread killer = new Thread(() -> kill(broker));
    killer.start();
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      while (true) {
        List<Half> halves = new ArrayList<>();
        for (int i = 0; i < ROUND; i++) {
          Half half = Transactions.half(client, group, topic, "k" + made.incrementAndGet());
          begun.add(half.key());
          halves.add(half);
        }
        for (Half half : halves) {
          if (Fate.of(half.key()).isDecidedAtOnce()) {
            end(client, half);
          }
        }
      }
    } catch (IOException killed) {
      killer.join();
    }
  }

  private void end(RawClient client, Half half) throws IOException {
    boolean commits = Fate.of(half.key()).commits();
    assertThat(client.call(half.verdict(commits ? Transactions.COMMIT : Transactions.ROLLBACK)).code()).isZero();
    if (commits) {
      committed.add(half.key());
    }
  }

  private void kill(BrokerProcess broker) {
    try {
      Await.until(KILL_AT + " half messages", Pair.LIMIT, () -> made.get() >= KILL_AT);
      broker.kill();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /** A producer of the group is there, until all that it begun has its end; then one more round shows that nothing else is asked. */
  private void answerQuestions(BrokerProcess broker) throws Exception {
    Set<String> undecided = new HashSet<>(begun);
    undecided.removeIf(key -> Fate.of(key).isDecidedAtOnce());
    Set<String> toCome = new HashSet<>(begun);
    toCome.removeIf(key -> !Fate.of(key).commits());
    try (RawClient producer = RawClient.connect(broker.brokerPort())) {
      Transactions.join(producer, group);
      Thread answers = Transactions.answerAll(producer, group, key -> Fate.of(key).commits(), asked::add);
      Await.until("all that was not decided is asked for", Pair.LIMIT, () -> asked.containsAll(undecided));
      Await.until("all that is to come has come", Pair.LIMIT, () -> delivered(broker).containsAll(toCome));
      String last = lastOne(broker);
      Await.until("a later one is asked for", Pair.LIMIT, () -> asked.contains(last));
      producer.close();
      answers.join();
    }
  }

  private String lastOne(BrokerProcess broker) throws IOException {
    String key = "k" + (made.get() + Fate.values().length - made.get() % Fate.values().length
        + Fate.ROLLED_BACK_WHEN_ASKED.ordinal());
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      return Transactions.half(client, group, topic, key).key();
    }
  }

  private List<String> delivered(BrokerProcess broker) throws IOException {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      return Queues.readAll(client, topic, 0).stream().map(StoredRecord::text).filter(text -> text.startsWith("k")).toList();
    }
  }
}
