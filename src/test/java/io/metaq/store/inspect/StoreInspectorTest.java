package io.metaq.store.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.store.CheckpointLayout;
import io.metaq.codec.store.IndexLayout;
import io.metaq.codec.store.QueueUnit;
import io.metaq.store.StoreFixture;
import io.metaq.store.StoreOptions;
import io.metaq.store.inspect.Finding.Severity;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class StoreInspectorTest {
  private static final String FIRST_LOG = "commitlog/00000000000000000000";
  private static final String SECOND_LOG = "commitlog/00000000000000065536";
  private static final String FIRST_UNITS = "consumequeue/orders/0/00000000000000000000";
  private static final String SECOND_UNITS = "consumequeue/orders/0/00000000000000002000";

  @TempDir
  Path temp;

  private Path root;
  private StoreOptions options;

  @BeforeEach
  void writeStore() {
    root = temp.resolve("store");
    options = StoreFixture.options(root);
    StoreFixture.writeClosed(root);
  }

  @Test
  void shouldFindAClosedStoreSoundAndLeaveItAsItIs() throws IOException {
    Map<String, Long> before = contents();

    Inspection inspection = inspect();

    assertThat(inspection.findings()).isEmpty();
    assertThat(inspection.sound()).isTrue();
    assertThat(inspection.cleanExit()).isTrue();
    assertThat(row(inspection, Area.COMMIT_LOG).items()).isEqualTo(StoreFixture.MESSAGES);
    assertThat(row(inspection, Area.CONSUME_QUEUES).items()).isEqualTo(StoreFixture.MESSAGES);
    assertThat(row(inspection, Area.KEY_INDEX).items()).as("a key and a tag of each").isEqualTo(2 * StoreFixture.MESSAGES);
    assertThat(row(inspection, Area.PROGRESS_FILES).files()).isPositive();
    assertThat(row(inspection, Area.CHECKPOINT).files()).isOne();
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void shouldNotHoldAgainstAKilledStoreWhatRecoveryDerives() throws IOException {
    root = temp.resolve("killed");
    options = StoreFixture.options(root);
    StoreFixture.writeKilled(root, temp.resolve("scratch"));

    Inspection inspection = inspect();

    assertThat(inspection.findings(Severity.DAMAGE)).isEmpty();
    assertThat(inspection.cleanExit()).isFalse();
    assertThat(row(inspection, Area.COMMIT_LOG).items()).isEqualTo(StoreFixture.MESSAGES + 1);
  }

  @Test
  void shouldTakeAnUnfinishedLastRecordOfAKilledStoreForARemark() throws IOException {
    root = temp.resolve("killed");
    options = StoreFixture.options(root);
    StoreFixture.writeKilled(root, temp.resolve("scratch"));
    Path log = lastUsedLog();
    int end = usedEnd(log);
    flip(log, end - 10);

    Inspection inspection = inspect();

    assertThat(inspection.findings(Severity.DAMAGE)).isEmpty();
    assertThat(inspection.findings(Severity.REMARK)).anySatisfy(finding -> {
      assertThat(finding.area()).isEqualTo(Area.COMMIT_LOG);
      assertThat(finding.recovery()).startsWith("ends the log at ");
    });
  }

  /** Seen before: what was written between two looks at the log's end passed for zeros in its middle. */
  @Test
  void shouldFindNoDamageWhileTheStoreIsWrittenTo() throws Exception {
    root = temp.resolve("open");
    options = StoreFixture.options(root).withSizes(8 << 20, 60_000, 64, 20_000);
    AtomicBoolean enough = new AtomicBoolean();
    CountDownLatch opened = new CountDownLatch(1);
    Thread writer = new Thread(() -> StoreFixture.writeOn(options, () -> {
      opened.countDown();
      return enough.get();
    }));
    writer.start();
    assertThat(opened.await(60, TimeUnit.SECONDS)).isTrue();

    List<Finding> damages = new ArrayList<>();
    try {
      for (int i = 0; i < 20 && writer.isAlive(); i++) {
        damages.addAll(inspect().findings(Severity.DAMAGE));
      }
    } finally {
      enough.set(true);
      writer.join();
    }

    assertThat(damages).isEmpty();
    assertThat(inspect().findings()).isEmpty();
  }

  @Test
  void shouldNameTheRecordWithAFlippedBitInItsBody() throws IOException {
    int third = thirdRecord();
    flip(root.resolve(FIRST_LOG), third + 95);

    Inspection inspection = inspect();

    assertThat(inspection.findings()).singleElement().satisfies(finding -> {
      assertThat(finding.file()).isEqualTo(Path.of(FIRST_LOG));
      assertThat(finding.place()).isEqualTo(third);
      assertThat(finding.what()).isEqualTo("the checksum of its body is wrong (message 1 of orders/0)");
      assertThat(finding.recovery()).startsWith("does not look here");
    });
    assertThat(inspection.sound()).isFalse();
    assertThat(row(inspection, Area.COMMIT_LOG).items()).isEqualTo(StoreFixture.MESSAGES - 1);
  }

  @Test
  void shouldGoOnBehindADestroyedHead() throws IOException {
    int third = thirdRecord();
    write(root.resolve(FIRST_LOG), third, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    int next = third + sizeAt(root.resolve(FIRST_LOG), 0);
    flip(root.resolve(SECOND_LOG), 95);

    Inspection inspection = inspect();

    assertThat(of(inspection, Area.COMMIT_LOG)).filteredOn(finding -> finding.severity() == Severity.DAMAGE)
        .extracting(finding -> finding.file() + "@" + finding.place())
        .containsExactly(FIRST_LOG + "@" + third, SECOND_LOG + "@0");
    assertThat(of(inspection, Area.COMMIT_LOG).get(0).what()).contains("the next sound record is at " + next);
    assertThat(of(inspection, Area.COMMIT_LOG)).filteredOn(finding -> finding.severity() == Severity.DAMAGE)
        .extracting(finding -> finding.recovery().endsWith("queues again, it refuses to start"))
        .as("a head that does not fit stands in the way of making queues again, a body does not").containsExactly(true, false);
    assertThat(of(inspection, Area.CONSUME_QUEUES)).singleElement()
        .satisfies(finding ->
            assertThat(finding.what()).startsWith("unit 1 points to " + third + ", where no sound record stands"));
  }

  @Test
  void shouldNotTakeZerosInTheMiddleForTheEndOfTheLog() throws IOException {
    int third = thirdRecord();
    write(root.resolve(FIRST_LOG), third, new byte[sizeAt(root.resolve(FIRST_LOG), 0)]);

    Inspection inspection = inspect();

    assertThat(of(inspection, Area.COMMIT_LOG)).filteredOn(finding -> finding.severity() == Severity.DAMAGE).singleElement()
        .satisfies(finding -> {
          assertThat(finding.place()).isEqualTo(third);
          assertThat(finding.what()).startsWith("zeros instead of a record; the next sound record is at ");
        });
  }

  @Test
  void shouldTellOfGarbageBehindTheEndOfTheLog() throws IOException {
    Path log = lastUsedLog();
    int end = usedEnd(log);
    write(log, end + 100, new byte[] {7, 7, 7});

    assertThat(inspect().findings()).singleElement().satisfies(finding -> {
      assertThat(finding.file()).isEqualTo(root.relativize(log));
      assertThat(finding.place()).isEqualTo(end + 100);
      assertThat(finding.what()).isEqualTo("bytes that are no record behind the end of the log");
      assertThat(finding.recovery()).startsWith("ends the log at ");
    });
  }

  @Test
  void shouldTellOfALogFileOfAnotherSize() throws IOException {
    truncate(root.resolve(FIRST_LOG), 40_000);

    Inspection inspection = inspect();

    assertThat(of(inspection, Area.COMMIT_LOG)).anySatisfy(finding -> {
      assertThat(finding.file()).isEqualTo(Path.of(FIRST_LOG));
      assertThat(finding.what()).isEqualTo("has 40000 bytes, but mappedFileSizeCommitLog is 65536");
      assertThat(finding.recovery()).isEqualTo("refuses to start with this size");
    });
    assertThat(of(inspection, Area.CONSUME_QUEUES)).isNotEmpty();
  }

  @Test
  void shouldTellOfAMissingLogFile() throws IOException {
    Files.delete(root.resolve(SECOND_LOG));

    assertThat(of(inspect(), Area.COMMIT_LOG)).anySatisfy(finding -> {
      assertThat(finding.what()).isEqualTo("is not where the file before ends, at 65536");
      assertThat(finding.recovery()).startsWith("refuses to start");
    });
  }

  @Test
  void shouldTellOfAZeroedUnit() throws IOException {
    write(root.resolve(FIRST_UNITS), 7 * QueueUnit.SIZE, new byte[2 * QueueUnit.SIZE]);

    assertThat(inspect().findings()).singleElement().satisfies(finding -> {
      assertThat(finding.file()).isEqualTo(Path.of(FIRST_UNITS));
      assertThat(finding.place()).isEqualTo(7 * QueueUnit.SIZE);
      assertThat(finding.what()).isEqualTo("units 7 to 8 are not written, though the messages were");
    });
  }

  @Test
  void shouldTellOfUnitsThatDoNotFitTheirRecords() throws IOException {
    Path units = root.resolve(FIRST_UNITS);
    copyUnit(units, 3, 2);
    write(units, 5 * QueueUnit.SIZE, longBytes(12_345));
    write(units, 7 * QueueUnit.SIZE, longBytes(-9));
    write(units, 9 * QueueUnit.SIZE + QueueUnit.RECORD_SIZE, new byte[] {0, 0, 0, 100});
    write(units, 11 * QueueUnit.SIZE + QueueUnit.TAGS_CODE, longBytes(42));
    write(units, 13 * QueueUnit.SIZE, longBytes(Long.MAX_VALUE));
    write(units, 15 * QueueUnit.SIZE + QueueUnit.RECORD_SIZE, new byte[] {0x7f, -1, -1, -1});

    assertThat(inspect().findings()).extracting(Finding::what).satisfiesExactly(
        what -> assertThat(what).isEqualTo("unit 2 points to message 3 of orders/0"),
        what -> assertThat(what).isEqualTo("unit 5 points to 12345, where no sound record stands"),
        what -> assertThat(what).startsWith("unit 7 points to -9"),
        what -> assertThat(what).startsWith("unit 9 says its record has 100 bytes, it has "),
        what -> assertThat(what).startsWith("unit 11 has the tags code 42, its record "),
        what -> assertThat(what).startsWith("unit 13 points to 9223372036854775807"),
        what -> assertThat(what).startsWith("1 units stand for no message, but only 0"));
  }

  @Test
  void shouldTellOfQueueFilesThatAreMissingCutOrFolders() throws IOException {
    truncate(root.resolve(SECOND_UNITS), 1000);
    deleteTree(root.resolve("consumequeue/orders/1"));
    Files.createDirectories(root.resolve("consumequeue/orders/1/00000000000000000000"));

    List<Finding> findings = of(inspect(), Area.CONSUME_QUEUES);

    assertThat(findings).extracting(Finding::what).contains(
        "has 1000 bytes, but mappedFileSizeConsumeQueue is 2000",
        "is no file",
        "has no file, though the log has messages 0 to 299");
  }

  @Test
  void shouldTellOfAMissingQueue() throws IOException {
    deleteTree(root.resolve("consumequeue/orders/1"));

    assertThat(inspect().findings()).singleElement().satisfies(finding -> {
      assertThat(finding.file()).isEqualTo(Path.of("consumequeue/orders/1"));
      assertThat(finding.what()).isEqualTo("is missing");
      assertThat(finding.recovery()).isEqualTo("makes the queue again from the log");
    });
  }

  @Test
  void shouldTellOfADamagedIndex() throws IOException {
    Path index = onlyIndex(0);
    int at = IndexLayout.entry(options.indexSlots(), 5);
    write(index, at + IndexLayout.PHY_OFFSET, longBytes(77));
    write(index, IndexLayout.entry(options.indexSlots(), 9) + IndexLayout.PREVIOUS_ENTRY, new byte[] {0, 0, 1, 0x10});
    write(index, IndexLayout.slot(3), new byte[] {0x7f, 0, 0, 0});

    assertThat(inspect().findings()).extracting(Finding::what).satisfiesExactly(
        what -> assertThat(what).isEqualTo("entry 5 points to 77, where no sound record stands"),
        what -> assertThat(what).startsWith("entry 9 is linked to entry 272 instead of "),
        what -> assertThat(what).startsWith("slot 3 begins with entry 2130706432 instead of "));
  }

  @Test
  void shouldTellOfAnIndexFileOfAnotherSizeAndOfAnImpossibleHeader() throws IOException {
    truncate(onlyIndex(0), 100);
    write(onlyIndex(2), IndexLayout.NEXT_ENTRY, new byte[] {0x7f, -1, -1, -1});

    assertThat(of(inspect(), Area.KEY_INDEX)).extracting(Finding::what).satisfiesExactly(
        what -> assertThat(what).startsWith("has 100 bytes, with 64 slots and 512 entries"),
        what -> assertThat(what).isEqualTo("its header cannot be true"),
        what -> assertThat(what).matches("ends with the record at [0-9]+, but had the one at [0-9]+"));
  }

  @Test
  void shouldTellOfProgressFilesThatAreNoObjects() throws IOException {
    Path config = root.resolve("config");
    Files.writeString(config.resolve("topics.json"), "{\"a\":{0:1,},}");
    Files.writeString(config.resolve("consumerOffset.json"), "{\"offsetTable\":{");
    Files.writeString(config.resolve("consumerOffset.json.bak"), "{}");
    Files.write(config.resolve("subscriptionGroup.json"), new byte[0]);
    Files.write(config.resolve("subscriptionGroup.json.bak"), new byte[] {-1, -2, 0, 1});
    Files.createDirectory(config.resolve("delayOffset.json"));
    Files.writeString(config.resolve("messageRequestMode.json.bak"), "{}");

    List<Finding> findings = of(inspect(), Area.PROGRESS_FILES);

    assertThat(findings).extracting(finding -> finding.file().getFileName() + " " + finding.recovery()).containsExactly(
        "consumerOffset.json goes on with consumerOffset.json.bak",
        "delayOffset.json has no generation before it to go on with",
        "messageRequestMode.json goes on with messageRequestMode.json.bak",
        "subscriptionGroup.json cannot read subscriptionGroup.json.bak either",
        "subscriptionGroup.json.bak does not need it while subscriptionGroup.json can be read");
  }

  @Test
  void shouldTellOfACheckpointThatCannotBeTrue() throws IOException {
    byte[] file = Files.readAllBytes(options.checkpointFile());
    CheckpointLayout.encode(new CheckpointLayout.Checkpoint(1, 2, 3, 1L << 40), file);
    Files.write(options.checkpointFile(), file);

    assertThat(inspect().findings()).singleElement().satisfies(finding -> {
      assertThat(finding.file()).isEqualTo(Path.of("checkpoint"));
      assertThat(finding.what()).startsWith("covers the log up to 1099511627776, but it ends at ");
    });
  }

  @Test
  void shouldNeverFailOrLoopOnAnyFileReplaced() throws IOException {
    List<Path> files = files();
    Random random = new Random(7);
    for (Path file : files) {
      byte[] original = Files.readAllBytes(file);
      byte[] garbage = new byte[original.length];
      random.nextBytes(garbage);
      Files.write(file, garbage);
      inspect();
      Files.write(file, Arrays.copyOf(original, original.length / 3));
      inspect();
      Files.delete(file);
      inspect();
      Files.createDirectory(file);
      inspect();
      Files.delete(file);
      Files.write(file, original);
    }

    assertThat(inspect().findings()).isEmpty();
  }

  private Inspection inspect() throws IOException {
    return new StoreInspector(options, (area, done, total) -> assertThat(done).isBetween(0L, total)).inspect();
  }

  private static Inspection.Row row(Inspection inspection, Area area) {
    return inspection.rows().get(area.ordinal());
  }

  private static List<Finding> of(Inspection inspection, Area area) {
    return inspection.findings().stream().filter(finding -> finding.area() == area).toList();
  }

  private int thirdRecord() throws IOException {
    int first = sizeAt(root.resolve(FIRST_LOG), 0);
    return first + sizeAt(root.resolve(FIRST_LOG), first);
  }

  private Path onlyIndex(int number) throws IOException {
    try (Stream<Path> found = Files.list(root.resolve("index"))) {
      return found.sorted().toList().get(number);
    }
  }

  private Path lastUsedLog() throws IOException {
    try (Stream<Path> found = Files.list(root.resolve("commitlog"))) {
      return found.sorted(Comparator.reverseOrder()).filter(path -> usedEnd(path) > 0).findFirst().orElseThrow();
    }
  }

  private static int usedEnd(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] == 0) {
        end--;
      }
      return end;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static int sizeAt(Path file, int at) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).getInt(at);
  }

  private static void flip(Path file, int at) throws IOException {
    write(file, at, new byte[] {(byte) (Files.readAllBytes(file)[at] ^ 4)});
  }

  private static void write(Path file, int at, byte[] bytes) throws IOException {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.seek(at);
      opened.write(bytes);
    }
  }

  private static void truncate(Path file, int length) throws IOException {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.setLength(length);
    }
  }

  private static void copyUnit(Path file, int from, int to) throws IOException {
    byte[] unit = Arrays.copyOfRange(Files.readAllBytes(file), from * QueueUnit.SIZE, (from + 1) * QueueUnit.SIZE);
    write(file, to * QueueUnit.SIZE, unit);
  }

  private static byte[] longBytes(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> found = Files.walk(root)) {
      return found.filter(Files::isRegularFile).toList();
    }
  }

  private Map<String, Long> contents() throws IOException {
    Map<String, Long> contents = new TreeMap<>();
    for (Path file : files()) {
      CRC32 crc = new CRC32();
      crc.update(Files.readAllBytes(file));
      contents.put(root.relativize(file) + " " + Files.getLastModifiedTime(file), crc.getValue());
    }
    return contents;
  }

  private static void deleteTree(Path path) throws IOException {
    try (Stream<Path> found = Files.walk(path)) {
      for (Path file : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
