package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that fills up while messages come in: refused with a reason, nothing acknowledged is lost, and it heals with room. But for one
 * test, the broker is told not to make room by deleting its oldest files, which it would do by default.
 */
@Execution(ExecutionMode.CONCURRENT)
class FullDiskIT {

  private static final int SERVICE_NOT_AVAILABLE = 14;
  private static final int OFFSET_MOVED = 21;
  private static final int DISK_MIB = 40;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String BODY = "x".repeat(100_000);

  @ParameterizedTest
  @ValueSource(strings = {"ASYNC_FLUSH", "SYNC_FLUSH"})
  void shouldRefuseWithAReasonAndKeepWhatWasAcknowledged(String flushMode) throws Exception {
    String topic = Queues.freshName("full");
    List<String> acknowledged = new ArrayList<>();

    try (SmallDisk disk = SmallDisk.mount(DISK_MIB);
        BrokerProcess broker = launch(disk).key("flushDiskType", flushMode).key("cleanFileForciblyEnable", false).start()) {
      RawFrame refused = sendUntilRefused(broker, topic, acknowledged);

      assertThat(refused.code()).as(refused.toString()).isEqualTo(SERVICE_NOT_AVAILABLE);
      assertThat(refused.remark()).contains("MB are free");
      assertAllThere(broker, topic, acknowledged);

      broker.kill();
      disk.resize(4 * DISK_MIB);
      broker.startAgain();

      assertAllThere(broker, topic, acknowledged);
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        assertThat(client.call(Requests.send(topic, 0, "room again")).number("queueOffset")).isEqualTo(acknowledged.size());
      }
    }
  }

  @Test
  void shouldNameTheMarkAndGoOnByItselfOnceAForeignFileIsGone() throws Exception {
    String topic = Queues.freshName("marked");
    List<String> acknowledged = new ArrayList<>();
    long markBytes = 12L << 20;

    try (SmallDisk disk = SmallDisk.mount(2 * DISK_MIB);
        BrokerProcess broker = launch(disk).key("diskSpaceWarningLevelRatio", 99).key("diskSpaceWarningLevelFreeBytes", markBytes)
            .key("cleanFileForciblyEnable", false).key("cleanResourceInterval", 600_000).start()) {
      Path foreign = Files.write(disk.folder().resolve("foreign"), new byte[DISK_MIB << 20]);
      RawFrame refused = sendUntilRefused(broker, topic, acknowledged);

      assertThat(refused.code()).as(refused.toString()).isEqualTo(SERVICE_NOT_AVAILABLE);
      assertThat(refused.remark()).contains("diskSpaceWarningLevelFreeBytes=" + markBytes).containsPattern("\\d+\\.\\d% are used, \\d+ MB are free")
          .contains("free space is measured again within 1 s");
      assertThat(acknowledged).isNotEmpty();

      Files.delete(foreign);

      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        Await.until("a send that is taken again", LIMIT,
            () -> client.call(Requests.send(topic, 0, "room again")).code() == 0);
      }
      acknowledged.add("room again");
      assertAllThere(broker, topic, acknowledged);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldServeReadsFromADiskOnWhichNotAByteIsFreeAndTakeMessagesOnceThereIsRoom(boolean killed) throws Exception {
    String topic = Queues.freshName("brim");
    List<String> acknowledged = new ArrayList<>();

    try (SmallDisk disk = SmallDisk.mount(DISK_MIB);
        BrokerProcess broker = launch(disk).key("diskSpaceWarningLevelRatio", 100).key("diskMaxUsedSpaceRatio", 100)
            .key("cleanFileForciblyEnable", false).start()) {
      if (killed) {
        RawFrame refused = sendUntilRefused(broker, topic, acknowledged);
        assertThat(refused.code()).as(refused.toString()).isEqualTo(SERVICE_NOT_AVAILABLE);
        broker.kill();
      } else {
        acknowledged.add("before");
        try (RawClient client = RawClient.connect(broker.brokerPort())) {
          assertThat(client.call(Requests.send(topic, 0, "before")).code()).isZero();
        }
        assertThat(broker.stop()).isZero();
      }
      disk.fill();

      broker.startAgain();

      assertAllThere(broker, topic, acknowledged);
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        assertThat(client.call(Requests.send(topic, 0, BODY)).code()).isEqualTo(SERVICE_NOT_AVAILABLE);
        disk.resize(2 * DISK_MIB);
        Await.until("a send that is taken again", LIMIT,
            () -> client.call(Requests.send(topic, 0, "room again")).code() == 0);
      }
      acknowledged.add("room again");
      assertAllThere(broker, topic, acknowledged);
    }
  }

  @Test
  void shouldMakeRoomByItsOldestFilesAndTellConsumersWhereItBeginsNow() throws Exception {
    String topic = Queues.freshName("rolling");
    int messages = 500;

    try (SmallDisk disk = SmallDisk.mount(DISK_MIB);
        BrokerProcess broker = launch(disk).key("mappedFileSizeCommitLog", 2 << 20).key("diskSpaceCleanForciblyRatio", 100)
            .key("diskSpaceCleanForciblyFreeBytes", 20 << 20).key("diskSpaceWarningLevelFreeBytes", 8 << 20).start();
        RawClient client = RawClient.connect(broker.brokerPort())) {
      for (int i = 0; i < messages; i++) {
        RawFrame send = Requests.send(topic, 0, i + BODY);
        Await.until("message " + i + " is taken", LIMIT, () -> client.call(send).code() == 0);
      }
      Await.until("less than the mark is used", LIMIT,
          () -> Files.getFileStore(disk.folder()).getUsableSpace() >= 20 << 20);

      Queues.awaitEnd(client, topic, 0, messages);

      List<StoredRecord> left = new ArrayList<>();
      RawFrame tooOld = client.call(Requests.pull(topic, 0, 0, 32, 0));
      long min = tooOld.number("minOffset");
      // What the broker still writes, queues and files ahead, may make it delete one file more while it is read.
      Await.until("a look at what is left while nothing is deleted", LIMIT, () -> {
        left.clear();
        left.addAll(Queues.readAll(client, topic, 0));
        return left.get(0).queueOffset() == client.call(Requests.pull(topic, 0, 0, 32, 0)).number("minOffset");
      });

      assertThat(tooOld.code()).isEqualTo(OFFSET_MOVED);
      assertThat(tooOld.number("nextBeginOffset")).isEqualTo(min).isPositive();
      assertThat(left).hasSize((int) (messages - left.get(0).queueOffset()));
      assertThat(left.get(0).queueOffset()).isGreaterThanOrEqualTo(min);
      for (StoredRecord record : left) {
        assertThat(record.text().equals(record.queueOffset() + BODY)).as("message %d", record.queueOffset()).isTrue();
      }
    }
  }

  private static BrokerProcess.Launch launch(SmallDisk disk) {
    return BrokerProcess.standalone(disk.folder()).key("mappedFileSizeCommitLog", 8 << 20).key("maxHashSlotNum", 1_000)
        .key("maxIndexNum", 4_000);
  }

  private static RawFrame sendUntilRefused(BrokerProcess broker, String topic, List<String> acknowledged) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      while (true) {
        String text = acknowledged.size() + BODY;
        RawFrame answer = client.call(Requests.send(topic, 0, text));
        if (answer.code() != 0) {
          return answer;
        }
        acknowledged.add(text);
      }
    }
  }

  private static void assertAllThere(BrokerProcess broker, String topic, List<String> acknowledged) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      List<StoredRecord> records = Queues.readFirst(client, topic, 0, acknowledged.size());

      assertThat(records.stream().map(StoredRecord::text).limit(acknowledged.size()).toList().equals(acknowledged))
          .as("%d acknowledged messages, %d read", acknowledged.size(), records.size()).isTrue();
    }
  }
}
