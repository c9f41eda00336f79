package io.metaq.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.StoredRecord;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;

/** What a broker said it has stored, and where: which text lies at which offset of which queue. */
final class Acknowledged {
  private final Map<Integer, Map<Long, String>> queues = new ConcurrentHashMap<>();

  void add(int queueId, long queueOffset, String text) {
    queues.computeIfAbsent(queueId, queue -> new ConcurrentSkipListMap<>()).put(queueOffset, text);
  }

  int count() {
    return queues.values().stream().mapToInt(Map::size).sum();
  }

  Set<String> texts() {
    Set<String> texts = new HashSet<>();
    queues.values().forEach(queue -> texts.addAll(queue.values()));
    return texts;
  }

  /** Every one of them lies where it was said to lie, and no queue has a gap. */
  void assertAllAt(int brokerPort, String topic) throws Exception {
    try (RawClient client = RawClient.connect(brokerPort)) {
      for (Map.Entry<Integer, Map<Long, String>> queue : queues.entrySet()) {
        long last = queue.getValue().keySet().stream().mapToLong(Long::longValue).max().orElse(-1);
        Queues.awaitEnd(client, topic, queue.getKey(), last + 1);
      }
    }
    assertThat(assertNoneButTheLastMissingAt(brokerPort, topic)).as("acknowledged messages that are missing").isZero();
  }

  /**
   * Each one lies where it was said to lie, or behind the end of its queue; no queue has a gap.
   *
   * @return how many lie behind the end
   */
  long assertNoneButTheLastMissingAt(int brokerPort, String topic) throws IOException {
    long missing = 0;
    try (RawClient client = RawClient.connect(brokerPort)) {
      for (Map.Entry<Integer, Map<Long, String>> queue : queues.entrySet()) {
        List<StoredRecord> records = Queues.readAll(client, topic, queue.getKey());
        Map<Long, String> stored = new TreeMap<>();
        records.forEach(record -> stored.put(record.queueOffset(), record.text()));
        Map<Long, String> expected = new TreeMap<>(queue.getValue());
        expected.keySet().removeIf(offset -> offset >= records.size());

        assertThat(records).extracting(StoredRecord::queueOffset).as("queue %d has no gap", queue.getKey())
            .containsExactlyElementsOf(LongStream.range(0, records.size()).boxed().toList());
        // Not compared by an assertion of maps, which would print thousands of messages.
        expected.forEach((offset, text) ->
            assertThat(stored.get(offset)).as("queue %d at %d", queue.getKey(), offset).isEqualTo(text));
        missing += queue.getValue().size() - expected.size();
      }
    }
    return missing;
  }
}
