package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BatchBodyTest {
  private final BatchBody batch = new BatchBody();

  @Test
  void shouldWalkOverEveryMessageWithItsBodyFlagAndProperties() {
    ByteBuffer body = batchOf(message(7, "one", "TAGS\u0001a\u0002"), message(8, "", ""));

    assertThat(batch.check(body)).isNull();
    assertThat(batch.first(body)).isTrue();
    assertThat(batch.flag()).isEqualTo(7);
    assertThat(text(batch.body())).isEqualTo("one");
    assertThat(new String(batch.properties(), 0, batch.propertiesLength(), StandardCharsets.UTF_8)).isEqualTo("TAGS\u0001a\u0002");
    assertThat(batch.next()).isTrue();
    assertThat(batch.flag()).isEqualTo(8);
    assertThat(batch.body().hasRemaining()).isFalse();
    assertThat(batch.propertiesLength()).isZero();
    assertThat(batch.next()).isFalse();
  }

  @Test
  void shouldTellHowMuchContentItHas() {
    ByteBuffer body = batchOf(message(7, "one", "TAGS\u0001a\u0002"), message(8, "", ""));
    batch.check(body);

    assertThat(batch.count()).isEqualTo(2);
    assertThat(batch.contentBytes(body)).isEqualTo(3 + 7);
  }

  @Test
  void shouldStartWhereTheBufferStands() {
    ByteBuffer whole = ByteBuffer.allocate(100);
    byte[] message = message(1, "x", "");
    whole.position(10).put(message).flip().position(10);

    assertThat(batch.check(whole)).isNull();
    batch.first(whole);

    assertThat(text(batch.body())).isEqualTo("x");
  }

  @Test
  void shouldNameTheMessageAtWhichABatchIsCut() {
    ByteBuffer body = batchOf(message(0, "one", ""), message(0, "two", ""));
    body.limit(body.limit() - 1);

    assertThat(batch.check(body)).isEqualTo("the batch is cut or damaged at message 2");
  }

  @Test
  void shouldRefuseLengthsThatLie() {
    ByteBuffer huge = batchOf(message(0, "one", ""));
    huge.putInt(0, Integer.MAX_VALUE);
    ByteBuffer negative = batchOf(message(0, "one", ""));
    negative.putInt(0, -1);
    ByteBuffer body = batchOf(message(0, "one", ""));
    body.putInt(16, 1_000_000);
    ByteBuffer properties = batchOf(message(0, "one", "A\u0001b\u0002"));
    properties.putShort(23, (short) -2);

    assertThat(batch.check(huge)).contains("cut or damaged at message 1");
    assertThat(batch.check(negative)).contains("cut or damaged at message 1");
    assertThat(batch.check(body)).contains("cut or damaged at message 1");
    assertThat(batch.check(properties)).contains("properties of message 1");
  }

  @Test
  void shouldRefuseABatchOfNothing() {
    assertThat(batch.check(ByteBuffer.allocate(0))).isEqualTo("the batch holds no message");
  }

  private static ByteBuffer batchOf(byte[]... messages) {
    ByteBuffer all = ByteBuffer.allocate(1000);
    for (byte[] message : messages) {
      all.put(message);
    }
    return all.flip();
  }

  private static byte[] message(int flag, String body, String properties) {
    byte[] b = body.getBytes(StandardCharsets.UTF_8);
    byte[] p = properties.getBytes(StandardCharsets.UTF_8);
    ByteBuffer message = ByteBuffer.allocate(22 + b.length + p.length);
    message.putInt(message.capacity()).putInt(0).putInt(0).putInt(flag).putInt(b.length).put(b).putShort((short) p.length).put(p);
    return message.array();
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
