package io.metaq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class StoredMessageTest {
  private static final HexFormat HEX = HexFormat.of();

  @Test
  void shouldReadARecordWithShortAddresses() throws IOException {
    StoredMessage message = StoredMessage.decode(GoldenRecords.read("v1-ipv4.hex"), 0);

    assertThat(message.size()).isEqualTo(123);
    assertThat(message.topic()).isEqualTo("TopicTest");
    assertThat(message.queueId()).isEqualTo(2);
    assertThat(message.queueOffset()).isEqualTo(7);
    assertThat(message.phyOffset()).isEqualTo(1024);
    assertThat(message.sysFlag()).isZero();
    assertThat(message.bornTimestamp()).isEqualTo(1_700_000_000_000L);
    assertThat(message.storeTimestamp()).isEqualTo(1_700_000_000_123L);
    assertThat(message.bornHost()).isEqualTo(HEX.parseHex("0a00000100001388"));
    assertThat(message.storeHost()).isEqualTo(HEX.parseHex("0a00000200002a9f"));
    assertThat(message.bodyCrc()).isEqualTo(0x3610a686);
    assertThat(new String(message.body(), StandardCharsets.UTF_8)).isEqualTo("hello");
    assertThat(message.property("TAGS")).isEqualTo("tagA");
    assertThat(message.property("KEYS")).isEqualTo("k1");
    assertThat(message.property("none")).isEmpty();
  }

  @Test
  void shouldReadARecordWithLongAddresses() throws IOException {
    StoredMessage message = StoredMessage.decode(GoldenRecords.read("v1-ipv6.hex"), 0);

    assertThat(message.size()).isEqualTo(118);
    assertThat(message.topic()).isEqualTo("T6");
    assertThat(message.sysFlag()).isEqualTo(0x30);
    assertThat(message.storeTimestamp()).isEqualTo(1_700_000_000_123L);
    assertThat(message.storeHost()).isEqualTo(HEX.parseHex("20010db800000000000000000000000200002a9f"));
    assertThat(message.reconsumeTimes()).isEqualTo(1);
    assertThat(message.body()).isEqualTo(new byte[] {'x'});
    assertThat(message.properties()).isEmpty();
  }

  @Test
  void shouldReadARecordOfALongTopicInTheMiddleOfABuffer() {
    String topic = "%RETRY%" + "g".repeat(122);
    byte[] name = topic.getBytes(StandardCharsets.US_ASCII);
    RecordEncoder encoder = new RecordEncoder(new byte[8]).topic(name, 0, name.length).properties(new byte[0], 0, 0)
        .body(ByteBuffer.wrap(new byte[] {'x'})).born(new byte[8], 0).message(0, 0, 0, 0, 0);
    ByteBuffer bytes = ByteBuffer.allocate(500);

    int size = encoder.writeTo(bytes, 77);
    StoredMessage message = StoredMessage.decode(bytes, 77);

    assertThat(size).isEqualTo(222);
    assertThat(bytes.getInt(77 + RecordLayout.MAGIC)).isEqualTo(RecordLayout.MAGIC_V2);
    assertThat(message.topic()).isEqualTo(topic);
    assertThat(message.size()).isEqualTo(222);
  }
}
