package io.metaq.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Data folders in a state that a crash, a disk or a hand left behind. */
@Execution(ExecutionMode.CONCURRENT)
class DamagedStoreIT {

  private static final int COMMIT_OFFSET = 15;
  private static final int SYSTEM_ERROR = 1;
  private static final int MESSAGES = 500;
  private static final int LOG_FILE_BYTES = 128 * 1024;
  private static final int INDEX_SLOTS = 1_000;
  private static final String FIRST_FILE = "0".repeat(20);

  @TempDir
  private Path data;
  private final String topic = Queues.freshName("damaged");
  private BrokerProcess broker;

  @BeforeEach
  void storeMessages() throws Exception {
    broker = BrokerProcess.standalone(data).key("mappedFileSizeCommitLog", LOG_FILE_BYTES)
        .key("maxHashSlotNum", INDEX_SLOTS).key("maxIndexNum", 4 * INDEX_SLOTS).start();
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      for (int i = 0; i < MESSAGES; i++) {
        RawFrame answer = client.call(Requests.send(topic, i % 2, ("m" + i + "-".repeat(i)).getBytes(UTF_8), "KEYS\u0001k" + i + "\u0002"));
        assertThat(answer.code()).isZero();
      }
      readBoth(client);
    }
  }

  @AfterEach
  void close() throws Exception {
    broker.close();
  }

  @Test
  void shouldCutATornLastRecordAndGoOnAtItsOffset() throws Exception {
    long lastPhyOffset;
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      lastPhyOffset = Queues.readFirst(client, topic, 1, MESSAGES / 2).get(MESSAGES / 2 - 1).phyOffset();
    }
    broker.kill();
    flipByte(logFileOf(lastPhyOffset), lastPhyOffset % (LOG_FILE_BYTES) + 90);

    broker.startAgain();

    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      assertThat(Queues.readFirst(client, topic, 0, MESSAGES / 2)).hasSize(MESSAGES / 2);
      RawFrame next = client.call(Requests.send(topic, 1, "next"));
      assertThat(next.number("queueOffset")).isEqualTo(MESSAGES / 2 - 1);
      assertThat(Queues.readFirst(client, topic, 1, MESSAGES / 2).get(MESSAGES / 2 - 1).text()).isEqualTo("next");
    }
  }

  @Test
  void shouldCutARecordOfWhichOnlyTheStartIsThere() throws Exception {
    long lastPhyOffset;
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      lastPhyOffset = Queues.readFirst(client, topic, 1, MESSAGES / 2).get(MESSAGES / 2 - 1).phyOffset();
    }
    broker.kill();
    try (RandomAccessFile file = new RandomAccessFile(logFileOf(lastPhyOffset).toFile(), "rw")) {
      long length = file.length();
      file.setLength(lastPhyOffset % (LOG_FILE_BYTES) + 60);
      file.setLength(length);
    }

    broker.startAgain();

    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      assertThat(client.call(Requests.send(topic, 1, "next")).number("queueOffset")).isEqualTo(MESSAGES / 2 - 1);
    }
  }

  @Test
  void shouldRebuildDeletedConsumeQueuesAfterACrash() throws Exception {
    Path noted = data.resolve("config").resolve("queueEnds.json");
    Await.until("the store has noted what is in the queues", Duration.ofSeconds(60),
        () -> Files.exists(noted) && Files.readString(noted).contains(topic));
    broker.kill();
    deleteFolder(data.resolve("consumequeue"));

    broker.startAgain();

    assertAllThere();
    assertThat(broker.standardError()).containsIgnoringCase("WARN");
  }

  @Test
  void shouldRebuildAConsumeQueueFileThatWasDeletedAfterACleanStop() throws Exception {
    assertThat(broker.stop()).isZero();
    Files.delete(data.resolve("consumequeue").resolve(topic).resolve("1").resolve(FIRST_FILE));

    broker.startAgain();

    assertAllThere();
    assertThat(broker.standardError()).containsIgnoringCase("WARN");
  }

  @Test
  void shouldRebuildAConsumeQueueFileThatWasCutShort() throws Exception {
    assertThat(broker.stop()).isZero();
    Path file = data.resolve("consumequeue").resolve(topic).resolve("0").resolve(FIRST_FILE);
    try (RandomAccessFile queue = new RandomAccessFile(file.toFile(), "rw")) {
      queue.setLength(35);
    }

    broker.startAgain();

    assertAllThere();
  }

  @Test
  void shouldServeKeysAgainWhenTheIndexWasDeleted() throws Exception {
    broker.kill();
    deleteFolder(data.resolve("index"));

    broker.startAgain();

    assertAllThere();
  }

  @Test
  void shouldStartWithoutACheckpoint() throws Exception {
    broker.kill();
    Files.deleteIfExists(data.resolve("checkpoint"));

    broker.startAgain();

    assertAllThere();
  }

  @Test
  void shouldLeaveUnknownFilesAloneWithAWarning() throws Exception {
    Path queue = data.resolve("consumequeue").resolve(topic).resolve("0");
    Await.until("the queue is in its file", Duration.ofSeconds(60), () -> Files.exists(queue.resolve(FIRST_FILE)));
    broker.kill();
    List<Path> strangers =
        List.of(data.resolve("commitlog").resolve("notes.txt"), data.resolve("stranger"), queue.resolve("copy of " + FIRST_FILE));
    for (Path stranger : strangers) {
      Files.writeString(stranger, "not ours");
    }

    broker.startAgain();

    assertAllThere();
    assertThat(strangers).allSatisfy(stranger -> assertThat(stranger).hasContent("not ours"));
    assertThat(broker.standardError()).contains("notes.txt");
  }

  @Test
  void shouldKeepTopicsAndGroupOffsetsOverAKill() throws Exception {
    commitOffset(123);
    assertThat(broker.stop()).isZero();
    broker.startAgain();
    broker.kill();

    broker.startAgain();

    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      assertThat(client.call(Requests.committedOffset("kept", topic, 1)).number("offset")).isEqualTo(123);
    }
  }

  @Test
  void shouldGoOnWithoutAllThatIsDerivedOrKeptTwiceAndSaySo() throws Exception {
    commitOffset(123);
    assertThat(broker.stop()).isZero();
    broker.startAgain();
    commitOffset(200);
    assertThat(broker.stop()).isZero();
    Path queue = data.resolve("consumequeue").resolve(topic).resolve("0").resolve(FIRST_FILE);
    Path index = onlyFileIn(data.resolve("index"));
    Path note = data.resolve("config").resolve("queueEnds.json");
    Path offsets = data.resolve("config").resolve("consumerOffset.json");
    Path checkpoint = data.resolve("checkpoint");
    for (Path garbled : List.of(queue, note, offsets)) {
      byte[] bytes = new byte[(int) Files.size(garbled)];
      new Random(7).nextBytes(bytes);
      Files.write(garbled, bytes);
    }
    Files.delete(index);
    Files.writeString(Files.createDirectory(index).resolve("inside"), "kept");
    Files.delete(checkpoint);
    Files.createSymbolicLink(checkpoint, Path.of("/nowhere/at/all"));

    broker.startAgain();

    assertAllThere();
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      assertThat(client.call(Requests.committedOffset("kept", topic, 1)).number("offset")).isEqualTo(123);
    }
    assertThat(broker.standardError().lines().filter(line -> line.contains(" WARN ") || line.contains(" ERROR ")))
        .anyMatch(line -> line.contains("consumequeue/" + topic + "/0"))
        .anyMatch(line -> line.contains("index/" + index.getFileName()))
        .anyMatch(line -> line.contains("config/queueEnds.json"))
        .anyMatch(line -> line.contains("consumerOffset.json"))
        .anyMatch(line -> line.contains("checkpoint"));
    assertThat(data.resolve("damaged").resolve("index").resolve(index.getFileName()).resolve("inside")).hasContent("kept");
    assertThat(data.resolve("damaged").resolve("consumequeue").resolve(topic).resolve("0").resolve(FIRST_FILE)).exists();
    assertThat(data.resolve("damaged").resolve("checkpoint")).isSymbolicLink();
  }

  @Test
  void shouldServeWhatLiesBehindADamagedFileOfTheLog() throws Exception {
    int behind;
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      behind = (int) Queues.readFirst(client, topic, 0, MESSAGES / 2).stream()
          .filter(record -> record.phyOffset() < LOG_FILE_BYTES).count();
    }
    assertThat(broker.stop()).isZero();
    Path damaged = logFileOf(0);
    byte[] bytes = new byte[LOG_FILE_BYTES];
    new Random(7).nextBytes(bytes);
    Files.write(damaged, bytes);

    broker.startAgain();

    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      RawFrame hole = client.call(Requests.pull(topic, 0, behind - 1, 32, 0));
      RawFrame whole = client.call(Requests.pull(topic, 0, behind, 1, 0));

      assertThat(broker.standardError()).contains(damaged + " is damaged");
      assertThat(hole.code()).isEqualTo(SYSTEM_ERROR);
      assertThat(hole.remark()).contains("message " + (behind - 1) + " of queue " + topic + "/0 cannot be read");
      assertThat(StoredRecord.readAll(whole.body())).extracting(StoredRecord::text)
          .containsExactly("m" + 2 * behind + "-".repeat(2 * behind));
    }
    assertThat(damaged).hasBinaryContent(bytes);
  }

  @Test
  void shouldTellAClientThatAsksBelowTheSmallestOffset() throws Exception {
    assertThat(broker.stop()).isZero();
    Files.delete(data.resolve("commitlog").resolve(FIRST_FILE));

    broker.startAgain();

    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      RawFrame answer = client.call(Requests.pull(topic, 0, 0, 32, 0));
      long smallest = answer.number("minOffset");
      RawFrame next = client.call(Requests.pull(topic, 0, smallest, 32, 0));

      assertThat(answer.code()).isEqualTo(21);
      assertThat(smallest).isBetween(1L, MESSAGES / 2L - 1);
      assertThat(answer.number("nextBeginOffset")).isEqualTo(smallest);
      assertThat(next.code()).isZero();
      assertThat(StoredRecord.readAll(next.body()).get(0).queueOffset()).isEqualTo(smallest);
    }
  }

  private void commitOffset(long offset) throws IOException {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      client.call(RawFrame.request(COMMIT_OFFSET).ext("consumerGroup", "kept").ext("topic", topic).ext("queueId", 1)
          .ext("commitOffset", offset));
      assertThat(client.call(Requests.committedOffset("kept", topic, 1)).number("offset")).isEqualTo(offset);
    }
  }

  private static Path onlyFileIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }

  private void assertAllThere() throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      readBoth(client);
      assertThat(client.call(Requests.send(topic, 0, "next")).number("queueOffset")).isEqualTo(MESSAGES / 2);
      assertThat(client.call(Requests.byKey(topic, "k77")).code()).isZero();
    }
  }

  private void readBoth(RawClient client) throws IOException {
    for (int queueId = 0; queueId < 2; queueId++) {
      int first = queueId;
      assertThat(Queues.readFirst(client, topic, queueId, MESSAGES / 2)).extracting(StoredRecord::text)
          .containsExactlyElementsOf(IntStream.range(0, MESSAGES / 2).map(i -> 2 * i + first).mapToObj(i -> "m" + i + "-".repeat(i)).toList());
    }
  }

  private Path logFileOf(long phyOffset) {
    return data.resolve("commitlog").resolve(String.format("%020d", phyOffset / (LOG_FILE_BYTES) * (LOG_FILE_BYTES)));
  }

  private static void flipByte(Path path, long position) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(position);
      int value = file.read();
      file.seek(position);
      file.write(~value);
    }
  }

  private static void deleteFolder(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
