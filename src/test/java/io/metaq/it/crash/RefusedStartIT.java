package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.BrokerProcess;
import io.metaq.it.BrokerProcess.Refusal;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts that cannot succeed: one plain sentence on standard error, a status that is not 0, and nothing damaged. */
@Execution(ExecutionMode.CONCURRENT)
class RefusedStartIT {

  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;
  private static final int LOG_FILE_BYTES = 64 * 1024;
  private static final String SECOND_LOG_FILE = "00000000000000065536";
  private static final List<String> AS_NOBODY = List.of("setpriv", "--reuid=nobody", "--clear-groups", "true");

  /** Does something to a file of a store. */
  private interface Damage {
    void to(Path file) throws IOException;
  }

  @TempDir
  private Path folder;

  @Test
  void shouldRefuseADataFolderThatAnotherProcessUses() throws Exception {
    String topic = Queues.freshName("locked");
    try (BrokerProcess first = BrokerProcess.standalone(folder).start(); RawClient client = RawClient.connect(first.brokerPort())) {
      client.call(Requests.send(topic, 0, "before"));

      Refusal refusal = BrokerProcess.standalone(folder).startRefused();

      assertRefusedInOneSentence(refusal, FAILED, folder.toString());
      assertThat(client.call(Requests.send(topic, 0, "after")).code()).isZero();
      first.kill();
      first.startAgain();
      try (RawClient again = RawClient.connect(first.brokerPort())) {
        assertThat(Queues.readFirst(again, topic, 0, 2)).extracting(StoredRecord::text).containsExactly("before", "after");
      }
    }
  }

  @Test
  void shouldRefuseADataFolderThatIsAFile() throws Exception {
    Path file = Files.writeString(folder.resolve("a-file"), "mine");

    Refusal refusal = BrokerProcess.standalone(file).startRefused();

    assertRefusedInOneSentence(refusal, FAILED, file.toString());
    assertThat(file).hasContent("mine");
  }

  @Test
  void shouldRefuseADataFolderThatIsReadOnly() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(32)) {
      disk.makeReadOnly();

      Refusal refusal = BrokerProcess.standalone(disk.folder()).startRefused();

      assertRefusedInOneSentence(refusal, FAILED, disk.folder().toString());
    }
  }

  @Test
  void shouldRefuseADataFolderOnAFullDisk() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(4)) {
      disk.fill();

      Refusal refusal = BrokerProcess.standalone(disk.folder()).startRefused();

      assertRefusedInOneSentence(refusal, FAILED, disk.folder().toString());
    }
  }

  @Test
  void shouldRefuseALogOfAnotherFileSizeAndLeaveItAsItIs() throws Exception {
    String topic = Queues.freshName("sized");
    try (BrokerProcess broker = BrokerProcess.standalone(folder).key("mappedFileSizeCommitLog", 1 << 20).start()) {
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        client.call(Requests.send(topic, 0, "kept"));
      }
      assertThat(broker.stop()).isZero();

      Refusal refusal = BrokerProcess.standalone(folder).key("mappedFileSizeCommitLog", 2 << 20).startRefused();
      broker.startAgain();

      assertRefusedInOneSentence(refusal, FAILED, "mappedFileSizeCommitLog");
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        assertThat(Queues.readFirst(client, topic, 0, 1)).extracting(StoredRecord::text).containsExactly("kept");
      }
    }
  }

  /** What there is but once and cannot be done without; each on a copy of one store. */
  @Test
  void shouldRefuseAStoreThatLacksWhatNobodyCanMakeAgainAndLeaveItAsItIs() throws Exception {
    Path whole = writeStore();
    Map<String, Damage> damages = new LinkedHashMap<>();
    damages.put("commitlog/" + SECOND_LOG_FILE, Files::delete);
    damages.put("commitlog/00000000000000000000", file -> {
      Files.delete(file);
      Files.createDirectory(file);
    });
    damages.put("config/topics.json", file -> {
      Files.deleteIfExists(file.resolveSibling("topics.json.bak"));
      Files.writeString(file, "{\"topicConfigTable\":");
    });
    for (Map.Entry<String, Damage> damage : damages.entrySet()) {
      Path data = copy(whole, folder.resolve("copy of " + damage.getKey().replace('/', ' ')));
      damage.getValue().to(data.resolve(damage.getKey()));
      List<String> before = names(data);

      Refusal refusal = smallFiles(data).startRefused();

      assertRefusedInOneSentence(refusal, FAILED, data.resolve(damage.getKey()).toString());
      assertThat(names(data)).containsAll(before).doesNotContain("damaged");
    }
  }

  @Test
  void shouldRefuseAFileThatItMayNotWrite() throws Exception {
    assumeTrue(new ProcessBuilder(AS_NOBODY).start().waitFor() == 0, "to become nobody needs root and setpriv");
    Path data = writeStore();
    own(folder);
    for (String file : List.of("commitlog/" + SECOND_LOG_FILE, "consumequeue/kept/0/00000000000000000000")) {
      assertThat(data.resolve(file).toFile().setWritable(false, false)).isTrue();

      Refusal refusal = smallFiles(data).under(AS_NOBODY.subList(0, AS_NOBODY.size() - 1).toArray(String[]::new)).startRefused();

      assertRefusedInOneSentence(refusal, FAILED, data.resolve(file).toString());
      assertThat(data.resolve(file).toFile().setWritable(true, true)).isTrue();
    }
  }

  private static BrokerProcess.Launch smallFiles(Path data) {
    return BrokerProcess.standalone(data).key("mappedFileSizeCommitLog", LOG_FILE_BYTES).key("maxHashSlotNum", 1_000)
        .key("maxIndexNum", 4_000);
  }

  /** A store of a few log files, closed in order. */
  private Path writeStore() throws Exception {
    Path data = folder.resolve("whole");
    try (BrokerProcess broker = smallFiles(data).start()) {
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        for (int i = 0; i < 20; i++) {
          assertThat(client.call(Requests.send("kept", 0, "x".repeat(10_000))).code()).isZero();
        }
      }
      assertThat(broker.stop()).isZero();
    }
    return data;
  }

  private static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }

  private static List<String> names(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files.map(file -> data.relativize(file).toString()).sorted().toList();
    }
  }

  private static void own(Path folder) throws IOException {
    UserPrincipal nobody = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        Files.setOwner(file, nobody);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"--port, listenPort", "--namesrv-port, namesrvListenPort"})
  void shouldRefuseAPortThatIsTaken(String option, String key) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
      Refusal refusal = BrokerProcess.standalone(folder.resolve("data"))
          .argument(option, Integer.toString(taken.getLocalPort())).startRefused();

      assertRefusedInOneSentence(refusal, FAILED, Integer.toString(taken.getLocalPort()));
      assertThat(lastLine(refusal)).containsAnyOf(option, key);
    }
  }

  @ParameterizedTest
  @CsvSource({
      "flushDiskType, SOMETIMES", "mappedFileSizeCommitLog, a lot", "mappedFileSizeCommitLog, -1", "mappedFileSizeCommitLog, 100",
      "maxMessageSize, 0", "registerNameServerPeriod, often", "messageDelayLevel, 1s 5x", "messageDelayLevel, soon", "eventLoops, 0",
      "autoCreateTopicEnable, perhaps", "brokerRole, KING", "aclEnable, true", "authenticationEnabled, true",
      "storeType, defaultRocksDB", "enableControllerMode, true", "enableDLegerCommitLog, true"
  })
  void shouldRefuseAWrongValueByTheNameOfItsKey(String key, String value) throws Exception {
    Path data = folder.resolve("data");

    Refusal refusal = BrokerProcess.standalone(data).key(key, value).startRefused();

    assertThat(refusal.exitCode()).isIn(FAILED, WRONG_USAGE);
    assertRefusedInOneSentence(refusal, refusal.exitCode(), key);
    assertThat(data.resolve("commitlog")).doesNotExist();
  }

  @Test
  void shouldRefuseAConfigurationFileThatIsNotThere() throws Exception {
    Refusal refusal = BrokerProcess.standalone(folder.resolve("data")).argument("-c", folder.resolve("no.conf").toString()).startRefused();

    assertThat(refusal.exitCode()).isIn(FAILED, WRONG_USAGE);
    assertRefusedInOneSentence(refusal, refusal.exitCode(), "no.conf");
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999", "-1", "first"})
  void shouldRefuseAPortThatIsNone(String port) throws Exception {
    Refusal refusal = BrokerProcess.standalone(folder.resolve("data")).argument("--port", port).startRefused();

    assertThat(refusal.exitCode()).isIn(FAILED, WRONG_USAGE);
    assertThat(refusal.standardError()).containsAnyOf("--port", "listenPort");
  }

  @Test
  void shouldRefuseAnUnknownOptionAsWrongUsage() throws Exception {
    Refusal refusal = BrokerProcess.standalone(folder.resolve("data")).argument("--prot", "1").startRefused();

    assertThat(refusal.exitCode()).isEqualTo(WRONG_USAGE);
    assertThat(refusal.standardError()).contains("--prot");
  }

  @Test
  void shouldWarnOfAnUnknownKeyAndStart() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(folder).key("flushDiskTyp", "SYNC_FLUSH").start()) {
      assertThat(broker.standardError()).contains("flushDiskTyp").contains("flushDiskType");
    }
  }

  private static void assertRefusedInOneSentence(Refusal refusal, int exitCode, String named) {
    assertThat(refusal.exitCode()).as(refusal.standardError()).isEqualTo(exitCode);
    assertThat(refusal.standardOutput()).doesNotContain("MetaQ ready");
    assertThat(lastLine(refusal)).contains(named).hasSizeLessThan(500);
    assertThat(refusal.standardError().lines()).as("no stack trace").noneMatch(line -> line.startsWith("\tat io.metaq"));
    List<String> naming = refusal.standardError().lines().filter(line -> line.equals(lastLine(refusal))).toList();
    assertThat(naming).as("said once").hasSize(1);
  }

  private static String lastLine(Refusal refusal) {
    return refusal.standardError().lines().filter(line -> !line.isBlank()).reduce((first, second) -> second).orElse("");
  }
}
