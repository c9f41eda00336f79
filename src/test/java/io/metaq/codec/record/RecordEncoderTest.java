package io.metaq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordEncoderTest {
  private static final byte[] BORN = {10, 0, 0, 1, 0, 0, 0x13, (byte) 0x88};
  private static final byte[] STORE = {10, 0, 0, 2, 0, 0, 0x2a, (byte) 0x9f};

  @Test
  void shouldWriteTheKnownRecordWithHolesForTheWriter() {
    String known =
        "0000007bdaa320a73610a686000000020000000000000000000000000000000000000000"
            + "000000000000018bcfe568000a00000100001388"
            + "00000000000000000a00000200002a9f"
            + "000000000000000000000000"
            + "0000000568656c6c6f09546f70696354657374"
            + "001254414753017461674102"
            + "4b455953016b3102";

    byte[] record = encode("TopicTest", "hello");

    assertThat(HexFormat.of().formatHex(record)).isEqualTo(known);
  }

  @Test
  void shouldMarkAddressesOfSixteenBytes() {
    byte[] v6 = new byte[20];
    RecordEncoder encoder = fields(new RecordEncoder(v6), "T6", "x", v6);

    ByteBuffer to = ByteBuffer.allocate(encoder.size());
    encoder.writeTo(to, 0);

    assertThat(to.getInt(36)).isEqualTo(0x30);
    assertThat(to.getInt(0)).isEqualTo(91 + 24 + 1 + 2 + encoderProperties().length);
  }

  @Test
  void shouldUseTheSecondFormForTopicsBeyond127Bytes() {
    String topic = "%RETRY%" + "g".repeat(122);
    RecordEncoder encoder = fields(new RecordEncoder(STORE), topic, "x", BORN);

    ByteBuffer to = ByteBuffer.allocate(encoder.size());
    int size = encoder.writeTo(to, 0);

    assertThat(to.getInt(4)).isEqualTo(0xDAA320AB);
    assertThat(to.getShort(88 + 1)).isEqualTo((short) 129);
    assertThat(size).isEqualTo(92 + 1 + 129 + encoderProperties().length);
  }

  @Test
  void shouldLeaveTheBodyWhereItWas() {
    ByteBuffer body = ByteBuffer.wrap("..hello..".getBytes(StandardCharsets.US_ASCII), 2, 5);
    RecordEncoder encoder = fields(new RecordEncoder(STORE), "T", "", BORN).body(body);

    ByteBuffer to = ByteBuffer.allocateDirect(encoder.size() + 3);
    encoder.writeTo(to, 3);

    assertThat(body.position()).isEqualTo(2);
    assertThat(to.getInt(3 + 8)).isEqualTo(0x3610a686);
    assertThat(to.getInt(3 + 84)).isEqualTo(5);
  }

  private static byte[] encode(String topic, String body) {
    RecordEncoder encoder = fields(new RecordEncoder(STORE), topic, body, BORN);
    ByteBuffer to = ByteBuffer.allocate(encoder.size());
    assertThat(encoder.writeTo(to, 0)).isEqualTo(to.capacity());
    return to.array();
  }

  private static RecordEncoder fields(RecordEncoder encoder, String topic, String body, byte[] born) {
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    byte[] properties = encoderProperties();
    return encoder
        .topic(name, 0, name.length)
        .properties(properties, 0, properties.length)
        .body(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)))
        .born(born, 1700000000000L)
        .message(2, 0, 0, 0, 0);
  }

  private static byte[] encoderProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("TAGS", "tagA");
    properties.put("KEYS", "k1");
    return PropertiesText.encode(properties);
  }
}
