package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.BrokerProcess.Refusal;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
