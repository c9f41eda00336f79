package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.store.QueueUnit;
import io.metaq.store.StoreFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpCommandTest {
  private static final String FIRST_LOG = "commitlog/00000000000000000000";
  private static final String SECOND_LOG = "commitlog/00000000000000065536";
  private static final String THIRD_LOG = "commitlog/00000000000000131072";
  private static final String SECOND_UNITS = "consumequeue/orders/0/00000000000000002000";

  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir
  Path root;

  @BeforeEach
  void writeAndCapture() {
    StoreFixture.writeClosed(root);
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setOut(realOut);
    System.setErr(realErr);
  }

  @Test
  void shouldPrintEveryRecordOfTheLogInOrder() {
    assertThat(dump()).isZero();

    assertThat(lines()).hasSize(StoreFixture.MESSAGES);
    assertThat(lines().get(0)).startsWith("phyOffset=0 size=")
        .contains(" topic=orders queueId=0 queueOffset=0 stored=2023-11-14T22:13:20Z ")
        .contains("TAGS=tag0").contains("KEYS=key0").contains(" body=message 0 xxx");
    assertThat(lines().get(599)).contains(" body=message 599 xxx");
    assertThat(err.size()).isZero();
  }

  @Test
  void shouldPrintOneJsonObjectForEachRecord() throws IOException {
    dump("--json", "--count", "2");

    assertThat(lines()).hasSize(2);
    assertThat(json(lines().get(1))).containsEntry("queueId", "1").containsEntry("queueOffset", "0").containsEntry("KEYS", "key1")
        .containsEntry("storeTimestampMs", Long.toString(StoreFixture.FIRST_STORED_MS + 1000))
        .hasEntrySatisfying("body", body -> assertThat(body).startsWith("message 1 "));
  }

  @Test
  void shouldBeginAtTheFirstRecordFromAnOffsetOn() {
    dump("--from", "70000", "--count", "1");

    String first = lines().get(0);
    assertThat(Long.parseLong(first.substring("phyOffset=".length(), first.indexOf(' ')))).isBetween(70_000L, 70_400L);
  }

  @Test
  void shouldBeginAtATime() {
    dump("--from", Instant.ofEpochMilli(StoreFixture.FIRST_STORED_MS + 400_000 - 1).toString(), "--count", "1");

    assertThat(lines()).singleElement().satisfies(line -> assertThat(line).contains(" body=message 400 "));
  }

  @Test
  void shouldPrintOneFileOfTheLog() {
    dump(SECOND_LOG);

    assertThat(lines().get(0)).startsWith("phyOffset=65536 ");
    assertThat(lines()).hasSizeBetween(100, 400);
  }

  @Test
  void shouldPrintTheUnitsOfAQueueFile() throws IOException {
    dump(SECOND_UNITS, "--from", "150", "--count", "2");
    dump(root.resolve(SECOND_UNITS).toString(), "--json", "--from", "2023-11-14T22:18:20Z", "--count", "1");

    assertThat(lines().get(0)).startsWith("queueOffset=150 topic=orders queueId=0 phyOffset=")
        .contains(" stored=2023-11-14T22:18:20Z");
    assertThat(lines().get(1)).startsWith("queueOffset=151 ");
    assertThat(json(lines().get(2))).containsEntry("queueOffset", "150");
  }

  @Test
  void shouldTellOfDamageGoOnBehindItAndEndWithStatus1() throws IOException {
    Path log = root.resolve(FIRST_LOG);
    byte[] bytes = Files.readAllBytes(log);
    int size = ByteBuffer.wrap(bytes).getInt(0);
    bytes[95] ^= 1;
    bytes[size + 4] ^= 1;
    Files.write(log, bytes);

    assertThat(dump()).isEqualTo(1);

    assertThat(lines()).hasSize(StoreFixture.MESSAGES - 2);
    assertThat(err.toString(StandardCharsets.UTF_8).lines()).containsExactly(
        "damage: " + log + " at 0: the checksum of its body is wrong",
        "damage: " + log + " at " + size + ": no record begins here");
  }

  @Test
  void shouldTellOfALogFileThatIsMissing() throws IOException {
    Files.delete(root.resolve(SECOND_LOG));

    assertThat(dump()).isEqualTo(1);

    assertThat(lines()).hasSizeBetween(200, StoreFixture.MESSAGES - 100);
    assertThat(complaints()).containsExactly(
        "damage: " + root.resolve(THIRD_LOG) + " at 0: the file begins at 131072, but the one before ends at 65536");
  }

  @Test
  void shouldTellOfALogFileThatIsCutShort() throws IOException {
    cut(SECOND_LOG, recordSize(SECOND_LOG));

    assertThat(dump()).isEqualTo(1);

    assertThat(complaints()).containsExactly("damage: " + root.resolve(THIRD_LOG)
        + " at 0: the file begins at 131072, but the one before ends at " + (65_536 + recordSize(SECOND_LOG)));
  }

  @Test
  void shouldTellOfALastLogFileThatIsShorterThanTheOthers() throws IOException {
    Path last = lastLog();
    int size = recordSize(root.relativize(last).toString());
    cut(root.relativize(last).toString(), size);

    assertThat(dump()).isEqualTo(1);

    assertThat(complaints()).containsExactly(
        "damage: " + last + " at " + size + ": the file has " + size + " bytes, but the one before 65536");
  }

  @Test
  void shouldTellOfALogFileWhoseEndIsZero() throws IOException {
    int size = recordSize(SECOND_LOG);
    overwrite(SECOND_LOG, size, new byte[65_536 - size]);

    assertThat(dump()).isEqualTo(1);

    assertThat(complaints()).containsExactly("damage: " + root.resolve(SECOND_LOG) + " at " + size
        + ": the file ends here without its end marker, but there are later files");
  }

  @Test
  void shouldTellOfAnEndMarkerInTheMiddleOfALogFile() throws IOException {
    int size = recordSize(SECOND_LOG);
    overwrite(SECOND_LOG, size, ByteBuffer.allocate(8).putInt(8).putInt(RecordLayout.MAGIC_BLANK).array());

    assertThat(dump()).isEqualTo(1);

    assertThat(complaints()).containsExactly("damage: " + root.resolve(SECOND_LOG) + " at " + size
        + ": the end marker says 8 bytes are left, there are " + (65_536 - size));
  }

  @Test
  void shouldTellOfAQueueFileThatIsCutInTheMiddleOfAUnit() throws IOException {
    cut(SECOND_UNITS, 30);

    assertThat(dump(SECOND_UNITS)).isEqualTo(1);

    assertThat(lines()).singleElement().satisfies(line -> assertThat(line).startsWith("queueOffset=100 "));
    assertThat(complaints()).containsExactly(
        "damage: " + root.resolve(SECOND_UNITS) + " at 20: the file ends in the middle of a unit",
        "damage: " + root.resolve(SECOND_UNITS) + " at 30: the file ends at 2030, but the next one begins at 4000");
  }

  @Test
  void shouldTellOfUnitsThatPointToNoRecordOfTheirQueue() throws IOException {
    byte[] nonsense = new byte[QueueUnit.SIZE];
    Arrays.fill(nonsense, (byte) 0x7f);
    byte[] neighbour = Arrays.copyOfRange(Files.readAllBytes(root.resolve(SECOND_UNITS)), 0, QueueUnit.SIZE);
    overwrite(SECOND_UNITS, 20, nonsense);
    overwrite(SECOND_UNITS, 40, neighbour);

    assertThat(dump(SECOND_UNITS)).isEqualTo(1);

    assertThat(lines()).hasSize(98).noneMatch(line -> line.contains("queueOffset=101 ") || line.contains("queueOffset=102 "));
    assertThat(complaints()).containsExactly(
        "damage: " + root.resolve(SECOND_UNITS) + " at 20: unit 101 points to 9187201950435737471, where no sound record stands",
        "damage: " + root.resolve(SECOND_UNITS) + " at 40: unit 102 points to message 100 of orders/0");
  }

  @Test
  void shouldTellOfUnitsThatAreNotWrittenThoughLaterOnesAre() throws IOException {
    overwrite(SECOND_UNITS, 60, new byte[2 * QueueUnit.SIZE]);
    overwrite(SECOND_UNITS, 1980, new byte[QueueUnit.SIZE]);

    assertThat(dump(SECOND_UNITS)).isEqualTo(1);

    assertThat(lines()).hasSize(97);
    assertThat(complaints()).containsExactly(
        "damage: " + root.resolve(SECOND_UNITS) + " at 60: units 103 to 104 are not written, though later ones are",
        "damage: " + root.resolve(SECOND_UNITS) + " at 1980: unit 199 is not written, though later ones are");
  }

  @Test
  void shouldNotHoldAgainstAQueueThatItsOldestRecordsAreGoneOrThatItIsNotFullYet() throws IOException {
    String lastUnits = "consumequeue/orders/0/00000000000000004000";
    overwrite(lastUnits, 1900, new byte[5 * QueueUnit.SIZE]);
    Files.delete(root.resolve(FIRST_LOG));

    assertThat(dump("consumequeue/orders/0/00000000000000000000")).isZero();
    assertThat(dump(lastUnits)).isZero();

    assertThat(lines()).hasSize(195);
    assertThat(lines().get(0)).startsWith("queueOffset=0 ").endsWith(" stored=unknown");
    assertThat(complaints()).isEmpty();
  }

  @Test
  void shouldEndWithStatus2OnWrongUsage() {
    assertThat(dump("no/such/file")).isEqualTo(2);
    assertThat(dump("checkpoint")).isEqualTo(2);
    assertThat(dump("--from", "yesterday")).isEqualTo(2);
    assertThat(dump("--count", "0")).isEqualTo(2);

    assertThat(err.toString(StandardCharsets.UTF_8)).contains("there is no file").contains("is no file of the commit log")
        .contains("'yesterday' is not an offset or a time").contains("--count must be at least 1");
    assertThat(lines()).isEmpty();
  }

  /** It ended in a NullPointerException; tests must not put a file there. */
  @Test
  void shouldTakeNoFileDirectlyUnderTheRootForOneOfALog() {
    assertThat(DumpCommand.isLogFile(Path.of("/00000000000000000000"))).isFalse();
    assertThat(DumpCommand.isLogFile(Path.of("/commitlog/00000000000000000000"))).isTrue();
  }

  @Test
  void shouldEndWithStatus1WhereStandardOutputTakesNoMore() {
    System.setOut(FullDisk.withRoomFor(1));

    assertThat(dump()).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("metaq: " + StandardOutput.LOST + System.lineSeparator());
  }

  @Test
  void shouldGiveABodyThatIsNoTextInBase64() throws IOException {
    StoredMessage message = new StoredMessage(
        100, "t", 0, 0, 0, 0, 0, 0, new byte[8], 0, new byte[8], 0, 0, 0, new byte[] {-1, 0}, Map.of("a", "b\u001b"));

    assertThat(DumpText.line(message)).endsWith(" properties={a=b\\u001b} bodyBase64=/wA=");
    assertThat(json(DumpText.json(message))).containsEntry("bodyBase64", "/wA=").doesNotContainKey("body");
  }

  private int dump(String... more) {
    List<String> arguments = new ArrayList<>(List.of("dump", "--data", root.toString()));
    arguments.addAll(List.of(more));
    return Main.run(arguments.toArray(String[]::new));
  }

  private List<String> complaints() {
    return err.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private int recordSize(String log) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(root.resolve(log))).getInt(0);
  }

  /** The last file of the log that holds records. */
  private Path lastLog() throws IOException {
    Path last = root.resolve(FIRST_LOG);
    try (Stream<Path> files = Files.list(last.getParent())) {
      for (Path file : files.sorted().toList()) {
        if (recordSize(root.relativize(file).toString()) > 0) {
          last = file;
        } else {
          Files.delete(file);
        }
      }
    }
    return last;
  }

  private void cut(String file, int length) throws IOException {
    Files.write(root.resolve(file), Arrays.copyOf(Files.readAllBytes(root.resolve(file)), length));
  }

  private void overwrite(String file, int at, byte[] with) throws IOException {
    byte[] bytes = Files.readAllBytes(root.resolve(file));
    System.arraycopy(with, 0, bytes, at, with.length);
    Files.write(root.resolve(file), bytes);
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** All fields of an object and of those in it. */
  private static Map<String, String> json(String line) throws IOException {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = new JsonFactory().createParser(line)) {
      while (json.nextToken() != null) {
        if (json.currentToken().isScalarValue() && json.currentToken() != JsonToken.FIELD_NAME) {
          fields.put(json.currentName(), json.getText());
        }
      }
    }
    return fields;
  }
}
