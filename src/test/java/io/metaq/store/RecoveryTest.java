package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.store.QueueEndsText;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.codec.store.QueueUnit;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each test leaves a store behind as some accident would, and opens it again. */
class RecoveryTest {
  private static final int BODY = 200;

  @TempDir
  Path folder;

  private Path live;
  private Path root;
  private final List<String> bodies = new ArrayList<>();
  private long logEnd;
  private long lastRecord;
  private int lastSize;

  @BeforeEach
  void setUp() {
    live = folder.resolve("live");
    root = folder.resolve("after");
  }

  @Test
  void shouldBringEverythingBackAfterAKill() {
    kill(500, true, 300);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.store.report().cleanExit()).isFalse();
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.append("orders", 0, "next").queueOffset(0)).isEqualTo(800);
    }
  }

  @Test
  void shouldBringEverythingBackAfterAKillBeforeTheFirstCheckpoint() {
    kill(700, false, 0);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
    }
  }

  @Test
  void shouldScanOnlyWhatTheLastCheckpointDoesNotCover() {
    kill(1000, true, 10);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.store.report().scannedFrom()).isGreaterThan(logEnd - 10 * 400);
      assertThat(test.store.report().dispatchedFrom()).isEqualTo(test.store.report().scannedFrom());
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 7, 8, 50, 88, 91, 150, 250})
  void shouldCutATornLastRecord(int bytesLeft) throws IOException {
    kill(100, true, 50);
    zero(lastRecord + bytesLeft, lastSize - bytesLeft);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 149));
      assertThat(test.store.log().appendedOffset()).isEqualTo(lastRecord);
      assertThat(test.append("orders", 0, "again").queueOffset(0)).isEqualTo(149);
    }
  }

  @Test
  void shouldCutARecordWhoseBodyDoesNotFitItsChecksum() throws IOException {
    kill(100, true, 50);
    write(lastRecord + RecordLayout.body(0) + 10, new byte[] {1, 2, 3});

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 149));
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("the checksum of its body is wrong"));
    }
  }

  @Test
  void shouldSurviveATailOfZeros() throws IOException {
    kill(100, true, 50);
    zero(lastRecord, lastSize);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 149));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldKeepGarbageBehindTheEndApartAndNeverReadIt(boolean cleanExit) throws IOException {
    if (cleanExit) {
      stop(100);
    } else {
      kill(50, true, 50);
    }
    byte[] garbage = new byte[300];
    Arrays.fill(garbage, (byte) 0x5a);
    write(logEnd, garbage);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("300 bytes behind the end"));
      test.append("orders", 0, "next");
      test.dispatch();
      assertThat(test.bodies("orders", 0)).hasSize(101);
    }
    assertThat(damaged()).singleElement().satisfies(file -> assertThat(Files.readAllBytes(file)).isEqualTo(garbage));
  }

  @Test
  void shouldNotTakeStaleRecordsBehindATornOneForGoodWhenTheTornOneIsOverwritten() throws IOException {
    kill(100, true, 50);
    long torn = recordAt(root, 120);
    long recordBehind = recordAt(root, 121);
    zero(torn + 20, 4);
    write(torn + 8, new byte[] {9, 9, 9, 9});

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 120));
      TestRecords again = test.append("orders", 0, bodies.get(120), Map.of("KEYS", "key120"));
      assertThat(again.phyOffset(0)).isEqualTo(torn);
      assertThat(again.phyOffset(0) + again.size(0)).isEqualTo(recordBehind);
      test.dispatch();
      TestStore.copy(root, folder.resolve("again"));
    }

    try (TestStore test = TestStore.open(folder.resolve("again"))) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 121));
    }
  }

  @Test
  void shouldLeaveNothingOfOldWritesFarBehindTheEnd() throws IOException {
    StoreOptions options = StoreOptions.of(root).withSizes(8 << 20, TestStore.QUEUE_FILE, 64, 512);
    TestStore.open(options).close();
    Path file = root.resolve("commitlog").resolve(FileNames.ofStart(0));
    int beyondPreparation = 6 << 20;
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
      log.write(new byte[] {1, 2, 3});
      log.seek(beyondPreparation);
      log.write(new byte[] {4, 5, 6});
    }

    TestStore.open(options).close();

    assertThat(Arrays.copyOfRange(Files.readAllBytes(file), beyondPreparation, beyondPreparation + 3)).containsOnly(0);
  }

  @Test
  void shouldNotMeetUnitsOfLostMessagesLater() throws IOException {
    try (TestStore test = TestStore.open(live)) {
      append(test, 100);
      test.checkpoint();
      append(test, 50);
      test.dispatch();
      test.store.dispatcher().flushQueues();
      TestStore.copy(live, root);
    }
    zero(recordAt(root, 130), 4);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 130));
    }
    try (TestStore test = TestStore.open(root)) {
      assertThat(test.store.report().warnings()).isEmpty();
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 130));
    }
  }

  /** A power cut may keep a later page of a queue's file and lose one before it. */
  @Test
  void shouldNotTakeAStaleUnitForAMessageWhenTheQueueHasGrownUpToIt() throws IOException {
    stop(90);
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("consumequeue/orders/0/00000000000000000000").toFile(), "rw")) {
      byte[] unit = new byte[20];
      file.seek(20 * 50);
      file.readFully(unit);
      file.seek(20 * 90);
      ByteBuffer.wrap(unit).putLong(0, lastRecord);
      file.write(unit);
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.append("orders", 0, "next").queueOffset(0)).isEqualTo(90);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 95})
  void shouldClearUnitsBehindTheNotedEnd(int units) throws IOException {
    try (TestStore test = TestStore.open(live)) {
      test.checkpoint();
      append(test, units);
      test.dispatch();
      test.store.dispatcher().flushQueues();
      TestStore.copy(live, root);
    }
    zero(0, logEnd > TestStore.LOG_FILE ? TestStore.LOG_FILE : (int) logEnd);

    TestStore.open(root).close();

    assertThat(Files.readAllBytes(root.resolve("consumequeue/orders/0/00000000000000000000"))).containsOnly(0);
  }

  @Test
  void shouldFollowTheBlankMarkerIntoTheNextFile() {
    kill(1000, true, 500);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.store.log().appendedOffset()).isGreaterThan(3L * TestStore.LOG_FILE);
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 15})
  void shouldGoOnWhenSoFewBytesAreLeftInAFile(int left) {
    try (TestStore test = TestStore.open(live)) {
      int full = TestStore.LOG_FILE - left;
      test.append(new TestRecords().add("t", 0, new byte[full - RecordLayout.FIXED_SIZE - 1], Map.of()));
      assertThat(test.store.log().appendedOffset()).isEqualTo(full);
      test.append("t", 0, "in the next file");
      test.append("t", 0, "and one more");
      TestStore.copy(live, root);
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("t", 0)).hasSize(3).endsWith("in the next file", "and one more");
    }
  }

  @Test
  void shouldGoOnInTheNextFileWhenLessThanAMarkerIsLeft() throws IOException {
    try (TestStore test = TestStore.open(live)) {
      test.append(new TestRecords().add("t", 0, new byte[TestStore.LOG_FILE - 8 - 92], Map.of()));
    }
    Path file = live.resolve("commitlog").resolve(FileNames.ofStart(0));
    byte[] bytes = Files.readAllBytes(file);
    int size = TestStore.LOG_FILE - 7;
    ByteBuffer record = ByteBuffer.wrap(bytes);
    record.putInt(0, size).putInt(84, size - 92).putInt(RecordLayout.BODY_CRC, crcOf(new byte[size - 92]));
    record.put(size - 4, (byte) 1).put(size - 3, (byte) 't').putShort(size - 2, (short) 0);
    record.put(size - 5, (byte) 0);
    Files.write(file, bytes);
    TestStore.delete(live.resolve("consumequeue"));
    TestStore.delete(live.resolve("config"));
    Files.writeString(live.resolve("abort"), "1");

    try (TestStore test = TestStore.open(live)) {
      assertThat(test.store.log().appendedOffset()).isEqualTo(size);
      assertThat(test.bodies("t", 0)).hasSize(1);
      assertThat(test.append("t", 0, "next").phyOffset(0)).isEqualTo(TestStore.LOG_FILE);
      test.dispatch();
      assertThat(test.bodies("t", 0)).hasSize(2);
      TestStore.copy(live, root);
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("t", 0)).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"consumequeue", "consumequeue/orders", "consumequeue/orders/0", "consumequeue/orders/0/00000000000000000000",
      "consumequeue/orders/0/00000000000000002000", "consumequeue/orders/0/00000000000000008000"})
  void shouldMakeDeletedConsumeQueueFilesAgain(String deleted) {
    for (boolean cleanExit : new boolean[] {true, false}) {
      Path store = folder.resolve(deleted.replace('/', '-') + cleanExit);
      live = folder.resolve("live" + cleanExit);
      root = store;
      bodies.clear();
      if (cleanExit) {
        stop(450);
      } else {
        kill(430, true, 20);
      }
      TestStore.delete(store.resolve(deleted));

      try (TestStore test = TestStore.open(store)) {
        assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
        assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("consumequeue") || line.contains("consume queue"));
        assertThat(test.append("orders", 0, "next").queueOffset(0)).isEqualTo(450);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true, false", "true, false, false", "false, true, false", "false, false, false", "true, true, true", "false, true, true"})
  void shouldMakeAQueueAgainThatLostItsFirstFileTogetherWithTheNote(boolean cleanExit, boolean garbled, boolean shortLog)
      throws IOException {
    if (cleanExit) {
      stop(1000);
    } else {
      kill(900, true, 100);
    }
    for (String note : List.of("config/queueEnds.json", "config/queueEnds.json.bak")) {
      if (garbled && Files.exists(root.resolve(note))) {
        Files.writeString(root.resolve(note), "garbled");
      } else {
        Files.deleteIfExists(root.resolve(note));
      }
    }
    if (shortLog) {
      Files.delete(root.resolve("commitlog").resolve(FileNames.ofStart(0)));
    }
    for (int file = 0; file < 4; file++) {
      Files.delete(root.resolve("consumequeue/orders/0").resolve(FileNames.ofStart((long) file * TestStore.QUEUE_FILE)));
    }

    try (TestStore test = TestStore.open(root)) {
      int min = (int) test.store.view().minOffset("orders", 0);
      assertThat(min).isLessThan(4 * TestStore.QUEUE_FILE / QueueUnit.SIZE);
      assertThat(min > 0).isEqualTo(shortLog);
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(min, 1000));
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("consumequeue/orders/0 has lost its first file"));
    }
  }

  @Test
  void shouldMakeAConsumeQueueAgainThatLostItsLastUnits() throws IOException {
    stop(450);
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("consumequeue/orders/0/00000000000000008000").toFile(), "rw")) {
      file.setLength(100);
      file.setLength(TestStore.QUEUE_FILE);
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("fewer units"));
    }
    assertThat(damaged()).isNotEmpty();
  }

  @Test
  void shouldMakeAConsumeQueueAgainWhoseFileWasShortened() throws IOException {
    stop(450);
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("consumequeue/orders/0/00000000000000004000").toFile(), "rw")) {
      file.setLength(777);
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
    }
  }

  @Test
  void shouldLeaveUnknownFilesAloneWithAWarning() throws IOException {
    stop(50);
    List<Path> unknown = List.of(root.resolve("commitlog/notes.txt"), root.resolve("commitlog/123"), root.resolve("consumequeue/readme"),
        root.resolve("consumequeue/orders/abc"), root.resolve("consumequeue/orders/0/x"), root.resolve("index/y"));
    for (Path path : unknown) {
      Files.writeString(path, "mine");
    }
    Files.createDirectories(root.resolve("commitlog/00000000000000099999"));

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.store.report().warnings()).hasSize(unknown.size() + 1).allMatch(line -> line.contains("was left alone"));
    }
    assertThat(unknown).allSatisfy(path -> assertThat(path).hasContent("mine"));
  }

  @Test
  void shouldRefuseALogFileOfAnotherSize() throws IOException {
    stop(50);
    StoreOptions other = StoreOptions.of(root).withSizes(TestStore.LOG_FILE * 2, TestStore.QUEUE_FILE, 64, 512);

    assertThatThrownBy(() -> TestStore.open(other)).isInstanceOf(StoreException.class).hasMessageContaining("mappedFileSizeCommitLog");

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
    }
  }

  @Test
  void shouldRefuseALogWithAMissingFile() throws IOException {
    stop(1000);
    Files.delete(root.resolve("commitlog").resolve(FileNames.ofStart(TestStore.LOG_FILE)));

    assertThatThrownBy(() -> TestStore.open(root)).isInstanceOf(StoreException.class).hasMessageContaining("has a gap");
  }

  @Test
  void shouldGoOnWithAShortLastFileThatACrashLeft() throws IOException {
    kill(100, true, 0);
    for (Path file : list(root.resolve("commitlog"))) {
      if (!file.endsWith(FileNames.ofStart(0))) {
        Files.delete(file);
      }
    }
    shorten(0, (int) logEnd);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.store.report().warnings()).singleElement().asString().contains("was set back to full length");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 400})
  void shouldGoOnWhenACrashStoppedTheCutAfterACleanExit(int count) throws IOException {
    stop(count);
    long start = logEnd / TestStore.LOG_FILE * TestStore.LOG_FILE;
    deleteLogFilesBehind(start);
    shorten(start, (int) (logEnd - start));

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.store.report().cleanExit()).isTrue();
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.store.report().warnings()).singleElement().asString().contains("was set back to full length");
      assertThat(test.append("orders", 0, "next").queueOffset(0)).isEqualTo(count);
    }
    assertThat(root.resolve("commitlog").resolve(FileNames.ofStart(start))).hasSize(TestStore.LOG_FILE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldCutARecordThatAShortLastFileEndsIn(boolean cleanExit) throws IOException {
    if (cleanExit) {
      stop(400);
    } else {
      kill(350, true, 50);
    }
    long start = lastRecord / TestStore.LOG_FILE * TestStore.LOG_FILE;
    deleteLogFilesBehind(start);
    shorten(start, (int) (lastRecord - start) + 150);

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.store.log().appendedOffset()).isEqualTo(lastRecord);
      assertThat(test.store.view().recordAt(recordAt(root, 398))).isPresent().get().satisfies(RecordSlice::release);
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("was set back to full length"));
      assertThat(test.append("orders", 0, "never a number twice").queueOffset(0)).isEqualTo(cleanExit ? 400 : 399);
    }
  }

  @Test
  void shouldRefuseALogFileOfAnotherSizeAfterAKillToo() {
    kill(20, true, 10);
    deleteLogFilesBehind(0);
    StoreOptions other = StoreOptions.of(root).withSizes(TestStore.LOG_FILE * 2, TestStore.QUEUE_FILE, 64, 512);

    assertThatThrownBy(() -> TestStore.open(other)).isInstanceOf(StoreException.class).hasMessageContaining("mappedFileSizeCommitLog");

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
    }
  }

  /** What is lost of a power cut's last record are whole pages; here all that the properties have in the first, the last, or both. */
  @ParameterizedTest
  @ValueSource(strings = {"first page", "last page", "last byte", "all"})
  void shouldCutARecordWhosePropertiesWereNotWritten(String lost) throws IOException {
    TestRecords whole;
    long properties;
    try (TestStore test = TestStore.open(live)) {
      append(test, 10);
      whole = test.append("orders", 0, "a sound body", Map.of("KEYS", "x".repeat(5000)));
      properties = whole.phyOffset(0) + whole.size(0) - 5006;
      test.dispatch();
      TestStore.copy(live, root);
    }
    int end = (int) (whole.phyOffset(0) + whole.size(0));
    int firstPageEnd = (int) (properties / 4096 + 1) * 4096;
    int lastPage = end / 4096 * 4096;
    switch (lost) {
      case "first page" -> zero(properties, firstPageEnd - (int) properties);
      case "last page" -> zero(lastPage, end - lastPage);
      case "last byte" -> zero(end - 1, 1);
      default -> zero(properties, 5006);
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("its properties were not written as a whole"));
    }
  }

  @Test
  void shouldKeepZerosThatASenderPutIntoPropertiesWhenMoreFollows() {
    String zeros = "\0".repeat(9000);
    try (TestStore test = TestStore.open(live)) {
      test.append("orders", 0, "strange", Map.of("KEYS", zeros));
      test.append("orders", 0, "next");
      TestStore.copy(live, root);
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).containsExactly("strange", "next");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldGoOnBeforeFilesThatWereMadeAheadAndHoldNothing(boolean fullLength) throws IOException {
    kill(50, true, 50);
    long behind = logEnd / TestStore.LOG_FILE * TestStore.LOG_FILE + TestStore.LOG_FILE;
    deleteLogFilesBehind(behind - TestStore.LOG_FILE);
    for (long start : fullLength ? List.of(behind, behind + TestStore.LOG_FILE) : List.of(behind)) {
      try (RandomAccessFile file = new RandomAccessFile(root.resolve("commitlog").resolve(FileNames.ofStart(start)).toFile(), "rw")) {
        file.setLength(fullLength ? TestStore.LOG_FILE : 0);
      }
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.store.log().appendedOffset()).isEqualTo(logEnd);
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.store.report().warnings()).isEmpty();
      for (int i = 0; i < 400; i++) {
        test.append("orders", 0, "x".repeat(BODY));
      }
      test.dispatch();
      assertThat(test.bodies("orders", 0)).hasSize(500);
    }
    assertThat(root.resolve("damaged")).doesNotExist();
  }

  @Test
  void shouldSurviveACrashRightAfterTheRecoveryFromACrash() throws IOException {
    kill(100, true, 50);
    zero(lastRecord + 100, lastSize - 100);
    Path second = folder.resolve("second");
    Path third = folder.resolve("third");
    try (TestStore test = TestStore.open(root)) {
      TestStore.copy(root, second);
    }
    try (TestStore test = TestStore.open(second)) {
      assertThat(test.store.report().cleanExit()).isFalse();
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 149));
      test.append("orders", 0, "after two crashes");
      TestStore.copy(second, third);
    }

    try (TestStore test = TestStore.open(third)) {
      assertThat(test.bodies("orders", 0)).hasSize(150).startsWith(bodies.get(0)).endsWith("after two crashes");
      assertThat(test.append("orders", 0, "next").queueOffset(0)).isEqualTo(150);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldForgetIndexEntriesOfRecordsThatTheLogLost(boolean cleanExit) throws IOException {
    if (cleanExit) {
      stop(150);
    } else {
      kill(150, true, 0);
    }
    long from = recordAt(root, 100);
    zero(from, (int) (TestStore.LOG_FILE - from % TestStore.LOG_FILE));

    try (TestStore test = TestStore.open(root)) {
      for (int i = 0; i < 100; i++) {
        assertThat(byKey(test, "key" + i)).containsExactly(bodies.get(i));
      }
      test.append("orders", 0, "in the place of a lost one", Map.of("KEYS", "new"));
      test.dispatch();
      assertThat(byKey(test, "new")).containsExactly("in the place of a lost one");
      assertThat(byKey(test, "key100")).isEmpty();
      assertThat(byKey(test, "key149")).isEmpty();
    }
  }

  @Test
  void shouldIndexAgainWhatAShortenedIndexFileLost() throws IOException {
    stop(300);
    Path file = list(root.resolve("index")).get(0);
    try (RandomAccessFile index = new RandomAccessFile(file.toFile(), "rw")) {
      index.setLength(index.length() / 2);
    }

    try (TestStore test = TestStore.open(root)) {
      for (int i = 0; i < 300; i++) {
        assertThat(byKey(test, "key" + i)).containsExactly(bodies.get(i));
      }
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("another size than configured"));
    }
  }

  @Test
  void shouldTellOfADamagedFileInTheMiddleOfTheLogAndServeWhatLiesAroundIt() throws IOException {
    try (TestStore test = TestStore.open(root)) {
      for (int i = 0; i < 60; i++) {
        test.append("a", 0, "message " + i + " " + "x".repeat(4000));
      }
    }
    Path middle = root.resolve("commitlog").resolve(FileNames.ofStart(TestStore.LOG_FILE));
    byte[] stray = new byte[TestStore.LOG_FILE];
    Arrays.fill(stray, (byte) 0x5A);
    Files.write(middle, stray);

    try (TestStore test = TestStore.open(root)) {
      StoreView view = test.store.view();
      GetResult before = view.get("a", 0, 0, 32, 1 << 20, code -> true);
      before.release();
      long hole = before.nextOffset();
      long behind = hole + 15;
      GetResult after = view.get("a", 0, behind, 1, 1 << 20, code -> true);

      assertThat(test.store.report().warnings()).singleElement().asString().contains(middle.toString()).contains("is damaged");
      assertThat(before.count()).isEqualTo((int) hole).isBetween(1, 16);
      assertThatThrownBy(() -> view.get("a", 0, hole, 32, 1 << 20, code -> true))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("message " + hole + " of queue a/0 cannot be read").hasMessageContaining("metaq verify");
      assertThat(new String(TestStore.messages(after).get(0).body())).startsWith("message " + behind + " ");
      after.release();
      assertThat(middle).hasBinaryContent(stray);
    }
  }

  @Test
  void shouldKeepFilesBehindADamagedRecordApart() throws IOException {
    kill(100, true, 900);
    write(recordAt(root, 150), new byte[] {0, 0, 0, 1});

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 150));
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("the commit log ends at"));
    }
    assertThat(damaged()).hasSizeGreaterThan(2);
  }

  @Test
  void shouldKeepALaterFileOfWhichOnlyTheBeginningIsZero() throws IOException {
    kill(0, false, 400);
    write(TestStore.LOG_FILE, new byte[4096]);
    byte[] left = Files.readAllBytes(root.resolve("commitlog").resolve(FileNames.ofStart(TestStore.LOG_FILE)));

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).hasSizeBetween(1, 399);
    }

    assertThat(root.resolve("damaged/commitlog").resolve(FileNames.ofStart(TestStore.LOG_FILE))).hasBinaryContent(left);
  }

  @ParameterizedTest(name = "byte {0}")
  @CsvSource({"12, 0xFFFFFFFF", "20, 0x0FFFFFFF", "28, 0x00000001", "84, 0x7FFFFFFF", "84, 0x80000000", "84, 0x00000000", "288, 0xFF000000"})
  void shouldSayHowToGoOnWhenTheQueuesAreToBeMadeAgainFromADamagedLog(int field, long value) throws IOException {
    stop(400);
    TestStore.delete(root.resolve("consumequeue"));
    long place = recordAt(root, 150);
    write(place + field, ByteBuffer.allocate(4).putInt((int) value).array());

    assertThatThrownBy(() -> TestStore.open(root)).isInstanceOf(StoreException.class)
        .hasMessageContaining("no sound record stands at position " + place).hasMessageContaining("put the file back")
        .hasMessageContaining("move consumequeue, index, checkpoint and queueEnds.json");
    TestStore.delete(root.resolve("consumequeue"));
    TestStore.delete(root.resolve("index"));
    for (String note : List.of("checkpoint", "config/queueEnds.json", "config/queueEnds.json.bak")) {
      Files.delete(root.resolve(note));
    }
    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList(0, 150));
    }
    assertThat(damaged()).isNotEmpty();
  }

  /** The note that recovery goes on from is foreign, or damaged in its number: dispatch must not step beyond where the log then ends. */
  @ParameterizedTest(name = "{0} bytes behind the end of a record")
  @CsvSource({"-3, 199", "5, 200", "40, 200"})
  void shouldNotDispatchBeyondALogThatEndsWhereNoRecordDoes(int behind, int stuckAt) throws IOException {
    stop(400);
    TestStore.delete(root.resolve("consumequeue"));
    long stuck = recordAt(root, stuckAt);
    noteLogEnd(recordAt(root, 200) + behind);

    assertThatThrownBy(() -> TestStore.open(root)).isInstanceOf(StoreException.class)
        .hasMessageContaining("no sound record stands at position " + stuck);
  }

  /** The same within the filler at a file's end, in front of its marker's end and behind it. */
  @ParameterizedTest(name = "{0} bytes behind the last record")
  @ValueSource(ints = {5, 8, 40})
  void shouldNotDispatchThroughFillerThatTheLogEndsIn(int behind) throws IOException {
    stop(400);
    TestStore.delete(root.resolve("consumequeue"));
    long filler = fillerAt(0);
    assertThat(filler + behind).isLessThan(TestStore.LOG_FILE);
    noteLogEnd(filler + behind);

    assertThatThrownBy(() -> TestStore.open(root)).isInstanceOf(StoreException.class)
        .hasMessageContaining("no sound record stands at position " + filler);
  }

  @Test
  void shouldRefuseANumberFarBeyondWhatTheLogCanHaveLost() throws IOException {
    stop(400);
    TestStore.delete(root.resolve("consumequeue"));
    long place = recordAt(root, 150);
    write(place + RecordLayout.QUEUE_OFFSET, ByteBuffer.allocate(8).putLong(1L << 40).array());

    assertThatThrownBy(() -> TestStore.open(root)).isInstanceOf(StoreException.class)
        .hasMessageContaining("no sound record stands at position " + place);
  }

  @Test
  void shouldCutQueuesThatKnowMoreThanTheLog() throws IOException {
    stop(400);
    long from = recordAt(root, 300);
    zero(from, (int) (TestStore.LOG_FILE - from % TestStore.LOG_FILE));

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.store.log().appendedOffset()).isEqualTo(from);
      assertThat(test.store.view().minOffset("orders", 0)).isZero();
      GetResult last = test.store.view().get("orders", 0, 299, 32, 1 << 20, code -> true);
      assertThat(TestStore.messages(last)).extracting(StoredMessage::queueOffset).containsExactly(299L);
      last.release();
      TestRecords next = test.append("orders", 0, "never a number twice");
      assertThat(next.queueOffset(0)).isEqualTo(400);
      test.dispatch();
      GetResult found = test.store.view().get("orders", 0, 300, 32, 1 << 20, code -> true);
      assertThat(TestStore.messages(found)).extracting(StoredMessage::queueOffset).containsExactly(400L);
      found.release();
    }
  }

  @Test
  void shouldOpenAStoreWithoutANoteOfItsQueuesAfterACleanExit() {
    stop(700);
    TestStore.delete(root.resolve("config"));

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.append("orders", 0, "next").queueOffset(0)).isEqualTo(700);
    }
  }

  @Test
  void shouldOpenAStoreWithoutANoteOfItsQueuesAfterAKill() {
    kill(700, true, 100);
    TestStore.delete(root.resolve("config"));

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
    }
  }

  @Test
  void shouldUseTheNoteBeforeWhenTheLastOneIsUnreadable() throws IOException {
    kill(300, true, 100);
    Files.writeString(root.resolve("config/queueEnds.json"), "{\"phyOffset\":12");

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies);
      assertThat(test.store.report().warnings()).anyMatch(line -> line.contains("cannot be read"));
    }
  }

  /** It is as sound as before, and away in the folder damaged it would be of no use to the next start. */
  @Test
  void shouldRefuseToStartWhereANoteMayNotBeRead() {
    kill(300, true, 100);
    Path note = root.resolve("config/queueEnds.json");
    TestDisk disk = new TestDisk() {
      @Override
      public InputStream read(Path file) throws IOException {
        if (file.equals(note)) {
          throw new AccessDeniedException(file.toString());
        }
        return super.read(file);
      }
    };

    assertThatThrownBy(() -> MessageStore.open(TestStore.options(root), new TestClock(), line -> { }, disk))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store folder " + root + " cannot be used: access to " + note + " is denied to the user that this process runs as");

    assertThat(note).exists();
    assertThat(root.resolve("damaged")).doesNotExist();
  }

  @Test
  void shouldRebuildAQueueFromALogThatHasLostItsFirstFile() throws IOException {
    stop(1000);
    Files.delete(root.resolve("commitlog").resolve(FileNames.ofStart(0)));
    TestStore.delete(root.resolve("consumequeue"));

    try (TestStore test = TestStore.open(root)) {
      long min = test.store.view().minOffset("orders", 0);
      assertThat(min).isPositive();
      assertThat(test.bodies("orders", 0)).isEqualTo(bodies.subList((int) min, 1000));
      assertThat(test.store.view().get("orders", 0, min - 1, 1, 1000, code -> true).status()).isEqualTo(GetStatus.OFFSET_TOO_SMALL);
    }
  }

  @Test
  void shouldKeepTheNextNumberOfAQueueWhoseMessagesAreAllGone() {
    stop(100);
    TestStore.delete(root.resolve("commitlog"));

    for (int i = 0; i < 2; i++) {
      try (TestStore test = TestStore.open(root)) {
        assertThat(test.store.view().maxOffset("orders", 0)).isZero();
      }
    }
    try (TestStore test = TestStore.open(root)) {
      assertThat(test.append("orders", 0, "next").queueOffset(0)).isEqualTo(100);
      test.dispatch();
      assertThat(test.store.view().minOffset("orders", 0)).isEqualTo(100);
      assertThat(test.bodies("orders", 0)).containsExactly("next");
    }
  }

  @Test
  void shouldIndexAgainWhatAKillLeftUnsafe() {
    kill(300, true, 100);

    try (TestStore test = TestStore.open(root)) {
      for (int i = 0; i < 400; i++) {
        assertThat(byKey(test, "key" + i)).containsExactly(bodies.get(i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMakeTheIndexAgainWhenItIsDamagedOrGone(boolean damaged) throws IOException {
    stop(1100);
    List<Path> files = list(root.resolve("index"));
    assertThat(files).hasSize(3);
    for (Path file : damaged ? files.subList(1, 3) : files) {
      if (damaged) {
        Files.writeString(file, "no index");
      } else {
        Files.delete(file);
      }
    }

    try (TestStore test = TestStore.open(root)) {
      for (int i = 0; i < 1100; i++) {
        assertThat(byKey(test, "key" + i)).containsExactly(bodies.get(i));
      }
    }
  }

  /** Appends to a live store and copies its files while it is open. */
  private void kill(int before, boolean checkpoint, int after) {
    try (TestStore test = TestStore.open(live)) {
      append(test, before);
      if (checkpoint) {
        test.checkpoint();
        test.checkpoint();
      }
      append(test, after);
      test.dispatch();
      TestStore.copy(live, root);
    }
  }

  private void stop(int count) {
    try (TestStore test = TestStore.open(live)) {
      append(test, count);
    }
    TestStore.copy(live, root);
  }

  private void append(TestStore test, int count) {
    for (int i = 0; i < count; i++) {
      int number = bodies.size();
      String body = String.format("%0" + BODY + "d", number);
      TestRecords records = test.append("orders", 0, body, Map.of("KEYS", "key" + number));
      assertThat(records.queueOffset(0)).isEqualTo(number);
      bodies.add(body);
      lastRecord = records.phyOffset(0);
      lastSize = records.size(0);
      logEnd = lastRecord + lastSize;
    }
  }

  private List<String> byKey(TestStore test, String key) {
    List<RecordSlice> found = test.store.view().byKey("orders", key, 32, 0, Long.MAX_VALUE, KeyKind.ANY);
    List<String> texts = found.stream().map(slice -> new String(StoredMessage.decode(slice.bytes(), 0).body())).toList();
    found.forEach(RecordSlice::release);
    return texts;
  }

  /** Log position of message {@code number} of the only queue. */
  private static long recordAt(Path store, int number) throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("commitlog"))) {
      for (Path log : files.sorted().toList()) {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(log));
        int place = 0;
        while (bytes.getInt(place + 4) == RecordLayout.MAGIC_V1) {
          if (bytes.getLong(place + RecordLayout.QUEUE_OFFSET) == number) {
            return bytes.getLong(place + RecordLayout.PHY_OFFSET);
          }
          place += bytes.getInt(place);
        }
      }
    }
    throw new AssertionError("no message " + number);
  }

  /** Log position of the filler of the log file that begins at {@code start}. */
  private long fillerAt(long start) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(root.resolve("commitlog").resolve(FileNames.ofStart(start))));
    int place = 0;
    while (bytes.getInt(place + RecordLayout.MAGIC) == RecordLayout.MAGIC_V1) {
      place += bytes.getInt(place);
    }
    assertThat(bytes.getInt(place + RecordLayout.MAGIC)).isEqualTo(RecordLayout.MAGIC_BLANK);
    return start + place;
  }

  /** Has the note that recovery goes on from say that the log ends here. */
  private void noteLogEnd(long end) throws IOException {
    for (Path note : List.of(root.resolve("config/queueEnds.json"), root.resolve("config/queueEnds.json.bak"))) {
      QueueEnds noted = QueueEndsText.decode(Files.readAllBytes(note));
      Files.write(note, QueueEndsText.encode(new QueueEnds(end, noted.logFirst(), noted.indexEndPhyOffset(), noted.queues())));
    }
  }

  private void zero(long phyOffset, int length) throws IOException {
    write(phyOffset, new byte[length]);
  }

  private void write(long phyOffset, byte[] bytes) throws IOException {
    long start = phyOffset / TestStore.LOG_FILE * TestStore.LOG_FILE;
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("commitlog").resolve(FileNames.ofStart(start)).toFile(), "rw")) {
      file.seek(phyOffset - start);
      file.write(bytes);
    }
  }

  private void shorten(long start, int length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("commitlog").resolve(FileNames.ofStart(start)).toFile(), "rw")) {
      file.setLength(length);
    }
  }

  private void deleteLogFilesBehind(long start) {
    for (long behind = start + TestStore.LOG_FILE;
        Files.exists(root.resolve("commitlog").resolve(FileNames.ofStart(behind)));
        behind += TestStore.LOG_FILE) {
      TestStore.delete(root.resolve("commitlog").resolve(FileNames.ofStart(behind)));
    }
  }

  private List<Path> damaged() throws IOException {
    return list(root.resolve("damaged")).stream().filter(Files::isRegularFile).toList();
  }

  private static List<Path> list(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      return files.filter(file -> !file.equals(path)).sorted().toList();
    }
  }

  private static int crcOf(byte[] body) {
    CRC32 crc = new CRC32();
    crc.update(body);
    return (int) crc.getValue() & 0x7FFFFFFF;
  }
}
