package io.metaq.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * kill -9 while a group consumes and while delayed messages are delivered. Progress goes to its file every five seconds: what was done
 * since the last time is done again, what was done before is not, and nothing is passed over.
 */
@Execution(ExecutionMode.CONCURRENT)
class ProgressKillIT {

  private static final Duration RUN = Duration.ofSeconds(13);
  private static final long PAUSE_NANOS = 10_000_000;
  /** Five seconds, and what a busy machine needs to write the file. */
  private static final long WINDOW_MS = 7_000;
  private static final int COMMIT_OFFSET = 15;
  private static final int RESET = 222;
  private static final int FORBIDDEN = 353;
  private static final int NO_PERMISSION = 16;

  @TempDir
  private Path data;

  @Test
  void shouldLetAGroupGoOnWhereItWasAFewSecondsBefore() throws Exception {
    String topic = Queues.freshName("consumed");
    TreeMap<Long, Long> committedAtMs = new TreeMap<>();

    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      long end = System.nanoTime() + RUN.toNanos();
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        for (long next = 0; System.nanoTime() < end; next++) {
          assertThat(client.call(Requests.send(topic, 0, "m" + next)).number("queueOffset")).isEqualTo(next);
          assertThat(textAt(client, topic, next)).isEqualTo("m" + next);
          client.call(RawFrame.request(COMMIT_OFFSET).ext("consumerGroup", "killed").ext("topic", topic).ext("queueId", 0)
              .ext("commitOffset", next + 1));
          committedAtMs.put(System.currentTimeMillis(), next + 1);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
      long killedMs = System.currentTimeMillis();
      broker.kill();

      broker.startAgain();

      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        long goesOnAt = client.call(Requests.committedOffset("killed", topic, 0)).number("offset");

        assertThat(goesOnAt).as("nothing is skipped").isLessThanOrEqualTo(committedAtMs.lastEntry().getValue());
        assertThat(goesOnAt).as("little is repeated").isGreaterThanOrEqualTo(committedAtMs.floorEntry(killedMs - WINDOW_MS).getValue());
        assertThat(textAt(client, topic, goesOnAt - 1)).isEqualTo("m" + (goesOnAt - 1));
      }
    }
  }

  @Test
  void shouldKeepWhatAnOperatorDidToAGroup() throws Exception {
    String topic = Queues.freshName("controlled");

    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        for (int i = 0; i < 5; i++) {
          client.call(Requests.send(topic, 0, "m" + i));
        }
        assertThat(textAt(client, topic, 4)).isEqualTo("m4");
        client.call(RawFrame.request(COMMIT_OFFSET).ext("consumerGroup", "moved").ext("topic", topic).ext("queueId", 0)
            .ext("commitOffset", 5));
        RawFrame moved = client.call(RawFrame.request(RESET).ext("group", "moved").ext("topic", topic).ext("timestamp", 0)
            .ext("isForce", true).ext("queueId", 0).ext("offset", 2));
        RawFrame forbidden = client.call(RawFrame.request(FORBIDDEN).ext("group", "it-consumer").ext("topic", topic).ext("readable", false));
        assertThat(moved.code()).as(moved.toString()).isZero();
        assertThat(forbidden.code()).as(forbidden.toString()).isZero();
      }
      broker.kill();

      broker.startAgain();

      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        assertThat(client.call(Requests.committedOffset("moved", topic, 0)).number("offset")).isEqualTo(2);
        assertThat(client.call(Requests.pull(topic, 0, 0, 1, 0)).code()).isEqualTo(NO_PERMISSION);
      }
    }
  }

  @Test
  void shouldDeliverEveryDelayedMessageAndFewOfThemTwice() throws Exception {
    String topic = Queues.freshName("delayed");
    Set<String> sent = new HashSet<>();

    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      long end = System.nanoTime() + RUN.toNanos();
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        assertThat(client.call(Requests.send(topic, 0, "creates the topic")).code()).isZero();
        while (System.nanoTime() < end) {
          String text = "d" + sent.size();
          assertThat(client.call(Requests.send(topic, 0, text.getBytes(UTF_8), "DELAY\u00011\u0002")).code()).isZero();
          sent.add(text);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
      long killedMs = System.currentTimeMillis();
      broker.kill();

      broker.startAgain();

      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        Await.until("every delayed message is delivered", Duration.ofSeconds(120),
            () -> firstDeliveries(Queues.readAll(client, topic, 0)).keySet().containsAll(sent));
        List<StoredRecord> delivered = Queues.readAll(client, topic, 0);
        Map<String, StoredRecord> first = firstDeliveries(delivered);

        assertThat(first.values()).as("delivered before the kill").anyMatch(record -> record.storeTimestamp() < killedMs - WINDOW_MS);
        assertThat(delivered).as("what was delivered long before the kill is not delivered again")
            .filteredOn(record -> first.get(record.text()) != record)
            .allMatch(record -> first.get(record.text()).storeTimestamp() >= killedMs - WINDOW_MS);
      }
    }
  }

  private static Map<String, StoredRecord> firstDeliveries(List<StoredRecord> records) {
    Map<String, StoredRecord> first = new HashMap<>();
    records.forEach(record -> first.putIfAbsent(record.text(), record));
    return first;
  }

  private static String textAt(RawClient client, String topic, long queueOffset) throws IOException {
    RawFrame answer = client.call(Requests.pull(topic, 0, queueOffset, 1, 20_000));
    assertThat(answer.code()).as(answer.toString()).isZero();
    return StoredRecord.readAll(answer.body()).get(0).text();
  }
}
