package io.metaq.codec.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.model.DataVersion;
import io.metaq.model.TopicConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

class RegisterBodyCodecTest {
  private static final RegisterBody BODY =
      new RegisterBody(
          new DataVersion(1, 2, 3),
          List.of(
              TopicConfig.of("T", 4, 6),
              new TopicConfig("U", 1, 2, 4, "MULTI_TAG", 0, false, Map.of("note", "two words", "queue.type", "BatchCQ"))));

  @Test
  void shouldGiveACompressedRegistrationBack() {
    byte[] bytes = RegisterBodyCodec.encodeCompressed(BODY, 513);

    assertThat(RegisterBodyCodec.decodeCompressed(bytes)).isEqualTo(BODY);
  }

  @Test
  void shouldEndTheCompressedFormWithMappingsFromVersion413On() throws IOException {
    byte[] before = unpacked(RegisterBodyCodec.encodeCompressed(BODY, 412));
    byte[] since = unpacked(RegisterBodyCodec.encodeCompressed(BODY, 413));

    assertThat(since).startsWith(before).hasSize(before.length + Integer.BYTES);
  }

  @Test
  void shouldReadTheTopicTableAloneFromBrokersBeforeVersion37() {
    byte[] json = "{\"dataVersion\":{\"counter\":5},\"topicConfigTable\":{\"T\":{\"perm\":4}}}".getBytes(StandardCharsets.UTF_8);

    RegisterBody old = RegisterBodyCodec.decode(json, 36);
    RegisterBody full = RegisterBodyCodec.decode(json, 37);

    assertThat(old.version().counter()).isEqualTo(5);
    assertThat(old.topics()).containsExactly(new TopicConfig("T", 16, 16, 4, "SINGLE_TAG", 0, false, Map.of()));
    assertThat(full).isEqualTo(RegisterBody.EMPTY);
  }

  @Test
  void shouldTakeNoBytesAsNoTopics() {
    assertThat(RegisterBodyCodec.decode(new byte[0], 513)).isEqualTo(RegisterBody.EMPTY);
  }

  @Test
  void shouldReadNumbersGivenAsTextAndSkipWhatItDoesNotKnow() {
    String json = "{extra:[1,{a:2}],topicConfigSerializeWrapper:{dataVersion:{counter:'7',more:null},"
        + "topicConfigTable:{\"T\":{readQueueNums:\"3\",writeQueueNums:3,perm:null,attributes:null,future:{x:[]}}}}}";

    RegisterBody body = RegisterBodyCodec.decode(json.getBytes(StandardCharsets.UTF_8), 513);

    assertThat(body.version().counter()).isEqualTo(7);
    assertThat(body.topics()).singleElement().satisfies(topic -> assertThat(topic.readQueues()).isEqualTo(3));
  }

  @Test
  void shouldReadATopicLineWithoutAttributes() {
    assertThat(TopicConfigCodec.ofLine("T 4 8 6 SINGLE_TAG")).isEqualTo(
        new TopicConfig("T", 4, 8, 6, "SINGLE_TAG", 0, false, Map.of()));
  }

  @Test
  void shouldRefuseATopicLineThatIsCut() {
    assertThatThrownBy(() -> TopicConfigCodec.ofLine("T 4 8")).isInstanceOf(BodyException.class).hasMessageContaining("'T 4 8'");
  }

  @Test
  void shouldRefuseACompressedRegistrationThatIsCutAnywhere() {
    byte[] bytes = RegisterBodyCodec.encodeCompressed(BODY, 412);

    for (int length = 0; length < bytes.length / 2; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> RegisterBodyCodec.decodeCompressed(cut)).isInstanceOf(BodyException.class);
    }
  }

  @Test
  void shouldRefuseAPieceLongerThanARegistrationCanBe() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeInt(Integer.MAX_VALUE);
    }

    assertThatThrownBy(() -> RegisterBodyCodec.decodeCompressed(bytes.toByteArray()))
        .isInstanceOf(BodyException.class)
        .hasMessageContaining("2147483647 bytes");
  }

  @Test
  void shouldRefuseWhatIsNotJson() {
    assertThatThrownBy(() -> RegisterBodyCodec.decode("{\"a\":".getBytes(StandardCharsets.UTF_8), 513))
        .isInstanceOf(BodyException.class)
        .hasMessageStartingWith("the registration is not valid JSON");
  }

  @Test
  void shouldCountTheChecksumWithoutItsSign() {
    assertThat(RegisterBodyCodec.crc("123456789".getBytes(StandardCharsets.UTF_8))).isEqualTo(0xCBF43926 & 0x7FFFFFFF);
  }

  private static byte[] unpacked(byte[] bytes) throws IOException {
    return new InflaterInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
  }
}
