package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.QueueHandle;
import io.metaq.model.SharedBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParkedMessageTest {
  private static final byte[] STORE_HOST = {127, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};
  private static final byte[] STORE_HOST_V6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};

  private final FakeSchedule schedule = new FakeSchedule();
  private final ParkedMessage message = new ParkedMessage(STORE_HOST);

  @Test
  void shouldKeepEverythingButTheThreePropertiesThatParkedIt() {
    schedule.parkAs(
        3,
        0,
        Map.of("DELAY", "3", "REAL_TOPIC", "%RETRY%g", "REAL_QID", "2", "UNIQ_KEY", "u1", "TAGS", "t", "DELAYED", "x"),
        "body".getBytes(StandardCharsets.UTF_8));

    StoredMessage delivered = deliver(message, 1_000);

    assertThat(delivered.topic()).isEqualTo("%RETRY%g");
    assertThat(delivered.queueId()).isEqualTo(2);
    assertThat(delivered.properties()).isEqualTo(Map.of("UNIQ_KEY", "u1", "TAGS", "t", "DELAYED", "x"));
    assertThat(delivered.body()).asString().isEqualTo("body");
    assertThat(delivered.flag()).isEqualTo(7);
    assertThat(delivered.sysFlag()).isEqualTo(0x101);
    assertThat(delivered.reconsumeTimes()).isEqualTo(3);
    assertThat(delivered.bornTimestamp()).isEqualTo(FakeSchedule.BORN_MS);
    assertThat(delivered.bornHost()).isEqualTo(FakeSchedule.BORN_HOST);
    assertThat(delivered.storeHost()).isEqualTo(STORE_HOST);
    assertThat(delivered.queueOffset()).isZero();
    assertThat(delivered.phyOffset()).isZero();
  }

  @Test
  void shouldDeliverAnEmptyBodyWithoutOtherProperties() {
    schedule.parkAs(1, 0, Map.of("REAL_TOPIC", "t", "REAL_QID", "0"), new byte[0]);

    StoredMessage delivered = deliver(message, 1_000);

    assertThat(delivered.body()).isEmpty();
    assertThat(delivered.properties()).isEmpty();
  }

  @Test
  void shouldWriteASoundRecordUnderAnAddressOfTheOtherKind() {
    schedule.park(1, 0, "t", 0, "body");

    StoredMessage delivered = deliver(new ParkedMessage(STORE_HOST_V6), 1_000);

    assertThat(delivered.storeHost()).isEqualTo(STORE_HOST_V6);
    assertThat(delivered.sysFlag()).isEqualTo(0x101 | 0x20);
  }

  @Test
  void shouldUseOneHandleForAQueue() {
    schedule.park(1, 0, "t", 0, "a");
    schedule.park(1, 0, "t", 0, "b");
    schedule.park(1, 0, "t", 1, "c");

    deliver(message, 1_000);
    QueueHandle first = message.target();
    deliver(message, 2_000);
    assertThat(message.target()).isSameAs(first);
    deliver(message, 3_000);

    assertThat(message.target()).hasToString("t/1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "../x;0;REAL_TOPIC names no topic",
        "SCHEDULE_TOPIC_XXXX;0;REAL_TOPIC names the system topic",
        "RMQ_SYS_TRANS_HALF_TOPIC;0;REAL_TOPIC names the system topic",
        "t;-1;REAL_QID is no queue id",
        "t;x;REAL_QID is no queue id",
        "t;99999999999;REAL_QID is no queue id"
      })
  void shouldSayWhatIsWrongWithTheTarget(String topic, String queueId, String fault) {
    schedule.parkAs(1, 0, Map.of("REAL_TOPIC", topic, "REAL_QID", queueId), new byte[0]);

    assertThat(message.read(schedule.record(1_000).orElseThrow().bytes())).contains(fault);
  }

  @Test
  void shouldSayThatTheTargetIsMissing() {
    schedule.parkAs(1, 0, Map.of("DELAY", "1"), new byte[0]);
    schedule.parkAs(1, 0, Map.of("REAL_TOPIC", "t"), new byte[0]);

    assertThat(message.read(schedule.record(1_000).orElseThrow().bytes())).contains("the topic name is empty");
    assertThat(message.read(schedule.record(2_000).orElseThrow().bytes())).contains("REAL_QID is no queue id");
  }

  private StoredMessage deliver(ParkedMessage parked, long phyOffset) {
    SharedBytes record = schedule.record(phyOffset).orElseThrow();
    assertThat(parked.read(record.bytes())).isEmpty();
    ByteBuffer bytes = ByteBuffer.allocateDirect(parked.size() + 5);
    parked.writeTo(bytes, 5);
    assertThat(new RecordCheck(true).check(bytes, 5, bytes.capacity(), 0)).isEqualTo(RecordCheck.Verdict.RECORD);
    return StoredMessage.decode(bytes, 5);
  }
}
