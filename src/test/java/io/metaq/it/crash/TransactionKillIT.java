package io.metaq.it.crash;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** kill -9 in the middle of half messages and verdicts, again and again: what is committed is there once, and nothing else is. */
@Execution(ExecutionMode.CONCURRENT)
class TransactionKillIT {

  private static final int ROUNDS = Integer.getInteger("metaq.it.killRounds", 3);
  private static final int IN_FLIGHT = 16;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir
  private Path data;
  private final String topic = Queues.freshName("killed");
  private final String group = Queues.freshName("producers");
  private final List<String> mustCome = new ArrayList<>();
  private final AtomicInteger made = new AtomicInteger();

  @Test
  void shouldDeliverEachCommittedMessageOnceWhateverTheKillInterrupted() throws Exception {
    Random random = new Random(7);
    try (BrokerProcess broker = Transactions.askOften(BrokerProcess.standalone(data), 200, 300).start()) {
      for (int round = 0; round < ROUNDS; round++) {
        workUntilKilled(broker, 200 + random.nextInt(500));

        broker.startAgain();

        answerQuestions(broker);
      }
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        List<String> delivered = Queues.readAll(client, topic, 0).stream().map(StoredRecord::text).toList();
        assertThat(delivered).doesNotHaveDuplicates().containsAll(mustCome).allMatch(TransactionKillIT::isCommitted);
      }
    }
  }

  /** Sends half messages and verdicts until the broker dies of it. */
  private void workUntilKilled(BrokerProcess broker, int halvesBeforeKill) throws Exception {
    int killAt = made.get() + halvesBeforeKill;
    Thread killer = new Thread(() -> kill(broker, killAt));
    killer.start();
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      while (killer.isAlive()) {
        List<Half> halves = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
          String key = "k" + made.incrementAndGet();
          halves.add(Transactions.half(client, group, topic, key));
          if (isCommitted(key)) {
            mustCome.add(key);
          }
        }
        for (Half half : halves) {
          client.send(half.verdict(isCommitted(half.key()) ? Transactions.COMMIT : Transactions.ROLLBACK).oneway());
        }
      }
    } catch (IOException killed) {
      killer.join();
    }
  }

  private void kill(BrokerProcess broker, int killAt) {
    try {
      Await.until(killAt + " half messages", LIMIT, () -> made.get() >= killAt);
      broker.kill();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /** Every third one is rolled back. */
  private static boolean isCommitted(String key) {
    return Integer.parseInt(key.substring(1)) % 3 != 0;
  }

  /** Answers what the broker asks until everything that must come has come. */
  private void answerQuestions(BrokerProcess broker) throws Exception {
    try (RawClient producer = RawClient.connect(broker.brokerPort()); RawClient reader = RawClient.connect(broker.brokerPort())) {
      Transactions.join(producer, group);
      Thread answers = Transactions.answerAll(producer, group, TransactionKillIT::isCommitted, key -> { });
      Await.until("all committed messages", LIMIT,
          () -> Queues.readAll(reader, topic, 0).stream().map(StoredRecord::text).toList().containsAll(mustCome));
      producer.close();
      answers.join();
    }
  }
}
