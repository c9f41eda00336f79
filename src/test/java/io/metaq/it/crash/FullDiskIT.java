package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that fills up while messages come in: refused with a reason, nothing acknowledged is lost, and it heals with room. The
 * broker is told not to make room by deleting its oldest files, which it would do by default.
 */
@Execution(ExecutionMode.CONCURRENT)
class FullDiskIT {

  private static final int SERVICE_NOT_AVAILABLE = 14;
  private static final int DISK_MIB = 40;
  private static final String BODY = "x".repeat(100_000);

  @ParameterizedTest
  @ValueSource(strings = {"ASYNC_FLUSH", "SYNC_FLUSH"})
  void shouldRefuseWithAReasonAndKeepWhatWasAcknowledged(String flushMode) throws Exception {
    String topic = Queues.freshName("full");
    List<String> acknowledged = new ArrayList<>();

    try (SmallDisk disk = SmallDisk.mount(DISK_MIB);
        BrokerProcess broker = BrokerProcess.standalone(disk.folder()).key("flushDiskType", flushMode)
            .key("mappedFileSizeCommitLog", 8 << 20).key("maxHashSlotNum", 1_000).key("maxIndexNum", 4_000)
            .key("cleanFileForciblyEnable", false).start()) {
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
