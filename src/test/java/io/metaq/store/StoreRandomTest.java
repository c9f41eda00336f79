package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Appends, flushes, dispatches and checkpoints at random over several lives of a store, each ended by a kill at a random moment: the
 * files are copied as they are, and at times the log loses some of what was not forced. Everything forced, and without such a loss
 * everything acknowledged, must come back at its queue offset.
 */
class StoreRandomTest {
  @TempDir
  Path folder;

  /** What a queue must hold, by queue offset. */
  private final Map<String, List<byte[]>> expected = new TreeMap<>();
  /** End of each message in the log. */
  private final Map<String, List<Long>> ends = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldBringBackEverythingAcknowledged(long seed) throws Exception {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    FlushMode mode = random.nextBoolean() ? FlushMode.ASYNC_FLUSH : FlushMode.SYNC_FLUSH;
    Path root = folder.resolve("life0");
    for (int life = 1; life <= 5; life++) {
      Path next = folder.resolve("life" + life);
      try (TestStore test = TestStore.open(TestStore.options(root).withFlushMode(mode))) {
        verify(test);
        live(test, random);
        if (random.nextInt(4) > 0) {
          TestStore.copy(root, next);
          loseSome(next, test, random);
        }
      }
      if (!Files.exists(next)) {
        TestStore.copy(root, next);
      }
      TestStore.delete(root);
      root = next;
    }
    try (TestStore test = TestStore.open(TestStore.options(root).withFlushMode(mode))) {
      verify(test);
    }
  }

  private void live(TestStore test, RandomGenerator random) {
    int steps = random.nextInt(5, 120);
    for (int step = 0; step < steps; step++) {
      switch (random.nextInt(10)) {
        case 0 -> test.store.flusher().flush();
        case 1 -> test.dispatch();
        case 2 -> test.store.preparer().prepare();
        case 3 -> test.checkpoint();
        default -> append(test, random);
      }
    }
  }

  private void append(TestStore test, RandomGenerator random) {
    TestRecords records = new TestRecords();
    int count = random.nextInt(1, 20);
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] body = new byte[random.nextInt(8) == 0 ? random.nextInt(8000) : random.nextInt(300)];
      random.nextBytes(body);
      bodies.add(body);
      records.add("topic" + random.nextInt(3), random.nextInt(2), body, Map.of("KEYS", "k" + i));
    }
    if (random.nextInt(3) == 0) {
      records.unit(random.nextInt(1, count + 1));
    }
    test.append(records);
    assertThat(records.statuses()).containsOnly(AppendStatus.STORED);
    for (int i = 0; i < count; i++) {
      String queue = records.queue(i).toString();
      List<byte[]> messages = expected.computeIfAbsent(queue, name -> new ArrayList<>());
      assertThat(records.queueOffset(i)).isEqualTo(messages.size());
      messages.add(bodies.get(i));
      ends.computeIfAbsent(queue, name -> new ArrayList<>()).add(records.phyOffset(i) + records.size(i));
    }
  }

  /** At times zeroes the log from some place behind the forced end on, as a power cut may; what was there need not come back. */
  private void loseSome(Path copy, TestStore test, RandomGenerator random) throws Exception {
    long forced = test.store.flusher().flushedOffset();
    long end = test.store.log().appendedOffset();
    if (forced == end || random.nextBoolean()) {
      return;
    }
    long from = random.nextLong(forced, end);
    for (long at = from; at < end; at = (at / TestStore.LOG_FILE + 1) * TestStore.LOG_FILE) {
      long start = at / TestStore.LOG_FILE * TestStore.LOG_FILE;
      try (RandomAccessFile file = new RandomAccessFile(copy.resolve("commitlog").resolve(FileNames.ofStart(start)).toFile(), "rw")) {
        file.setLength(at - start);
        file.setLength(TestStore.LOG_FILE);
      }
    }
    ends.forEach((queue, places) -> {
      int kept = (int) places.stream().filter(place -> place <= from).count();
      places.subList(kept, places.size()).clear();
      expected.get(queue).subList(kept, expected.get(queue).size()).clear();
    });
  }

  private void verify(TestStore test) {
    test.store.flusher().flush();
    test.dispatch();
    expected.forEach((queue, bodies) -> {
      String topic = queue.substring(0, queue.indexOf('/'));
      List<StoredMessage> found = test.readAll(topic, Integer.parseInt(queue.substring(queue.indexOf('/') + 1)));
      assertThat(found).hasSameSizeAs(bodies);
      for (int i = 0; i < bodies.size(); i++) {
        assertThat(found.get(i).queueOffset()).isEqualTo(i);
        assertThat(found.get(i).body()).isEqualTo(bodies.get(i));
      }
    });
  }
}
