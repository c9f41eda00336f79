package io.metaq.codec.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Sends and their answers in the forms of clients, beside the reference codec. */
class ClientSendTest {
  private static final byte[] BODY = "body".getBytes(StandardCharsets.UTF_8);
  private static final byte[] PROPERTIES = "TAGS\u0001größe\u0002".getBytes(StandardCharsets.UTF_8);

  @Test
  void shouldWriteASendWithTheFieldsOfItsCommand() {
    SendRequest request = request(RequestCode.SEND_MESSAGE_V2, false, false);
    ByteSink out = new ByteSink(16);

    request.write(out, 77);

    RemotingCommand read = read(out);
    RemotingCommand same = request.command();
    assertThat(read.code()).isEqualTo(310);
    assertThat(read.opaque()).isEqualTo(77);
    assertThat(read.oneway()).isFalse();
    assertThat(read.version()).isEqualTo(same.version());
    assertThat(read.ext()).isEqualTo(same.ext()).containsEntry("b", "töpic").containsEntry("i", "TAGS\u0001größe\u0002")
        .containsEntry("g", Long.toString(Long.MAX_VALUE)).containsEntry("h", "-5").hasSize(13);
    assertThat(read.body()).isEqualTo(same.body()).isEqualTo(BODY);
  }

  @Test
  void shouldWriteSeveralOneBehindTheOther() {
    ByteSink out = new ByteSink(16);

    request(RequestCode.SEND_BATCH_MESSAGE, true, false).write(out, 1);
    int second = out.length();
    request(RequestCode.SEND_MESSAGE_V2, false, true).write(out, 2);

    byte[] bytes = out.toByteArray();
    ByteSink tail = new ByteSink(16);
    tail.putBytes(bytes, second, bytes.length - second);
    assertThat(read(out).ext()).containsEntry("m", "true");
    assertThat(read(tail).opaque()).isEqualTo(2);
    assertThat(read(tail).oneway()).isTrue();
    assertThat(request(RequestCode.SEND_MESSAGE_V2, false, true).command().oneway()).isTrue();
  }

  @Test
  void shouldReadAnAnswerInPlaceAsItIsReadWhenDecoded() {
    RemotingCommand answer = answer().ext("msgId", "7F00000100002A9F0000000000000003").ext("queueId", 3).ext("queueOffset", 1L << 40)
        .ext("recallHandle", "djEg").ext("MSG_REGION", "r");

    SendAnswer inPlace = readInPlace(answer);

    assertThat(inPlace).isEqualTo(SendAnswer.of(answer));
    assertThat(inPlace).isEqualTo(new SendAnswer(0, null, "7F00000100002A9F0000000000000003", 3, 1L << 40, "djEg"));
    assertThat(inPlace.isComplete()).isTrue();
  }

  @Test
  void shouldReadARefusalWithItsWords() {
    RemotingCommand refusal = request().response(ResultCode.SYSTEM_BUSY, "später");

    assertThat(readInPlace(refusal)).isEqualTo(new SendAnswer(2, "später", null, -1, -1, null)).isEqualTo(SendAnswer.of(refusal));
    assertThat(readInPlace(refusal).isComplete()).isFalse();
  }

  @Test
  void shouldRefuseAnAnswerWhoseNumbersAreNone() {
    RemotingCommand answer = answer().ext("queueOffset", "1x");

    assertThatThrownBy(() -> readInPlace(answer)).isInstanceOf(HeaderException.class).hasMessageContaining("1x");
    assertThatThrownBy(() -> readInPlace(answer().ext("queueOffset", "9".repeat(20)))).isInstanceOf(HeaderException.class);
    assertThatThrownBy(() -> SendAnswer.of(answer)).isInstanceOf(HeaderException.class);
  }

  private static SendRequest request(RequestCode code, boolean batch, boolean oneWay) {
    return new SendRequest(code, "group", "töpic", "TBW102", 4, 2, 0x301, Long.MAX_VALUE, -5, PROPERTIES, batch, "b0", oneWay, BODY);
  }

  private static RemotingCommand request() {
    ByteSink out = new ByteSink(16);
    request(RequestCode.SEND_MESSAGE_V2, false, false).write(out, 77);
    return read(out);
  }

  private static RemotingCommand answer() {
    return request().success();
  }

  private static RemotingCommand read(ByteSink out) {
    byte[] bytes = out.toByteArray();
    int headerLength = (bytes[5] & 0xFF) << 16 | (bytes[6] & 0xFF) << 8 | bytes[7] & 0xFF;
    int length = 4 + ((bytes[0] & 0xFF) << 24 | (bytes[1] & 0xFF) << 16 | (bytes[2] & 0xFF) << 8 | bytes[3] & 0xFF);
    byte[] body = Arrays.copyOfRange(bytes, 8 + headerLength, length);
    return HeaderCodec.decode(bytes, 8, headerLength, SerializeType.of(bytes[4]).orElseThrow()).body(body);
  }

  private static SendAnswer readInPlace(RemotingCommand answer) {
    ByteSink out = new ByteSink(16);
    HeaderCodec.encode(answer, out);
    return SendAnswer.read(out.array(), HeaderCodec.PREFIX_LENGTH, out.length() - HeaderCodec.PREFIX_LENGTH);
  }
}
