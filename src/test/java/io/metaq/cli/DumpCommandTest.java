package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.metaq.codec.record.StoredMessage;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpCommandTest {
  private static final String FIRST_LOG = "commitlog/00000000000000000000";
  private static final String SECOND_LOG = "commitlog/00000000000000065536";
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
