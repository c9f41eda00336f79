package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.RecordLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogCopyTest {
  private static final int SMALLEST_RECORD = 150;

  @TempDir Path folder;

  @Test
  void shouldTakeRecordsCutAtAnyByte() {
    byte[] log = masterLog(3, 20);
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      long base = 0;
      for (int cut = 0; cut <= log.length; cut++) {
        byte[] moved = movedTo(log, base);

        assertThat(append(slave, base, Arrays.copyOf(moved, cut))).isEmpty();
        long half = slave.store.log().appendedOffset();
        assertThat(append(slave, base + cut, Arrays.copyOfRange(moved, cut, moved.length))).isEmpty();

        assertThat(half).as("cut at %d", cut).isEqualTo(base + wholeRecords(log, cut));
        assertThat(slave.store.log().appendedOffset()).isEqualTo(base + log.length);
        base += log.length;
        if (TestStore.LOG_FILE - base % TestStore.LOG_FILE < 2 * log.length) {
          base = fillFile(slave, base);
        }
      }
      slave.dispatch();
    }
  }

  @Test
  void shouldTakeALogByteByByte() {
    byte[] log = masterLog(5, 10);
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      for (int i = 0; i < log.length; i++) {
        assertThat(append(slave, i, new byte[] {log[i]})).isEmpty();
        assertThat(slave.store.log().appendedOffset()).isEqualTo(wholeRecords(log, i + 1));
      }

      assertThat(bytes(slave, 0, log.length)).isEqualTo(log);
    }
  }

  @Test
  void shouldCopyFilesWithTheirBlankTailsAndDeriveTheSameQueues() {
    try (TestStore master = TestStore.open(folder.resolve("master")); TestStore slave = TestStore.open(folder.resolve("slave"))) {
      for (int i = 0; i < 400; i++) {
        master.append("orders", i % 3, "message " + i + "x".repeat(300), Map.of("KEYS", "k" + i));
      }
      long end = master.store.log().appendedOffset();
      byte[] log = bytes(master, 0, end);
      for (int at = 0; at < log.length; at += 5_000) {
        assertThat(append(slave, at, Arrays.copyOfRange(log, at, Math.min(log.length, at + 5_000)))).isEmpty();
      }
      master.dispatch();
      slave.dispatch();

      assertThat(end).isGreaterThan(2L * TestStore.LOG_FILE);
      assertThat(slave.store.log().appendedOffset()).isEqualTo(end);
      assertThat(bytes(slave, 0, end)).isEqualTo(log);
      for (int queueId = 0; queueId < 3; queueId++) {
        assertThat(slave.bodies("orders", queueId)).isEqualTo(master.bodies("orders", queueId));
      }
    }
  }

  @Test
  void shouldGoOnAsAMasterBehindWhatWasCopied() {
    byte[] log = masterLog(4, 10);
    Path root = folder.resolve("slave");
    try (TestStore slave = TestStore.open(root)) {
      append(slave, 0, log);
      slave.dispatch();
    }

    try (TestStore promoted = TestStore.open(root)) {
      TestRecords appended = promoted.append("orders", 0, "the first of its own");

      assertThat(appended.queueOffset(0)).isEqualTo(4);
    }
  }

  @Test
  void shouldBeginAgainAtTheLastWholeRecordAfterABreak() {
    byte[] log = masterLog(3, 50);
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      append(slave, 0, Arrays.copyOf(log, log.length - 10));
      long whole = slave.store.log().appendedOffset();

      assertThat(append(slave, whole, Arrays.copyOfRange(log, (int) whole, log.length))).isEmpty();

      assertThat(bytes(slave, 0, log.length)).isEqualTo(log);
      assertThat(slave.store.log().appendedOffset()).isEqualTo(log.length);
    }
  }

  @Test
  void shouldRefuseAPieceThatDoesNotFollow() {
    byte[] log = masterLog(2, 50);
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      append(slave, 0, Arrays.copyOf(log, 100));

      assertThat(append(slave, 99, new byte[10])).hasValue("a piece of the log begins at 99, but the log goes on at 100");
      assertThat(append(slave, 101, new byte[10])).isPresent();
      assertThat(append(slave, 100, Arrays.copyOfRange(log, 100, log.length))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {
    RecordLayout.TOTAL_SIZE, RecordLayout.MAGIC, RecordLayout.MAGIC + 3, RecordLayout.PHY_OFFSET + 6, RecordLayout.QUEUE_ID, 84})
  void shouldRefuseWhatIsNoRecordAndWipeItOut(int flipped) {
    byte[] log = masterLog(2, 50);
    int second = log.length / 2;
    byte[] broken = log.clone();
    broken[second + flipped] ^= (byte) 0x80;
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      Optional<String> fault = append(slave, 0, broken);

      assertThat(fault).hasValueSatisfying(sentence -> assertThat(sentence).startsWith("at " + second + " the master's log holds no record"));
      assertThat(slave.store.log().appendedOffset()).isEqualTo(second);
      assertThat(bytes(slave, second, second + 200)).containsOnly(0);
      assertThat(append(slave, second, Arrays.copyOfRange(log, second, log.length))).isEmpty();
    }
  }

  @Test
  void shouldRefuseZeros() {
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      assertThat(append(slave, 0, new byte[200])).hasValueSatisfying(sentence -> assertThat(sentence).contains("nothing was ever written"));
      assertThat(slave.store.log().appendedOffset()).isZero();
    }
  }

  @Test
  void shouldTellFilesOfAnotherSizeByTheirBlankTail() {
    ByteBuffer tail = ByteBuffer.allocate(8).putInt(1234).putInt(RecordLayout.MAGIC_BLANK);
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      assertThat(append(slave, 0, tail.array()))
          .hasValueSatisfying(sentence -> assertThat(sentence).contains("mappedFileSizeCommitLog is " + TestStore.LOG_FILE));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7})
  void shouldSkipARestTooShortForAMarker(int rest) {
    byte[] first = movedTo(record(TestStore.LOG_FILE - rest), 0);
    byte[] next = movedTo(record(300), TestStore.LOG_FILE);
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      assertThat(append(slave, 0, first)).isEmpty();
      assertThat(slave.store.log().appendedOffset()).isEqualTo(first.length);
      assertThat(append(slave, first.length, new byte[rest])).isEmpty();
      assertThat(append(slave, TestStore.LOG_FILE, next)).isEmpty();
      slave.dispatch();

      assertThat(slave.store.log().appendedOffset()).isEqualTo(TestStore.LOG_FILE + 300);
      assertThat(slave.store.dispatcher().dispatchedOffset()).isEqualTo(TestStore.LOG_FILE + 300);
    }
  }

  @Test
  void shouldRefuseARecordThatWouldCrossAFile() {
    byte[] crossing = record(TestStore.LOG_FILE + 1);
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      assertThat(append(slave, 0, Arrays.copyOf(crossing, 100))).isPresent();
    }
  }

  @Test
  void shouldLeaveNothingOfAHalfRecordWhenItStops() {
    byte[] log = masterLog(2, 50);
    Path root = folder.resolve("slave");
    try (TestStore slave = TestStore.open(root)) {
      append(slave, 0, Arrays.copyOf(log, log.length - 1));
      slave.store.logCopy().stop();
      slave.dispatch();
    }

    try (TestStore again = TestStore.open(root)) {
      assertThat(again.store.report().warnings()).isEmpty();
      assertThat(again.store.log().appendedOffset()).isEqualTo(log.length / 2);
    }
  }

  @Test
  void shouldFindTheLastRecordAcrossABlankTail() {
    try (TestStore store = TestStore.open(folder.resolve("s"))) {
      assertThat(store.store.view().lastRecord()).isEmpty();
      TestRecords last = null;
      while (store.store.log().appendedOffset() <= TestStore.LOG_FILE) {
        last = store.append("orders", 0, "x".repeat(3_000));
        RecordSlice found = store.store.view().lastRecord().orElseThrow();

        assertThat(found.phyOffset()).isEqualTo(last.phyOffset(0));
        assertThat(found.size()).isEqualTo(last.size(0));
        found.release();
      }
    }
  }

  @Test
  void shouldFindTheLastRecordOfACopyThatEndsWithAFile() {
    byte[] first = movedTo(record(TestStore.LOG_FILE - 3), 0);
    try (TestStore slave = TestStore.open(folder.resolve("slave"))) {
      append(slave, 0, first);
      append(slave, first.length, new byte[3]);

      RecordSlice found = slave.store.view().lastRecord().orElseThrow();
      assertThat(found.phyOffset()).isZero();
      found.release();
    }
  }

  private Optional<String> append(TestStore slave, long phyOffset, byte[] bytes) {
    ByteBuffer direct = ByteBuffer.allocateDirect(Math.max(1, bytes.length)).put(0, bytes);
    return slave.store.logCopy().append(phyOffset, direct, bytes.length);
  }

  /** A log of equal records of queue 0. */
  private byte[] masterLog(int messages, int bodyBytes) {
    try (TestStore master = TestStore.open(folder.resolve("master"))) {
      for (int i = 0; i < messages; i++) {
        master.append("orders", 0, "m".repeat(bodyBytes));
      }
      return bytes(master, 0, master.store.log().appendedOffset());
    }
  }

  private static byte[] bytes(TestStore store, long from, long to) {
    ByteBuffer all = ByteBuffer.allocate((int) (to - from));
    long at = from;
    while (at < to) {
      LogRange range = store.store.view().range(at, to).orElseThrow();
      all.put(range.bytes().duplicate());
      at += range.size();
      range.release();
    }
    return all.array();
  }

  private static int wholeRecords(byte[] log, int length) {
    ByteBuffer bytes = ByteBuffer.wrap(log);
    int at = 0;
    while (at < length && at + bytes.getInt(at) <= length) {
      at += bytes.getInt(at);
    }
    return at;
  }

  /** The same records as they are at another place of the log. */
  private static byte[] movedTo(byte[] log, long base) {
    ByteBuffer bytes = ByteBuffer.wrap(log.clone());
    for (int at = 0; at < log.length; at += bytes.getInt(at)) {
      bytes.putLong(at + RecordLayout.PHY_OFFSET, base + at);
    }
    return bytes.array();
  }

  /** One record of so many bytes. */
  private static byte[] record(int size) {
    TestRecords small = new TestRecords().add("orders", 0, "");
    TestRecords exact = new TestRecords().add("orders", 0, "x".repeat(size - small.size(0)));
    byte[] bytes = new byte[size];
    exact.bytes().get(0, bytes);
    return bytes;
  }

  /** Ends the file at {@code from} with one record and a blank tail; returns where the next one begins. */
  private long fillFile(TestStore slave, long from) {
    int left = (int) (TestStore.LOG_FILE - from % TestStore.LOG_FILE);
    byte[] record = movedTo(record(SMALLEST_RECORD), from);
    ByteBuffer tail = ByteBuffer.allocate(left - record.length).putInt(left - record.length).putInt(RecordLayout.MAGIC_BLANK);
    append(slave, from, record);
    assertThat(append(slave, from + record.length, tail.array())).isEmpty();
    assertThat(slave.store.log().appendedOffset()).isEqualTo(from + left);
    return from + left;
  }
}
