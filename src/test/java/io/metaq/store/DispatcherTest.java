package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.store.QueueEndsText;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.codec.store.QueueEndsText.Range;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispatcherTest {
  @TempDir
  Path root;
  @TempDir
  Path crashed;

  private final List<String> arrivals = new ArrayList<>();
  private TestStore test;

  @BeforeEach
  void open() {
    test = TestStore.open(TestStore.options(root).withUnitMemory(0));
  }

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void shouldTellEachQueueThatGotMessagesOnceInARound() {
    test.append(new TestRecords().add("a", 0, "1").add("b", 0, "2").add("a", 0, "3").add("a", 1, "4"));

    boolean more = test.store.dispatcher().dispatch(1 << 20, this::arrived);

    assertThat(more).isFalse();
    assertThat(arrivals).containsExactly("a/0:2", "b/0:1", "a/1:1");
    assertThat(test.store.dispatcher().dispatchedOffset()).isEqualTo(test.store.log().appendedOffset());
    assertThat(test.store.dispatcher().isBehind()).isFalse();
  }

  @Test
  void shouldTellOnceThatAQueueBegan() {
    List<String> told = new ArrayList<>();
    ArrivalListener listener = new ArrivalListener() {
      @Override
      public void begun(String topic, int queueId) {
        told.add(topic + "/" + queueId);
      }

      @Override
      public void arrived(String topic, int queueId, long maxOffset) {
        told.add(topic + "/" + queueId + ":" + maxOffset);
      }
    };
    test.append(new TestRecords().add("a", 0, "1").add("a", 1, "2"));
    test.store.dispatcher().dispatch(1 << 20, listener);
    test.append(new TestRecords().add("a", 0, "3"));

    test.store.dispatcher().dispatch(1 << 20, listener);

    assertThat(told).containsExactly("a/0", "a/1", "a/0:1", "a/1:1", "a/0:2");
  }

  @Test
  void shouldStopAfterTheBytesAskedAndSayThatMoreWaits() {
    for (int i = 0; i < 10; i++) {
      test.append("a", 0, "message");
    }

    assertThat(test.store.dispatcher().dispatch(150, this::arrived)).isTrue();
    assertThat(arrivals).containsExactly("a/0:2");
    assertThat(test.store.dispatcher().isBehind()).isTrue();
    assertThat(test.store.dispatcher().dispatch(1 << 20, this::arrived)).isFalse();
    assertThat(arrivals).containsExactly("a/0:2", "a/0:10");
  }

  @Test
  void shouldTellNothingWhenNothingCame() {
    assertThat(test.store.dispatcher().dispatch(1 << 20, this::arrived)).isFalse();

    assertThat(arrivals).isEmpty();
  }

  @Test
  void shouldFollowManyQueues() {
    TestRecords records = new TestRecords();
    for (int i = 0; i < 1000; i++) {
      records.add("topic" + i / 10, i % 10, "m");
    }

    test.append(records);
    test.dispatch();

    for (int i = 0; i < 1000; i++) {
      assertThat(test.store.view().maxOffset("topic" + i / 10, i % 10)).isEqualTo(1);
    }
  }

  @Test
  void shouldWriteWhatPressesAloneWhereMoreQueuesFillThanFilesAreKeptOpen() {
    TestRecords records = new TestRecords();
    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      records.add("topic" + i, 0, "m");
    }
    for (int i = 0; i < 20; i++) {
      records.add("busy", 0, "m");
    }
    test.append(records);
    test.dispatch();

    assertThat(test.store.dispatcher().flushQueues()).isTrue();
    writeSlices();
    assertThat(queueFile("busy")).exists();
    assertThat(queueFile("topic0")).doesNotExist();
    test.clock.advance(6000);
    assertThat(test.store.dispatcher().flushQueues()).isTrue();
    writeSlices();

    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      assertThat(queueFile("topic" + i)).exists();
    }
  }

  @Test
  void shouldLetUnitsGatherInTheMemoryThatManyQueuesShare() {
    test.close();
    int roomFor128Units = 20 * 128 * (OpenFiles.LIMIT + 1);
    test = TestStore.open(TestStore.options(root).withUnitMemory(roomFor128Units));
    TestRecords records = new TestRecords();
    for (int i = 0; i < 63; i++) {
      records.add("topic0", 0, "m");
      if (i > 0) {
        records.add("topic1", 0, "m");
      }
    }
    test.append(records);
    appendToManyQueues();

    assertThat(test.store.dispatcher().flushQueues()).isTrue();
    writeSlices();

    assertThat(queueFile("topic0")).as("64 units, half of what there is room for").exists();
    assertThat(queueFile("topic1")).as("63 units").doesNotExist();
  }

  @Test
  void shouldWriteSomeAtATimeOfManyQueuesThatPressTogether() {
    for (int i = 0; i < 20; i++) {
      appendToManyQueues();
    }

    assertThat(test.store.dispatcher().flushQueues()).isTrue();
    assertThat(queueFile("topic0")).doesNotExist();
    assertThat(test.store.dispatcher().writeSlice()).isTrue();

    assertThat(queueFile("topic63")).exists();
    assertThat(queueFile("topic64")).doesNotExist();
    writeSlices();
    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      assertThat(queueFile("topic" + i)).exists();
    }
    assertThat(test.store.dispatcher().flushQueues()).isFalse();
  }

  @Test
  void shouldNoteWhatWasDispatchedWhenACheckpointBeganThoughMoreCameWhileItWasWritten() throws Exception {
    appendToManyQueues();
    test.clock.advance(6000);
    long begunAt = test.store.log().appendedOffset();
    test.store.flusher().flush();
    assertThat(test.store.dispatcher().flushQueues()).isTrue();

    assertThat(test.store.dispatcher().writeSlice()).isTrue();
    appendToManyQueues();
    writeSlices();
    test.store.flusher().flush();
    test.store.checkpointer().checkpoint();

    QueueEnds noted = QueueEndsText.decode(Files.readAllBytes(root.resolve("config/queueEnds.json")));
    assertThat(noted.phyOffset()).isEqualTo(begunAt);
    assertThat(noted.queues()).hasSize(OpenFiles.LIMIT + 1);
    assertThat(noted.queues().values()).allMatch(queues -> queues.get(0).equals(new Range(0, 1)));
    TestStore.copy(root, crashed);
    try (TestStore recovered = TestStore.open(crashed)) {
      for (int i = 0; i <= OpenFiles.LIMIT; i++) {
        assertThat(recovered.bodies("topic" + i, 0)).containsExactly("m", "m");
      }
    }
  }

  @Test
  void shouldForceWhatCameWhileACheckpointWasWrittenWithTheNextOne() throws Exception {
    appendToManyQueues();
    test.clock.advance(6000);
    test.store.dispatcher().flushQueues();
    writeAllSlicesBut(1);
    appendToManyQueues();
    writeSlices();
    test.store.flusher().flush();
    test.store.checkpointer().checkpoint();

    test.clock.advance(6000);
    test.store.dispatcher().flushQueues();
    writeSlices();
    test.store.checkpointer().checkpoint();

    QueueEnds noted = QueueEndsText.decode(Files.readAllBytes(root.resolve("config/queueEnds.json")));
    assertThat(noted.phyOffset()).isEqualTo(test.store.log().appendedOffset());
    assertThat(noted.queues().values()).allMatch(queues -> queues.get(0).equals(new Range(0, 2)));
  }

  @Test
  void shouldNotRestForTheSakeOfManyQueuesWhereFewAreToBeWritten() throws Exception {
    appendToManyQueues();
    test.clock.advance(6000);
    test.store.dispatcher().flushQueues();
    test.clock.advance(10_000);
    writeSlices();
    test.store.flusher().flush();
    test.store.checkpointer().checkpoint();

    test.append("orders", 0, "m");
    test.checkpoint();

    QueueEnds noted = QueueEndsText.decode(Files.readAllBytes(root.resolve("config/queueEnds.json")));
    assertThat(noted.phyOffset()).isEqualTo(test.store.log().appendedOffset());
  }

  @Test
  void shouldRestTwiceAsLongAsManyQueuesTookUntilTheyWereForced() throws Exception {
    appendToManyQueues();
    test.clock.advance(6000);
    test.store.dispatcher().flushQueues();
    writeSlices();
    test.clock.advance(10_000);
    test.store.dispatcher().flushQueues();
    test.store.flusher().flush();
    test.store.checkpointer().checkpoint();

    appendToManyQueues();
    test.clock.advance(9_000);
    assertThat(test.store.dispatcher().flushQueues()).as("19 seconds after the last one began, which took ten").isFalse();
    test.clock.advance(1_000);
    assertThat(test.store.dispatcher().flushQueues()).isTrue();
  }

  private void appendToManyQueues() {
    TestRecords records = new TestRecords();
    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      records.add("topic" + i, 0, "m");
    }
    test.append(records);
    test.dispatch();
  }

  private void writeSlices() {
    while (test.store.dispatcher().writeSlice()) {
      // until the last
    }
  }

  /** Of as many slices as the queues need. */
  private void writeAllSlicesBut(int last) {
    int slices = (OpenFiles.LIMIT + 1 + 63) / 64;
    for (int i = 0; i < slices - last; i++) {
      assertThat(test.store.dispatcher().writeSlice()).isTrue();
    }
  }

  @Test
  void shouldWriteEveryQueueAtOnceWhereTheirFilesCanAllBeKeptOpen() {
    test.append("orders", 0, "m");
    test.dispatch();

    test.store.dispatcher().flushQueues();

    assertThat(queueFile("orders")).exists();
  }

  /** What waits is read in parts of 256 KiB, or from body to body where they are long; some records are longer than a part. */
  @Test
  void shouldDispatchManyAtOnceAsOneByOne() {
    TestStore much = TestStore.open(TestStore.options(root.resolve("much")).withSizes(1 << 20, TestStore.QUEUE_FILE, 64, 512));
    Random random = new Random(7);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      int length = i % 50 == 49 ? 300_000 + random.nextInt(200_000) : random.nextInt(i % 2 == 0 ? 100 : 20_000);
      sent.add(i + "x".repeat(length));
      much.append("orders", 0, sent.get(i), Map.of("TAGS", "tag" + i));
      if (i % 100 == 50) {
        much.dispatch();
      }
    }
    long wholeFiles = much.store.log().appendedOffset() >> 20;

    assertThat(much.store.dispatcher().dispatch(1, this::arrived)).isTrue();
    while (much.store.dispatcher().dispatch(100_000 + random.nextInt(1 << 20), this::arrived)) {
      // Rounds that end anywhere.
    }

    assertThat(wholeFiles).as("log files that were left behind").isGreaterThan(4);
    assertThat(much.bodies("orders", 0)).isEqualTo(sent);
    UnitWindow unit = new UnitWindow(1);
    for (int i = 0; i < sent.size(); i++) {
      much.store.view().readUnits("orders", 0, i, 1, unit);
      assertThat(unit.tagsCode(0)).isEqualTo(("tag" + i).hashCode());
    }
    much.close();
  }

  @Test
  void shouldStopInFrontOfWhatIsNoRecordInTheMiddleOfMany() throws IOException {
    for (int i = 0; i < 300; i++) {
      test.append("a", 0, "x".repeat(100));
    }
    long damaged = test.append("a", 0, "y".repeat(100)).phyOffset(0);
    for (int i = 0; i < 200; i++) {
      test.append("a", 0, "z".repeat(100));
    }
    writeMagic(damaged, 1);

    assertThatThrownBy(() -> test.store.dispatcher().dispatch(1 << 20, this::arrived)).isInstanceOf(StoreException.class)
        .hasMessageContaining("position " + damaged);

    assertThat(arrivals).containsExactly("a/0:300");
    assertThat(test.store.dispatcher().dispatchedOffset()).isEqualTo(damaged);
    writeMagic(damaged, RecordLayout.MAGIC_V1);
    assertThat(test.store.dispatcher().dispatch(1 << 20, this::arrived)).isFalse();
    assertThat(arrivals).containsExactly("a/0:300", "a/0:501");
  }

  private void writeMagic(long phyOffset, int magic) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("commitlog").resolve(FileNames.ofStart(0)).toFile(), "rw")) {
      file.seek(phyOffset + RecordLayout.MAGIC);
      file.writeInt(magic);
    }
  }

  private Path queueFile(String topic) {
    return root.resolve("consumequeue").resolve(topic).resolve("0").resolve(FileNames.ofStart(0));
  }

  private void arrived(String topic, int queueId, long maxOffset) {
    arrivals.add(topic + "/" + queueId + ":" + maxOffset);
  }
}
