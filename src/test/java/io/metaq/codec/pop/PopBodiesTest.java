package io.metaq.codec.pop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.HeaderException;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms are those that RocketMQ 5.5.0 reads: names of its fields, checked against its classes. */
class PopBodiesTest {

  @Test
  void shouldWriteAndReadACheckPoint() {
    CheckpointBody checkpoint = new CheckpointBody("orders", "workers", 2, "b1", 100, 1_700_000_000_000L, 60_000, 5,
        new int[] {0, 3, 4}, true, 1_600_000_000_000L);
    ByteSink sink = new ByteSink(16);
    checkpoint.encode(sink);

    String json = new String(sink.toByteArray(), UTF_8);
    assertThat(json).isEqualTo("{\"bm\":5,\"bn\":\"b1\",\"c\":\"workers\",\"d\":[0,3,4],\"it\":60000,"
        + "\"mv\":1600000000000,\"n\":3,\"pt\":1700000000000,\"q\":2,\"so\":100,\"sp\":true,\"t\":\"orders\"}");
    CheckpointBody read = CheckpointBody.decode(sink.toByteArray());
    assertThat(read).usingRecursiveComparison().isEqualTo(checkpoint);
  }

  @Test
  void shouldReadACheckPointOfAnOlderBrokerThatNamesNoDifferences() {
    CheckpointBody read = CheckpointBody.decode(
        ("{\"bm\":0,\"c\":\"workers\",\"it\":60000,\"n\":3,\"pt\":17,\"q\":1,\"ro\":0,\"rp\":null,\"rt\":60017,\"so\":9,"
            + "\"t\":\"orders\"}").getBytes(UTF_8));

    assertThat(read.differences()).containsExactly(0, 1, 2);
    assertThat(read.brokerName()).isEmpty();
    assertThat(read.suspended()).isFalse();
    assertThat(read.movedMs()).isZero();
  }

  @Test
  void shouldReadNoMoreMessagesThanACheckPointCanHave() {
    CheckpointBody read = CheckpointBody.decode("{\"c\":\"g\",\"n\":127,\"t\":\"t\"}".getBytes(UTF_8));

    assertThat(read.differences()).hasSize(CheckpointBody.MAX_MESSAGES);
  }

  @Test
  void shouldWriteAndReadAcknowledgements() {
    AckBody one = new AckBody("orders", "workers", 2, "b1", 100, 17, new long[] {103});
    AckBody several = new AckBody("orders", "workers", 2, "b1", 100, 17, new long[] {100, 104});
    ByteSink sink = new ByteSink(16);

    one.encode(sink);
    assertThat(new String(sink.toByteArray(), UTF_8))
        .isEqualTo("{\"ao\":103,\"bn\":\"b1\",\"c\":\"workers\",\"pt\":17,\"q\":2,\"so\":100,\"t\":\"orders\"}");
    assertThat(AckBody.decode(sink.toByteArray())).usingRecursiveComparison().isEqualTo(one);
    sink.clear();
    several.encode(sink);
    assertThat(new String(sink.toByteArray(), UTF_8))
        .isEqualTo("{\"ao\":-1,\"aol\":[100,104],\"bn\":\"b1\",\"c\":\"workers\",\"pt\":17,\"q\":2,\"so\":100,\"t\":\"orders\"}");
    assertThat(AckBody.decode(sink.toByteArray())).usingRecursiveComparison().isEqualTo(several);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "{\"t\":\"orders\"}", "{\"t\":\"orders\",\"c\":\"g\",\"so\":\"x\"}"})
  void shouldRefuseWhatIsNoBody(String json) {
    assertThatThrownBy(() -> CheckpointBody.decode(json.getBytes(UTF_8))).isInstanceOf(BodyException.class);
    assertThatThrownBy(() -> AckBody.decode(json.getBytes(UTF_8))).isInstanceOf(BodyException.class);
  }

  @Test
  void shouldReadABatchOfAcknowledgements() {
    List<BatchAckBody.Entry> entries = BatchAckBody.decode(("{\"brokerName\":\"b0\",\"acks\":[{\"c\":\"cg\",\"t\":\"T\",\"r\":\"1\","
        + "\"so\":100,\"q\":1,\"rq\":3,\"pt\":1700000000000,\"it\":60000,\"b\":\"CQI=\"},{\"t\":\"nobody's\"}]}").getBytes(UTF_8));

    assertThat(entries).singleElement().satisfies(entry -> {
      assertThat(entry.group()).isEqualTo("cg");
      assertThat(entry.retry()).isTrue();
      assertThat(entry.reviveQueueId()).isEqualTo(3);
      assertThat(entry.queueOffsets()).containsExactly(100, 103, 109);
    });
    assertThatThrownBy(() -> BatchAckBody.decode("{\"acks\":[{\"c\":\"cg\",\"t\":\"T\",\"b\":\"*\"}]}".getBytes(UTF_8)))
        .isInstanceOf(BodyException.class).hasMessageContaining("Base64");
  }

  @Test
  void shouldReadNoMoreOfAnArrayThanACheckPointHasMessages() {
    String numbers = IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(","));

    assertThat(CheckpointBody.decode(("{\"c\":\"g\",\"t\":\"t\",\"d\":[" + numbers + "]}").getBytes(UTF_8)).differences())
        .hasSize(CheckpointBody.MAX_MESSAGES).endsWith(31);
    assertThat(AckBody.decode(("{\"c\":\"g\",\"t\":\"t\",\"aol\":[" + numbers + "]}").getBytes(UTF_8)).queueOffsets())
        .hasSize(CheckpointBody.MAX_MESSAGES).endsWith(31);
    assertThatThrownBy(() -> CheckpointBody.decode("{\"c\":\"g\",\"t\":\"t\",\"d\":[4294967296]}".getBytes(UTF_8)))
        .isInstanceOf(BodyException.class);
  }

  @Test
  void shouldBoundABatchOfAcknowledgements() {
    String all = Base64.getEncoder().encodeToString("\377".repeat(500).getBytes(ISO_8859_1));

    assertThat(BatchAckBody.decode(batch(BatchAckBody.MAX_ENTRIES, all))).hasSize(BatchAckBody.MAX_ENTRIES)
        .allSatisfy(entry -> assertThat(entry.queueOffsets()).hasSize(CheckpointBody.MAX_MESSAGES));
    assertThatThrownBy(() -> BatchAckBody.decode(batch(BatchAckBody.MAX_ENTRIES + 1, "AQ==")))
        .isInstanceOf(BodyException.class).hasMessageContaining("more than 4096 check points");
    assertThat(BatchAckBody.decode(batch(1, "A".repeat(BatchAckBody.MAX_BITS_TEXT)))).hasSize(1);
    assertThatThrownBy(() -> BatchAckBody.decode(batch(1, "A".repeat(BatchAckBody.MAX_BITS_TEXT + 4))))
        .isInstanceOf(BodyException.class).hasMessageContaining("8004 characters");
  }

  private static byte[] batch(int entries, String bits) {
    String entry = "{\"c\":\"g\",\"t\":\"t\",\"b\":\"" + bits + "\"}";
    return ("{\"acks\":[" + String.join(",", Collections.nCopies(entries, entry)) + "]}").getBytes(UTF_8);
  }

  @Test
  void shouldReadAndWriteHandles() {
    PopHandle handle = PopHandle.parse("100 1700000000000 60000 3 0 b0 2 103 999999");

    assertThat(handle).isEqualTo(new PopHandle(100, 1_700_000_000_000L, 60_000, 3));
    assertThat(handle.text(false, "b0", 2, 103)).isEqualTo("100 1700000000000 60000 3 0 b0 2 103");
    assertThat(handle.ordered()).isFalse();
    assertThat(PopHandle.parse("1 2 3 999 1 b0").ordered()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1 2 3 4 0", "x 2 3 4 0 b", "1 2 3 4.5 0 b", "99999999999999999999 2 3 4 0 b"})
  void shouldRefuseWhatIsNoHandle(String text) {
    assertThatThrownBy(() -> PopHandle.parse(text)).isInstanceOf(HeaderException.class).hasMessageContaining("extraInfo");
  }
}
