package io.metaq.codec.remoting;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.ResultCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnswersTest {
  private static final byte[] HOST = {127, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};

  private final ByteSink out = new ByteSink(16);
  private final SendAnswers sends = new SendAnswers(HOST, "DefaultRegion", true);
  private final PullAnswers pulls = new PullAnswers();

  @Test
  void shouldWriteASendAnswerByteForByte() {
    sends.encode(out, SerializeType.JSON, 12, ResultCode.SUCCESS, null, 3, 1, 42);

    assertThat(new String(out.array(), 8, out.length() - 8, StandardCharsets.UTF_8)).isEqualTo("{\"code\":0,\"extFields\":{"
        + "\"msgId\":\"7F00000100002A9F0000000000000003\",\"queueId\":\"1\",\"queueOffset\":\"42\",\"MSG_REGION\":\"DefaultRegion\","
        + "\"TRACE_ON\":\"true\"},\"flag\":1,\"language\":\"JAVA\",\"opaque\":12,\"serializeTypeCurrentRPC\":\"JSON\",\"version\":513}");
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldWriteASendAnswerWithEverything(SerializeType type) {
    ByteSink ids = new ByteSink(16);
    sends.appendId(ids, 3);
    sends.appendId(ids, Long.MAX_VALUE);
    sends.encode(out, type, -5, ResultCode.FLUSH_DISK_TIMEOUT, "slow \"disk\"", ids, 7, Long.MAX_VALUE,
        new SendAnswers.Extra(SendAnswers.Field.TRANSACTION_ID, "unique"));

    RemotingCommand read = read(0, 0);

    assertThat(read.type()).isEqualTo(type);
    assertThat(read.code()).isEqualTo(10);
    assertThat(read.opaque()).isEqualTo(-5);
    assertThat(read.isResponse()).isTrue();
    assertThat(read.language()).isEqualTo("JAVA");
    assertThat(read.version()).isEqualTo(513);
    assertThat(read.remark()).isEqualTo("slow \"disk\"");
    assertThat(read.ext()).isEqualTo(Map.of("msgId", "7F00000100002A9F0000000000000003,7F00000100002A9F7FFFFFFFFFFFFFFF", "queueId", "7",
        "queueOffset", "9223372036854775807", "transactionId", "unique", "MSG_REGION", "DefaultRegion", "TRACE_ON", "true"));
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldWriteARefusalWithTheFieldsClientsReadUnasked(SerializeType type) {
    sends.refuse(out, type, 9, ResultCode.MESSAGE_ILLEGAL, "too big");

    RemotingCommand read = read(0, 0);

    assertThat(read.code()).isEqualTo(13);
    assertThat(read.remark()).isEqualTo("too big");
    assertThat(read.ext()).isEqualTo(Map.of("MSG_REGION", "DefaultRegion", "TRACE_ON", "true"));
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldWriteThePullAnswerHeadOfABodyThatFollows(SerializeType type) {
    out.putInt(99);
    pulls.encode(out, type, 4, ResultCode.SUCCESS, "FOUND", 64, 0, 1000, 1, 500);

    RemotingCommand read = read(4, 500);

    assertThat(read.code()).isZero();
    assertThat(read.remark()).isEqualTo("FOUND");
    assertThat(read.ext())
        .isEqualTo(Map.of("nextBeginOffset", "64", "minOffset", "0", "maxOffset", "1000", "suggestWhichBrokerId", "1"));
  }

  @Test
  void shouldReadBackTheIdsItWrites() {
    MessageIds ids = new MessageIds(HOST);

    MessageIds.Parsed parsed = MessageIds.parse(ids.text(0x123456789AL)).orElseThrow();

    assertThat(ids.text(3)).isEqualTo("7F00000100002A9F0000000000000003");
    assertThat(parsed.ip()).containsExactly(127, 0, 0, 1);
    assertThat(parsed.port()).isEqualTo(10911);
    assertThat(parsed.phyOffset()).isEqualTo(0x123456789AL);
    assertThat(MessageIds.parse(ids.text(3).toLowerCase())).isPresent();
    assertThat(MessageIds.parse("7F00000100002A9F000000000000000")).isEmpty();
    assertThat(MessageIds.parse("7F00000100002A9F000000000000000G")).isEmpty();
  }

  @Test
  void shouldReadBackAnIdOfAnIpv6Broker() {
    byte[] host = new byte[20];
    host[15] = 1;
    host[19] = 80;

    MessageIds.Parsed parsed = MessageIds.parse(new MessageIds(host).text(5)).orElseThrow();

    assertThat(parsed.ip()).hasSize(16);
    assertThat(parsed.port()).isEqualTo(80);
    assertThat(parsed.phyOffset()).isEqualTo(5);
  }

  @Test
  void shouldWriteEveryDecimalAsJavaDoes() {
    long[] numbers = {0, 9, 10, 99, 100, -1, -10, 12345678901L, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, 999999999999999999L,
        1000000000000000000L};
    for (long number : numbers) {
      out.clear();
      out.putDecimal(number);

      assertThat(new String(out.toByteArray(), StandardCharsets.US_ASCII)).isEqualTo(Long.toString(number));
    }
  }

  /** The frame at {@code from}, of which {@code missing} body bytes are not there. */
  private RemotingCommand read(int from, int missing) {
    byte[] frame = out.toByteArray();
    ByteBuffer view = ByteBuffer.wrap(frame);
    int length = view.getInt(from);
    int word = view.getInt(from + 4);
    int headerLength = word & 0xFFFFFF;
    assertThat(length).isEqualTo(frame.length - from - 4 + missing);
    assertThat(headerLength).isEqualTo(frame.length - from - 8);
    return HeaderCodec.decode(frame, from + 8, headerLength, SerializeType.of(word >>> 24).orElseThrow());
  }
}
