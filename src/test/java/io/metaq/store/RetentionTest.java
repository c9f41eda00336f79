package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
  private static final long HOUR = 3_600_000;

  @TempDir
  Path root;

  private final TestProbe probe = new TestProbe();
  private DiskMarks marks = DiskMarks.DEFAULT;
  private long maxLogBytes;
  private TestStore test;

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void shouldDeleteExpiredFilesInTheHourSetForIt() {
    open(true);
    fill();
    test.clock.advance(73 * HOUR);
    test.append("a", 0, "young");
    test.checkpoint();

    int deleted = test.store.retention().clean();

    assertThat(deleted).isEqualTo(3);
    assertThat(logFiles()).contains(FileNames.ofStart(3L * TestStore.LOG_FILE)).doesNotContain(FileNames.ofStart(0));
    long min = test.store.view().minOffset("a", 0);
    assertThat(min).isPositive();
    assertThat(test.bodies("a", 0)).hasSize((int) (401 - min)).endsWith("young");
    assertThat(queueFiles()).doesNotContain(FileNames.ofStart(0));
    assertThat(test.store.view().byKey("a", "k0", 1, 0, Long.MAX_VALUE, KeyKind.ANY)).isEmpty();
  }

  @Test
  void shouldJudgeByTheLastModificationWhereStoreTimesLieInTheFuture() throws IOException {
    open(true);
    fill();
    test.checkpoint();
    long nowMs = test.clock.millis() + 73 * HOUR - 240 * HOUR;
    test.clock.set(nowMs);
    modified(0, nowMs - 73 * HOUR);
    modified(1, nowMs - 71 * HOUR);

    assertThat(test.store.retention().clean()).isEqualTo(1);
    assertThat(logFiles().get(0)).isEqualTo(FileNames.ofStart(TestStore.LOG_FILE));
  }

  /** It was finished while the clock was ahead. */
  @Test
  void shouldJudgeByTheNextFileWhereTheFirstWasModifiedInTheFutureToo() throws IOException {
    open(true);
    fill();
    test.checkpoint();
    long nowMs = test.clock.millis() + 73 * HOUR - 240 * HOUR;
    test.clock.set(nowMs);
    modified(0, nowMs + 200 * HOUR);
    modified(1, nowMs - 71 * HOUR);
    assertThat(test.store.retention().clean()).as("the second is not old enough").isZero();

    modified(1, nowMs - 73 * HOUR);

    assertThat(test.store.retention().clean()).isPositive();
    assertThat(logFiles().get(0)).isNotEqualTo(FileNames.ofStart(0));
  }

  @Test
  void shouldWarnAtTheStartWhenTheLastStoreTimeLiesWellAheadOfTheClock() {
    open(true);
    test.clock.advance(600_000);
    test.append("a", 0, "from the future");
    test.close();

    open(true);

    assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("stored 10 minutes ahead of the clock"));
  }

  @Test
  void shouldWaitForTheHour() {
    open(false);
    fill();
    test.clock.advance(73 * HOUR);
    test.checkpoint();

    assertThat(test.store.retention().clean()).isZero();
  }

  @Test
  void shouldKeepWhatIsNotExpired() {
    open(true);
    fill();
    test.clock.advance(71 * HOUR);
    test.checkpoint();

    assertThat(test.store.retention().clean()).isZero();
  }

  @Test
  void shouldDeleteExpiredFilesAtAnyHourWhenTheDiskGetsFull() {
    open(false);
    fill();
    test.clock.advance(73 * HOUR);
    test.checkpoint();
    probe.usedPercent = 75;
    test.store.disk().measure();

    assertThat(test.store.retention().clean()).isPositive();
  }

  @Test
  void shouldDeleteWhatIsNotExpiredWhenTheDiskIsNearlyFull() {
    open(false);
    fill();
    test.checkpoint();
    probe.usedPercent = 84;
    test.store.disk().measure();
    assertThat(test.store.retention().clean()).isZero();

    probe.usedPercent = 85;
    test.store.disk().measure();

    assertThat(test.store.retention().clean()).isEqualTo(3);
    assertThat(test.append("a", 0, "goes on").queueOffset(0)).isEqualTo(400);
  }

  @Test
  void shouldDeleteWhatIsNotExpiredWhenFewBytesAreFree() {
    marks = new DiskMarks(75, 85, 300L << 20, 90, 0);
    open(false);
    fill();
    test.checkpoint();
    probe.usedPercent = 70;
    test.store.disk().measure();
    assertThat(test.store.retention().clean()).isZero();

    probe.usedPercent = 71;
    test.store.disk().measure();

    assertThat(test.store.retention().clean()).isEqualTo(3);
  }

  @Test
  void shouldDeleteTheOldestFilesWhileTheLogIsLongerThanItMayBe() {
    maxLogBytes = 2L * TestStore.LOG_FILE;
    open(false);
    fill();
    test.checkpoint();
    long end = test.store.log().appendedOffset();

    int deleted = test.store.retention().clean();

    assertThat(deleted).isEqualTo(2);
    assertThat(end - 2L * TestStore.LOG_FILE).isLessThanOrEqualTo(maxLogBytes);
    assertThat(logFiles().get(0)).isEqualTo(FileNames.ofStart(2L * TestStore.LOG_FILE));
    long min = test.store.view().minOffset("a", 0);
    assertThat(test.bodies("a", 0)).hasSize((int) (400 - min)).first().asString().startsWith("message " + min + " ");
    assertThat(queueFiles().get(0)).isEqualTo(FileNames.ofStart(min * 20 / TestStore.QUEUE_FILE * TestStore.QUEUE_FILE));
    assertThat(test.store.view().byKey("a", "k0", 1, 0, Long.MAX_VALUE, KeyKind.ANY)).isEmpty();
  }

  @Test
  void shouldKeepALogAsLongAsItMayBe() {
    open(false);
    fill();
    test.checkpoint();
    maxLogBytes = test.store.log().appendedOffset();
    test.close();
    open(false);

    assertThat(test.store.retention().clean()).isZero();
    test.append("a", 0, "one more");
    test.checkpoint();

    assertThat(test.store.retention().clean()).isOne();
  }

  @Test
  void shouldKeepTheLastFileHoweverShortTheLogMustBe() {
    maxLogBytes = 1;
    open(false);
    fill();
    test.checkpoint();

    test.store.retention().clean();

    assertThat(test.bodies("a", 0)).isNotEmpty().last().asString().startsWith("message 399 ");
    assertThat(test.append("a", 0, "goes on").queueOffset(0)).isEqualTo(400);
  }

  @Test
  void shouldKeepWhatIsNotForcedOrNotDispatched() {
    open(false);
    fill();
    probe.usedPercent = 89;
    test.store.disk().measure();

    assertThat(test.store.retention().clean()).isZero();
    test.store.flusher().flush();
    assertThat(test.store.retention().clean()).isZero();
    test.dispatch();
    assertThat(test.store.retention().clean()).isPositive();
  }

  @Test
  void shouldLeaveTheBytesOfAFileToItsReader() {
    GetResult result = readWhatIsDeleted();

    assertThat(logFiles()).doesNotContain(FileNames.ofStart(0));
    assertThat(new String(TestStore.messages(result).get(0).body())).startsWith("message 0 ");
    result.release();
  }

  /** Seen before: the reader that let go last, an event loop, closed the file and waited 150 ms for the system to free its blocks. */
  @Test
  void shouldNotLeaveItToAReaderToFreeTheSpaceOfADeletedFile() throws IOException {
    GetResult result = readWhatIsDeleted();

    result.release();
    assertThat(deletedFilesOfTheLog()).as("after the reader is done").isEqualTo(1);

    probe.usedPercent = 50;
    test.store.disk().measure();
    test.store.retention().clean();
    assertThat(deletedFilesOfTheLog()).as("in the next round").isZero();
  }

  /** Seen before: the file that was read stayed in front of a gap, and the store could not be opened again. */
  @Test
  void shouldOpenAgainAfterACrashWhileADeletedFileWasStillRead() {
    GetResult result = readWhatIsDeleted();
    List<String> left = test.bodies("a", 0);
    Path copy = root.resolve("copy");
    TestStore.copy(root.resolve("store"), copy);
    result.release();

    try (TestStore again = TestStore.open(copy)) {
      assertThat(again.bodies("a", 0)).isEqualTo(left);
    }
  }

  @Test
  void shouldOpenAgainAfterFilesWereDeletedBehindTheLastCheckpoint() {
    open(false);
    fill();
    test.checkpoint();
    probe.usedPercent = 89;
    test.store.disk().measure();
    test.store.retention().clean();
    List<String> left = test.bodies("a", 0);
    Path copy = root.resolve("copy");
    TestStore.copy(root.resolve("store"), copy);

    try (TestStore again = TestStore.open(copy)) {
      assertThat(again.bodies("a", 0)).isEqualTo(left);
      assertThat(again.store.report().warnings()).isEmpty();
    }
  }

  /**
   * Seen before: a checkpoint that was planned between the deletion of a log file and that of the queue's knew the new first log file and
   * the old first queue file, so after a crash the queue was said to have lost a file, and everything was made anew.
   */
  @Test
  void shouldNotMissAQueueFileWhenACheckpointCameAmidstTheDeletion() {
    open(false);
    fill();
    test.checkpoint();
    probe.usedPercent = 89;
    test.store.disk().measure();
    probe.whenAsked(() -> {
      test.append("a", 0, "amidst");
      test.checkpoint();
    });

    test.store.retention().clean();

    probe.whenAsked(() -> { });
    assertThat(queueFiles()).doesNotContain(FileNames.ofStart(0));
    List<String> left = test.bodies("a", 0);
    Path copy = root.resolve("copy");
    TestStore.copy(root.resolve("store"), copy);
    try (TestStore again = TestStore.open(copy)) {
      assertThat(again.bodies("a", 0)).isEqualTo(left);
      assertThat(again.store.report().warnings()).isEmpty();
    }
  }

  private void open(boolean hourNow) {
    int hour = Instant.ofEpochMilli(new TestClock().millis() + 73 * HOUR).atZone(ZoneId.systemDefault()).getHour();
    int otherHour = (hour + 12) % 24;
    Set<Integer> hours = hourNow ? Set.of(hour, (hour + 22) % 24) : Set.of(otherHour);
    RetentionOptions retention = new RetentionOptions(72 * HOUR, hours, maxLogBytes, true, marks);
    test = TestStore.open(
        TestStore.options(root.resolve("store")).withRetention(retention), Forcer.of(FlushMode.ASYNC_FLUSH), probe);
  }

  /** Some more than three files of the log. */
  private void fill() {
    for (int i = 0; i < 400; i++) {
      test.append("a", 0, String.format("%-450s", "message " + i + " "), Map.of("KEYS", "k" + i));
    }
  }

  private void modified(int file, long ms) throws IOException {
    Path path = root.resolve("store/commitlog").resolve(FileNames.ofStart((long) file * TestStore.LOG_FILE));
    Files.setLastModifiedTime(path, FileTime.fromMillis(ms));
  }

  private List<String> logFiles() {
    return names(root.resolve("store/commitlog"));
  }

  private List<String> queueFiles() {
    return names(root.resolve("store/consumequeue/a/0"));
  }

  private static List<String> names(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A message of the first file, which is deleted meanwhile: the disk is nearly full. */
  private GetResult readWhatIsDeleted() {
    open(false);
    fill();
    test.checkpoint();
    GetResult result = test.store.view().get("a", 0, 0, 1, 1000, code -> true);
    probe.usedPercent = 89;
    test.store.disk().measure();
    test.store.retention().clean();
    return result;
  }

  /** How many files of the log have no name any more and are still open. */
  private long deletedFilesOfTheLog() throws IOException {
    return Files.readString(Path.of("/proc/self/maps")).lines()
        .filter(map -> map.contains(root.toString()) && map.endsWith("(deleted)"))
        .count();
  }
}
