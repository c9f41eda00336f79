package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import io.metaq.model.QueueHandle;
import io.metaq.model.SysFlag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommitLogTest {
  private static final byte[] BORN_V4 = {10, 0, 0, 1, 0, 0, 0x13, (byte) 0x88};
  private static final byte[] BORN_V6 = new byte[20];

  @TempDir
  Path root;

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void shouldNumberRecordsByQueueAndPlace(FlushMode mode) {
    try (TestStore test = TestStore.open(TestStore.options(root).withFlushMode(mode))) {
      TestRecords records = test.append(new TestRecords().add("a", 0, "1").add("b", 0, "2").add("a", 1, "3").add("a", 0, "4"));

      assertThat(List.of(records.queueOffset(0), records.queueOffset(1), records.queueOffset(2), records.queueOffset(3)))
          .containsExactly(0L, 0L, 0L, 1L);
      assertThat(records.phyOffset(0)).isZero();
      assertThat(records.phyOffset(3)).isEqualTo(records.size(0) * 3L);
      assertThat(test.store.log().appendedOffset()).isEqualTo(records.size(0) * 4L);
    }
  }

  @Test
  void shouldPublishWhatWasStoredBeforeABugAndNothingElse() {
    try (TestStore test = TestStore.open(root)) {
      TestRecords records = new TestRecords().add("a", 0, new byte[40_000], Map.of()).add("a", 0, new byte[40_000], Map.of());
      records.add("a", 0, "behind").withoutQueue();

      assertThatThrownBy(() -> test.append(records)).isInstanceOf(NullPointerException.class);

      assertThat(records.statuses()).containsExactly(AppendStatus.STORED, null, null);
      assertThat(test.store.log().appendedOffset()).isEqualTo(TestStore.LOG_FILE);
      test.append("a", 0, "after");
      test.dispatch();
      assertThat(test.store.view().recordAt(0)).hasValueSatisfying(RecordSlice::release);
    }
  }

  /** A page that was written through the mapping costs the one who forces it an interrupt of all other processors (ADR 0039). */
  @ParameterizedTest
  @EnumSource(FlushMode.class)
  @EnabledOnOs(OS.LINUX)
  void shouldNotTouchTheMappingOfTheLogToAppend(FlushMode mode) throws Exception {
    try (TestStore test = TestStore.open(TestStore.options(root).withFlushMode(mode))) {
      test.append("a", 0, "few bytes");
      test.append(new TestRecords().add("a", 0, new byte[5_000], Map.of()));
      test.append("a", 0, "few bytes again");
      test.append(new TestRecords().add("a", 0, new byte[TestStore.LOG_FILE - 1_000], Map.of()));

      assertThat(test.store.log().appendedOffset()).as("a marker stands in the first file").isGreaterThan(TestStore.LOG_FILE);
      assertThat(kilobytesShownOf(0)).isZero();
      assertThat(kilobytesShownOf(TestStore.LOG_FILE)).isZero();

      test.store.flusher().flush();
      test.dispatch();
      assertThat(test.readAll("a", 0)).hasSize(4);
      assertThat(kilobytesShownOf(0)).as("reads are by mapping").isPositive();
    }
  }

  /** How much of a file of the log this process has looked at, or written to, through its mapping. */
  private int kilobytesShownOf(long start) throws IOException {
    String path = root.toRealPath().resolve("commitlog").resolve(FileNames.ofStart(start)).toString();
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    int at = 0;
    while (!lines.get(at).endsWith(path)) {
      at++;
    }
    while (!lines.get(at).startsWith("Rss:")) {
      at++;
    }
    return Integer.parseInt(lines.get(at).replaceAll("\\D", ""));
  }

  @Test
  void shouldGiveOneCounterToTwoHandlesOfAQueue() {
    try (TestStore test = TestStore.open(root)) {
      test.append("a", 0, "first");

      assertThat(test.append("a", 0, "second").queueOffset(0)).isEqualTo(1);
    }
  }

  @Test
  void shouldNeverLetTheStoreTimeGoBack() {
    try (TestStore test = TestStore.open(root)) {
      test.append("a", 0, "1");
      test.clock.advance(-60_000);
      test.append("a", 0, "2");
      test.clock.advance(61_000);
      test.append("a", 0, "3");
      test.dispatch();

      assertThat(test.readAll("a", 0)).extracting(StoredMessage::storeTimestamp)
          .containsExactly(1_700_000_000_000L, 1_700_000_000_000L, 1_700_000_001_000L);
    }
  }

  @Test
  void shouldKeepTheStoreTimeFromGoingBackOverARestart() {
    try (TestStore test = TestStore.open(root)) {
      test.clock.advance(60_000);
      test.append("a", 0, "1");
    }

    try (TestStore test = TestStore.open(root)) {
      test.append("a", 0, "2");
      test.dispatch();
      assertThat(test.readAll("a", 0)).extracting(StoredMessage::storeTimestamp).containsOnly(1_700_000_060_000L);
    }
  }

  @Test
  void shouldPutTheStoreTimeBehindALongAddress() {
    try (TestStore test = TestStore.open(root)) {
      test.append(new TestRecords().add("a", 0, "x".getBytes(), Map.of(), 0, BORN_V6));
      test.dispatch();

      StoredMessage message = test.readAll("a", 0).get(0);
      assertThat(message.sysFlag()).isEqualTo(SysFlag.BORN_HOST_V6);
      assertThat(message.storeTimestamp()).isEqualTo(1_700_000_000_000L);
    }
  }

  @Test
  void shouldLeaveABlankMarkerWhereARecordDoesNotFit() throws Exception {
    try (TestStore test = TestStore.open(root)) {
      TestRecords first = test.append(new TestRecords().add("a", 0, new byte[40_000], Map.of()));
      TestRecords second = test.append(new TestRecords().add("a", 0, new byte[30_000], Map.of()));

      assertThat(second.phyOffset(0)).isEqualTo(TestStore.LOG_FILE);
      ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(root.resolve("commitlog").resolve(FileNames.ofStart(0))));
      assertThat(file.getInt(first.size(0))).isEqualTo(TestStore.LOG_FILE - first.size(0));
      assertThat(file.getInt(first.size(0) + 4)).isEqualTo(RecordLayout.MAGIC_BLANK);
    }
  }

  @Test
  void shouldKeepEightBytesForTheMarkerAndNotOneMore() {
    int overhead = RecordLayout.FIXED_SIZE + 1;
    try (TestStore test = TestStore.open(root)) {
      test.append(new TestRecords().add("a", 0, new byte[TestStore.LOG_FILE - 8 - overhead], Map.of()));
      assertThat(test.store.log().appendedOffset()).isEqualTo(TestStore.LOG_FILE - 8);

      TestRecords tooLong = test.append(new TestRecords().add("a", 0, new byte[TestStore.LOG_FILE - 7 - overhead], Map.of()));

      assertThat(tooLong.status(0)).isEqualTo(AppendStatus.ILLEGAL);
      assertThat(tooLong.detail(0)).contains("do not fit into one file");
    }
  }

  @Test
  void shouldStoreAUnitInOneFile() {
    try (TestStore test = TestStore.open(root)) {
      test.append(new TestRecords().add("a", 0, new byte[60_000], Map.of()));
      TestRecords unit = new TestRecords();
      for (int i = 0; i < 60; i++) {
        unit.add("a", 0, new byte[100], Map.of());
      }
      unit.unit(60);

      test.append(unit);

      assertThat(unit.phyOffset(0)).isEqualTo(TestStore.LOG_FILE);
      assertThat(unit.queueOffset(59)).isEqualTo(60);
    }
  }

  @Test
  void shouldRefuseAUnitAsAWholeAndGoOnWithTheNext() {
    try (TestStore test = TestStore.open(root)) {
      TestRecords records = new TestRecords().add("a", 0, "before");
      records.add("a", 0, new byte[40_000], Map.of()).add("a", 0, new byte[40_000], Map.of()).unit(2);
      records.add("a", 0, "behind");

      test.append(records);
      test.dispatch();

      assertThat(records.statuses())
          .containsExactly(AppendStatus.STORED, AppendStatus.ILLEGAL, AppendStatus.ILLEGAL, AppendStatus.STORED);
      assertThat(records.queueOffset(3)).isEqualTo(1);
      assertThat(test.bodies("a", 0)).containsExactly("before", "behind");
    }
  }

  @Test
  void shouldRefuseARecordBeyondTheLimit() {
    StoreOptions options = new StoreOptions(root, TestStore.LOG_FILE, 2000, 64, 512, true, FlushMode.ASYNC_FLUSH, 1000, true,
        level -> 0, 0, 0, RetentionOptions.DEFAULT);
    try (TestStore test = TestStore.open(options)) {
      int body = 1000 - RecordLayout.FIXED_SIZE - 1;

      assertThat(test.append(new TestRecords().add("a", 0, new byte[body], Map.of())).status(0)).isEqualTo(AppendStatus.STORED);
      TestRecords tooLong = test.append(new TestRecords().add("a", 0, new byte[body + 1], Map.of()));

      assertThat(tooLong.status(0)).isEqualTo(AppendStatus.ILLEGAL);
      assertThat(tooLong.detail(0)).contains("1001").contains("1000");
    }
  }

  @Test
  void shouldGivePreparedAndRolledBackRecordsNoPlaceInTheQueue() {
    try (TestStore test = TestStore.open(root)) {
      TestRecords records = new TestRecords()
          .add("a", 0, "1".getBytes(), Map.of(), SysFlag.TRANSACTION_PREPARED, BORN_V4)
          .add("a", 0, "2".getBytes(), Map.of(), SysFlag.TRANSACTION_COMMIT, BORN_V4)
          .add("a", 0, "3".getBytes(), Map.of(), SysFlag.TRANSACTION_ROLLBACK, BORN_V4)
          .add("a", 0, "4".getBytes(), Map.of(), 0, BORN_V4);

      test.append(records);
      test.dispatch();

      assertThat(records.queueOffset(3)).isEqualTo(1);
      assertThat(test.bodies("a", 0)).containsExactly("2", "4");
    }
  }

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void shouldLeaveNoGapWhenAWriteFails(FlushMode mode) {
    shouldLeaveNoGapBehind(new byte[1], mode, "the commit log cannot be written");
  }

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void shouldLeaveNoGapWhenTheNextFileCannotBeBegun(FlushMode mode) {
    shouldLeaveNoGapBehind(new byte[TestStore.LOG_FILE - 200], mode, "the next commit log file cannot be begun");
  }

  private void shouldLeaveNoGapBehind(byte[] first, FlushMode mode, String cause) {
    try (TestStore test = TestStore.open(TestStore.options(root).withFlushMode(mode))) {
      test.append(new TestRecords().add("a", 0, first, Map.of()));
      long end = test.store.log().appendedOffset();

      Thread.currentThread().interrupt();
      TestRecords refused = test.append(new TestRecords().add("a", 0, new byte[500], Map.of()).add("b", 0, new byte[500], Map.of()));
      assertThat(Thread.interrupted()).isTrue();

      assertThat(refused.statuses()).containsOnly(AppendStatus.FAILED);
      assertThat(refused.detail(0)).startsWith(cause).contains("MB are free");
      TestRecords stored = test.append(new TestRecords().add("a", 0, "again").add("b", 0, "y"));
      assertThat(stored.statuses()).containsOnly(AppendStatus.STORED);
      assertThat(stored.queueOffset(0)).isEqualTo(1);
      assertThat(stored.queueOffset(1)).isZero();
      assertThat(stored.phyOffset(0)).isGreaterThanOrEqualTo(end);
    }
  }

  /** An interrupt makes a write fail, whatever of it is in the file, and would make the next one fail too. */
  @Test
  void shouldWipeWhatAWriteLeftThatAnInterruptBroke() throws IOException {
    try (TestStore test = TestStore.open(TestStore.options(root))) {
      test.append(new TestRecords().add("a", 0, "first"));
      Path file = root.resolve("commitlog").resolve(FileNames.ofStart(0));
      int end = (int) test.store.log().appendedOffset();
      byte[] left = new byte[300];
      Arrays.fill(left, (byte) 7);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(left), end);
      }

      Thread.currentThread().interrupt();
      TestRecords refused = test.append(new TestRecords().add("a", 0, new byte[300], Map.of()));
      assertThat(Thread.interrupted()).isTrue();

      assertThat(refused.statuses()).containsOnly(AppendStatus.FAILED);
      assertThat(Arrays.copyOfRange(Files.readAllBytes(file), end, end + left.length)).containsOnly(0);
    }
  }

  @Test
  void shouldRefuseWhileTheDiskIsFullAndGoOnByItself() {
    TestProbe probe = new TestProbe();
    try (TestStore test = TestStore.open(TestStore.options(root), Forcer.of(FlushMode.ASYNC_FLUSH), probe)) {
      test.append("a", 0, "before");

      probe.usedPercent = 91;
      test.store.disk().measure();
      TestRecords refused = test.append("a", 0, "full");
      probe.usedPercent = 89;
      test.store.disk().measure();
      TestRecords stored = test.append("a", 0, "behind");

      assertThat(refused.status(0)).isEqualTo(AppendStatus.UNAVAILABLE);
      assertThat(refused.detail(0)).isEqualTo("the disk of log has reached diskSpaceWarningLevelRatio=90:"
          + " 91.0% are used, 90 MB are free; free space is measured again within 1 s");
      assertThat(stored.queueOffset(0)).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseWhenFewBytesAreFreeAndGoOnByItself() {
    TestProbe probe = new TestProbe();
    DiskMarks marks = new DiskMarks(75, 85, 0, 90, 200L << 20);
    StoreOptions options = TestStore.options(root).withRetention(new RetentionOptions(1, Set.of(4), 0, true, marks));
    try (TestStore test = TestStore.open(options, Forcer.of(FlushMode.ASYNC_FLUSH), probe)) {
      probe.usedPercent = 81;
      test.store.disk().measure();
      TestRecords refused = test.append("a", 0, "full");
      probe.usedPercent = 80;
      test.store.disk().measure();
      TestRecords stored = test.append("a", 0, "again");

      assertThat(refused.status(0)).isEqualTo(AppendStatus.UNAVAILABLE);
      assertThat(refused.detail(0)).isEqualTo("the disk of log has reached diskSpaceWarningLevelFreeBytes=209715200:"
          + " 81.0% are used, 190 MB are free; free space is measured again within 1 s");
      assertThat(stored.queueOffset(0)).isZero();
    }
  }

  @Test
  void shouldBindTheWritersCounterToAHandleItMeets() {
    try (TestStore test = TestStore.open(root)) {
      TestRecords records = new TestRecords().add("a", 3, "x");

      test.append(records);

      QueueHandle handle = records.queue(0);
      assertThat(handle.end().next()).isEqualTo(1);
    }
  }
}
