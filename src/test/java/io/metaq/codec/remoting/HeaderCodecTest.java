package io.metaq.codec.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderCodecTest {
  // Frames worked out by hand and checked against official clients.
  private static final String JSON_REQUEST = "{\"code\":105,\"extFields\":{\"topic\":\"T1\"},\"flag\":0,\"language\":\"JAVA\","
      + "\"opaque\":4,\"serializeTypeCurrentRPC\":\"JSON\",\"version\":513}";
  private static final String JSON_RESPONSE = "{\"code\":0,\"extFields\":{\"offset\":\"42\"},\"flag\":1,\"language\":\"JAVA\","
      + "\"opaque\":4,\"serializeTypeCurrentRPC\":\"JSON\",\"version\":513}";
  private static final String BINARY_REQUEST = "0000005a" + "01000056" + "001d000201" + "00000007" + "00000000" + "00000000" + "00000041"
      + "0007" + "71756575654964" + "00000001" + "31"
      + "0005" + "746f706963" + "00000001" + "54"
      + "000c" + "626f756e6461727954797065" + "00000005" + "5550504552"
      + "0009" + "74696d657374616d70" + "00000001" + "35";
  private static final String BINARY_RESPONSE = "0000001d" + "01000017" + "0011000201" + "00000007" + "00000001" + "00000002" + "6e6f"
      + "00000000" + "0102";

  @Test
  void shouldWriteTheWorkedJsonExamples() {
    RemotingCommand request = RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC).opaque(4).ext("topic", "T1");
    RemotingCommand response = request.success().ext("offset", 42);

    assertThat(headerText(request)).isEqualTo(JSON_REQUEST);
    assertThat(headerText(response)).isEqualTo(JSON_RESPONSE);
  }

  @Test
  void shouldReadTheWorkedJsonExamples() {
    RemotingCommand request = json(JSON_REQUEST);
    RemotingCommand response = json(JSON_RESPONSE);

    assertThat(request.code()).isEqualTo(105);
    assertThat(request.ext()).isEqualTo(Map.of("topic", "T1"));
    assertThat(request.isResponse()).isFalse();
    assertThat(request.version()).isEqualTo(513);
    assertThat(response.isResponse()).isTrue();
    assertThat(response.opaque()).isEqualTo(4);
    assertThat(response.requireLong("offset")).isEqualTo(42);
  }

  @Test
  void shouldWriteTheWorkedBinaryExamples() {
    RemotingCommand request = RemotingCommand.decoded(29, "JAVA", 513, 7, 0, SerializeType.ROCKETMQ)
        .ext("queueId", 1).ext("topic", "T").ext("boundaryType", "UPPER").ext("timestamp", 5);
    RemotingCommand response = request.response(ResultCode.TOPIC_NOT_EXIST, "no").body(new byte[] {1, 2});

    assertThat(hex(request)).isEqualTo(BINARY_REQUEST);
    assertThat(hex(response)).isEqualTo(BINARY_RESPONSE);
  }

  @Test
  void shouldReadTheWorkedBinaryExamples() {
    RemotingCommand request = binary(BINARY_REQUEST, 86);
    RemotingCommand response = binary(BINARY_RESPONSE, 23);

    assertThat(request.code()).isEqualTo(29);
    assertThat(request.opaque()).isEqualTo(7);
    assertThat(request.remark()).isNull();
    assertThat(request.ext()).isEqualTo(Map.of("queueId", "1", "topic", "T", "boundaryType", "UPPER", "timestamp", "5"));
    assertThat(response.code()).isEqualTo(17);
    assertThat(response.remark()).isEqualTo("no");
    assertThat(response.ext()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldKeepEveryTextInARoundTrip(SerializeType type) {
    String odd = "quote \" backslash \\ control \u0001\u0002\n\t umlaut \u00e4 cjk \u6d88\u606f emoji \ud83d\ude80";
    RemotingCommand command = RemotingCommand.decoded(310, "JAVA", 409, Integer.MIN_VALUE, 2, type).ext("i", odd).ext(odd, "x").remark(odd);

    RemotingCommand read = decode(frame(command), type);

    assertThat(read.ext()).isEqualTo(Map.of("i", odd, odd, "x"));
    assertThat(read.remark()).isEqualTo(odd);
    assertThat(read.opaque()).isEqualTo(Integer.MIN_VALUE);
    assertThat(read.oneway()).isTrue();
    assertThat(read.version()).isEqualTo(409);
  }

  @Test
  void shouldTolerateWhatOtherWritersDo() {
    RemotingCommand read = json(" {\"extFields\":{\"n\":12,\"b\":true,\"gone\":null,\"d\":1.5,\"deep\":{\"x\":[1]}},\"more\":[{\"a\":1}],"
        + "\"language\":\"NODE_JS\",\"opaque\":\"9\",\"code\":\"34\",\"flag\":null,\"remark\":7} ");

    assertThat(read.code()).isEqualTo(34);
    assertThat(read.opaque()).isEqualTo(9);
    assertThat(read.flag()).isZero();
    assertThat(read.language()).isEqualTo("NODE_JS");
    assertThat(read.remark()).isEqualTo("7");
    assertThat(read.ext()).isEqualTo(Map.of("n", "12", "b", "true", "d", "1.5"));
  }

  @Test
  void shouldReadMissingMembersAsTheirDefaults() {
    RemotingCommand read = json("{\"code\":1,\"extFields\":null}");

    assertThat(read.language()).isEqualTo("JAVA");
    assertThat(read.ext()).isEmpty();
    assertThat(read.remark()).isNull();
    assertThat(read.opaque()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "null", "{}", "{\"code\":\"x\"}", "{\"code\":99999999999}", "{\"code\":1.5}", "{\"code\":1} 2",
      "{\"code\":1,\"extFields\":{\"a\":\"b\"}", "{\"code\":{}}", "{\"code\":1,\"opaque\":[]}"})
  void shouldRefuseWhatIsNoJsonHeader(String text) {
    assertThatThrownBy(() -> json(text)).isInstanceOf(HeaderException.class);
  }

  @Test
  void shouldRefuseABinaryHeaderCutAnywhere() {
    byte[] frame = HexFormat.of().parseHex(BINARY_REQUEST);

    for (int length = 0; length < 86; length++) {
      int cut = length;
      assertThatThrownBy(() -> HeaderCodec.decode(frame, 8, cut, SerializeType.ROCKETMQ)).isInstanceOf(HeaderException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 17, 21, 30})
  void shouldRefuseABinaryHeaderWithANegativeLength(int lengthAt) {
    byte[] frame = HexFormat.of().parseHex(BINARY_REQUEST);
    frame[8 + lengthAt] = (byte) 0x80;

    assertThatThrownBy(() -> HeaderCodec.decode(frame, 8, 86, SerializeType.ROCKETMQ)).isInstanceOf(HeaderException.class);
  }

  @ParameterizedTest
  @CsvSource({"200050,200050", "200056,200056", "200070,200070", "200079,200079", "200151,200151", "310,310"})
  void shouldMapBigRequestCodesBackFromTheBinaryForm(int sent, int read) {
    byte[] frame = frame(RemotingCommand.decoded(sent, "JAVA", 513, 1, 0, SerializeType.ROCKETMQ));

    assertThat(decode(frame, SerializeType.ROCKETMQ).code()).isEqualTo(read);
  }

  @Test
  void shouldLeaveResponseCodesOfTheBinaryFormAlone() {
    assertThat(decode(frame(RemotingCommand.decoded(3442, "JAVA", 513, 1, 1, SerializeType.ROCKETMQ)), SerializeType.ROCKETMQ).code())
        .isEqualTo(3442);
    assertThat(decode(frame(RemotingCommand.decoded(-1000, "JAVA", 513, 1, 1, SerializeType.ROCKETMQ)), SerializeType.ROCKETMQ).code())
        .isEqualTo(-1000);
  }

  private static RemotingCommand json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HeaderCodec.decode(bytes, 0, bytes.length, SerializeType.JSON);
  }

  private static RemotingCommand binary(String frame, int headerLength) {
    return HeaderCodec.decode(HexFormat.of().parseHex(frame), 8, headerLength, SerializeType.ROCKETMQ);
  }

  private static RemotingCommand decode(byte[] frame, SerializeType type) {
    int headerLength = (frame[5] & 0xFF) << 16 | (frame[6] & 0xFF) << 8 | frame[7] & 0xFF;
    return HeaderCodec.decode(frame, 8, headerLength, type);
  }

  private static byte[] frame(RemotingCommand command) {
    ByteSink sink = new ByteSink(16);
    HeaderCodec.encode(command, sink);
    return sink.toByteArray();
  }

  private static String headerText(RemotingCommand command) {
    byte[] frame = frame(command);
    return new String(frame, 8, frame.length - 8, StandardCharsets.UTF_8);
  }

  private static String hex(RemotingCommand command) {
    return HexFormat.of().formatHex(frame(command));
  }
}
