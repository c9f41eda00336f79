package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kill -9 while four connections send, again and again, over one store. {@code -Dmetaq.it.killRounds=N} runs it longer. */
@Execution(ExecutionMode.CONCURRENT)
class KillIT {

  private static final int ROUNDS = Integer.getInteger("metaq.it.killRounds", 3);
  private static final int QUEUES = 4;
  private static final int LOG_FILE_BYTES = 4 << 20;
  private static final int INDEX_SLOTS = 1_000;

  @TempDir
  private Path data;

  @ParameterizedTest
  @ValueSource(strings = {"ASYNC_FLUSH", "SYNC_FLUSH"})
  void shouldBringBackEveryAcknowledgedMessageAtItsQueueOffset(String flushMode) throws Exception {
    String topic = Queues.freshName("killed");
    Map<Integer, Map<Long, String>> acknowledged = new HashMap<>();
    Random random = new Random(flushMode.hashCode());

    try (BrokerProcess broker = BrokerProcess.standalone(data).key("flushDiskType", flushMode)
        .key("mappedFileSizeCommitLog", LOG_FILE_BYTES)
        .key("maxHashSlotNum", INDEX_SLOTS).key("maxIndexNum", 4 * INDEX_SLOTS).start()) {
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        assertThat(client.call(Requests.send(topic, 0, "creates the topic")).code()).isZero();
      }
      for (int round = 0; round < ROUNDS; round++) {
        sendUntilKilled(broker, topic, "round" + round, 500 + random.nextInt(3_000), acknowledged);

        broker.startAgain();

        assertAllThere(broker, topic, acknowledged);
      }
    }
  }

  static void sendUntilKilled(BrokerProcess broker, String topic, String label, int messagesBeforeKill,
      Map<Integer, Map<Long, String>> acknowledged) throws Exception {
    List<Sender> senders = IntStream.range(0, QUEUES)
        .mapToObj(queueId -> new Sender(broker.brokerPort(), topic, queueId, label)).toList();
    List<Thread> threads = Sender.start(senders);
    Await.until(messagesBeforeKill + " acknowledged messages", Duration.ofSeconds(120),
        () -> senders.stream().mapToInt(Sender::count).sum() >= messagesBeforeKill);
    broker.kill();
    for (Thread thread : threads) {
      thread.join();
    }
    senders.forEach(sender ->
        acknowledged.computeIfAbsent(sender.queueId(), id -> new TreeMap<>()).putAll(sender.acknowledged()));
  }

  private static long lastOf(Map<Long, String> acknowledged) {
    return acknowledged.keySet().stream().mapToLong(Long::longValue).max().orElse(-1);
  }

  static void assertAllThere(BrokerProcess broker, String topic, Map<Integer, Map<Long, String>> acknowledged)
      throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      for (int queueId = 0; queueId < QUEUES; queueId++) {
        Queues.awaitEnd(client, topic, queueId, lastOf(acknowledged.get(queueId)) + 1);
        List<StoredRecord> records = Queues.readAll(client, topic, queueId);
        Map<Long, String> stored = new TreeMap<>();
        records.forEach(record -> stored.put(record.queueOffset(), record.text()));

        assertThat(records).extracting(StoredRecord::queueOffset).as("queue %d has no gap", queueId)
            .containsExactlyElementsOf(IntStream.range(0, records.size()).mapToObj(Long::valueOf).toList());
        assertThat(stored).as("queue %d", queueId).containsAllEntriesOf(acknowledged.get(queueId));
      }
    }
  }
}
