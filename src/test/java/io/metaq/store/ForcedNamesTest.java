package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.store.QueueUnit;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folders and files the store forces, for what was found missing by power cuts: see io.metaq.torture. */
class ForcedNamesTest {
  @TempDir
  Path folder;

  private final RecordingDisk disk = new RecordingDisk();

  @Test
  void shouldForceTheFoldersOfNewQueueFilesBeforeACheckpointSaysThatTheyAreThere() {
    Path root = folder.resolve("store");
    Path queues = root.resolve("consumequeue");
    TestClock clock = new TestClock();
    try (MessageStore store = open(root, clock)) {
      store.log().append(new TestRecords().add("orders", 1, "body"));
      disk.calls.clear();

      checkpoint(store, clock);
    }

    assertThat(disk.calls).containsSubsequence(
        "file " + queues.resolve("orders/1/00000000000000000000"), "names " + queues.resolve("orders/1"),
        "names " + queues.resolve("orders"), "names " + queues, "file " + root.resolve("config/queueEnds.json.new"));
  }

  @Test
  void shouldForceAFilesLengthBeforeItsName() {
    Path root = folder.resolve("store");

    open(root, new TestClock()).close();

    Path log = root.resolve("commitlog");
    assertThat(disk.calls).containsSubsequence("file " + log.resolve("00000000000000000000"), "names " + log);
  }

  @Test
  void shouldForceTheNameOfTheStoresOwnFolder() {
    open(folder.resolve("new/store"), new TestClock()).close();

    assertThat(disk.calls).contains("names " + folder, "names " + folder.resolve("new"));
  }

  @Test
  void shouldForceWithTheNextCheckpointWhatCameWhileOneWasWritten() {
    Path root = folder.resolve("store");
    TestClock clock = new TestClock();
    try (MessageStore store = open(root, clock)) {
      appendToManyQueues(store);
      clock.advance(6_000);
      store.dispatcher().flushQueues();
      assertThat(store.dispatcher().writeSlice()).as("topic0 and some more are written, others are left").isTrue();
      appendToManyQueues(store);
      finishCheckpoint(store);
      disk.calls.clear();

      clock.advance(6_000);
      store.dispatcher().flushQueues();
      finishCheckpoint(store);

      assertThat(disk.calls).contains("file " + root.resolve("consumequeue/topic0/0/00000000000000000000"));
    }
  }

  /** Half a second of each second at most, a force of a file or of a folder's names takes a millisecond here. */
  @Test
  void shouldForceManyFilesInSlicesAndNoteNothingBeforeTheLast() {
    Path root = folder.resolve("store");
    TestClock clock = new TestClock();
    try (MessageStore store = open(root, clock)) {
      appendToManyQueues(store);
      clock.advance(6_000);
      store.dispatcher().flushQueues();
      writeSlices(store);
      store.flusher().flush();
      disk.calls.clear();
      disk.clock = clock;

      store.checkpointer().checkpointSlice();
      assertThat(disk.calls).hasSizeBetween(500, 502).allMatch(call -> call.startsWith("file " + root.resolve("consumequeue")));
      store.checkpointer().checkpointSlice();
      store.checkpointer().checkpointSlice();
      assertThat(store.checkpointer().wantsPlan()).isFalse();
      store.checkpointer().checkpointSlice();

      assertThat(store.checkpointer().wantsPlan()).isTrue();
      assertThat(disk.calls).contains("file " + root.resolve("config/queueEnds.json.new"));
      assertThat(disk.calls.stream().filter(call -> call.contains("consumequeue")))
          .as("of each queue a file, its folder and its topic's, and the folder of all").doesNotHaveDuplicates().hasSize(3 * (OpenFiles.LIMIT + 1) + 1);
      disk.clock = null;
    }
  }

  @Test
  void shouldForceWhatRecoveryCutOffAQueueEvenWhenNothingIsAddedToIt() throws IOException {
    Path root = folder.resolve("store");
    Path killed = folder.resolve("killed");
    Path queue = killed.resolve("consumequeue/orders/1/00000000000000000000");
    TestClock clock = new TestClock();
    try (MessageStore store = open(root, clock)) {
      store.log().append(new TestRecords().add("orders", 1, "body"));
      checkpoint(store, clock);
      TestStore.copy(root, killed);
    }
    try (RandomAccessFile units = new RandomAccessFile(queue.toFile(), "rw")) {
      units.seek(QueueUnit.SIZE);
      units.writeLong(1234);
    }
    disk.calls.clear();

    open(killed, clock).close();

    assertThat(disk.calls).contains("file " + queue, "names " + queue.getParent());
  }

  @Test
  void shouldNotForceAgainWhatTheLastCheckpointForced() throws IOException {
    Path root = folder.resolve("store");
    Path killed = folder.resolve("killed");
    TestClock clock = new TestClock();
    try (MessageStore store = open(root, clock)) {
      store.log().append(new TestRecords().add("orders", 1, "body"));
      checkpoint(store, clock);
      TestStore.copy(root, killed);
    }
    disk.calls.clear();

    open(killed, clock).close();

    assertThat(disk.calls).noneMatch(call -> call.contains("consumequeue"));
  }

  @Test
  void shouldForceTheKeptTailBeforeItIsCutOffTheLog() throws IOException {
    Path root = folder.resolve("store");
    open(root, new TestClock()).close();
    Path log = root.resolve("commitlog/00000000000000000000");
    Path kept = root.resolve("damaged/commitlog/00000000000000000000-from-0");
    try (RandomAccessFile garbage = new RandomAccessFile(log.toFile(), "rw")) {
      garbage.writeLong(1234);
    }
    disk.calls.clear();

    open(root, new TestClock()).close();

    assertThat(disk.calls).containsSubsequence("file " + kept, "names " + kept.getParent(), "file " + log);
  }

  private MessageStore open(Path root, TestClock clock) {
    return MessageStore.open(TestStore.options(root), clock, line -> { }, disk);
  }

  private static void appendToManyQueues(MessageStore store) {
    TestRecords records = new TestRecords();
    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      records.add("topic" + i, 0, "m");
    }
    store.log().append(records);
    while (store.dispatcher().dispatch(1 << 20, (topic, queueId, maxOffset) -> { })) {
      // until nothing is left
    }
  }

  private static void writeSlices(MessageStore store) {
    while (store.dispatcher().writeSlice()) {
      // until the last
    }
  }

  private static void finishCheckpoint(MessageStore store) {
    writeSlices(store);
    store.flusher().flush();
    store.checkpointer().checkpoint();
  }

  private static void checkpoint(MessageStore store, TestClock clock) {
    clock.advance(6_000);
    store.flusher().flush();
    store.dispatcher().dispatch(1 << 20, (topic, queueId, maxOffset) -> { });
    store.dispatcher().flushQueues();
    store.checkpointer().checkpoint();
  }

  /** Notes what is forced, and forces it. */
  private static final class RecordingDisk extends TestDisk {
    private final List<String> calls = new ArrayList<>();
    private TestClock clock;

    @Override
    public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
      took("file " + file);
      super.force(file, channel, attributesToo);
    }

    @Override
    public void force(Path file, MappedByteBuffer bytes, int from, int to) throws IOException {
      calls.add("mapping " + file);
      super.force(file, bytes, from, to);
    }

    @Override
    public void forceNames(Path path) throws IOException {
      took("names " + path);
      super.forceNames(path);
    }

    private void took(String call) {
      calls.add(call);
      if (clock != null) {
        clock.advance(1);
      }
    }
  }
}
