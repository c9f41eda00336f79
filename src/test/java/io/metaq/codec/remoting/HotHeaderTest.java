package io.metaq.codec.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HotHeaderTest {
  private static final long SEED = 20260101;
  private static final String PROPERTIES = "UNIQ_KEY\u00017F0000011234\u0002WAIT\u0001true\u0002TAGS\u0001tag \"A\"\\\u0002";

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldReadASendByLetters(SerializeType type) {
    RemotingCommand command = RemotingCommand.decoded(310, "JAVA", 495, 77, 2, type);
    sendFields().forEach(command::ext);

    SendHeader header = read(new SendHeader(), command);

    assertThat(header.topic()).isEqualTo("bench");
    assertThat(text(header, header.topicStart(), header.topicLength())).isEqualTo("bench");
    assertThat(text(header, header.groupStart(), header.groupLength())).isEqualTo("PG");
    assertThat(text(header, header.defaultTopicStart(), header.defaultTopicLength())).isEqualTo("TBW102");
    assertThat(text(header, header.propertiesStart(), header.propertiesLength())).isEqualTo(PROPERTIES);
    assertThat(header.defaultTopicQueues()).isEqualTo(4);
    assertThat(header.queueId()).isEqualTo(-1);
    assertThat(header.sysFlag()).isEqualTo(1);
    assertThat(header.bornTimestamp()).isEqualTo(1_700_000_000_123L);
    assertThat(header.flag()).isEqualTo(9);
    assertThat(header.reconsumeTimes()).isEqualTo(3);
    assertThat(header.maxReconsumeTimes()).isEqualTo(-1);
    assertThat(header.unitMode()).isFalse();
    assertThat(header.batch()).isTrue();
    assertThat(header.oneway()).isTrue();
    assertThat(header.opaque()).isEqualTo(77);
    assertThat(header.version()).isEqualTo(495);
    assertThat(header.code()).isEqualTo(310);
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldReadASendByLongNames(SerializeType type) {
    RemotingCommand command = RemotingCommand.decoded(10, "JAVA", 409, 5, 0, type)
        .ext("producerGroup", "PG").ext("topic", "T").ext("defaultTopic", "TBW102").ext("defaultTopicQueueNums", 8).ext("queueId", 2)
        .ext("sysFlag", 0).ext("bornTimestamp", 1).ext("flag", 0).ext("maxReconsumeTimes", 16).ext("unitMode", "TRUE").ext("a", "no");

    SendHeader header = read(new SendHeader(), command);

    assertThat(header.group()).isEqualTo("PG");
    assertThat(header.topic()).isEqualTo("T");
    assertThat(header.defaultTopicQueues()).isEqualTo(8);
    assertThat(header.maxReconsumeTimes()).isEqualTo(16);
    assertThat(header.unitMode()).isTrue();
    assertThat(header.propertiesLength()).isZero();
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldReadAPull(SerializeType type) {
    RemotingCommand command = RemotingCommand.decoded(11, "JAVA", 513, 6, 0, type);
    pullFields().forEach(command::ext);
    command.ext("subscription", "a || b").ext("subVersion", 17).ext("expressionType", "TAG").ext("maxMsgBytes", 262144);

    PullHeader header = read(new PullHeader(), command);

    assertThat(header.group()).isEqualTo("CG");
    assertThat(header.topic()).isEqualTo("bench");
    assertThat(header.queueId()).isEqualTo(3);
    assertThat(header.queueOffset()).isEqualTo(Long.MAX_VALUE);
    assertThat(header.maxMsgNums()).isEqualTo(32);
    assertThat(header.sysFlag()).isEqualTo(6);
    assertThat(header.commitOffset()).isEqualTo(-1);
    assertThat(header.suspendTimeoutMs()).isEqualTo(15_000);
    assertThat(header.subscription()).isEqualTo("a || b");
    assertThat(text(header, header.subscriptionStart(), header.subscriptionLength())).isEqualTo("a || b");
    assertThat(header.subVersion()).isEqualTo(17);
    assertThat(header.expressionType()).isEqualTo("TAG");
    assertThat(header.maxMsgBytes()).isEqualTo(262_144);
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldReadAPullWithoutItsOptionalFields(SerializeType type) {
    RemotingCommand command = RemotingCommand.decoded(361, "JAVA", 513, 6, 0, type);
    pullFields().forEach(command::ext);

    PullHeader header = read(new PullHeader(), command);

    assertThat(header.hasSubscription()).isFalse();
    assertThat(header.subscription()).isEmpty();
    assertThat(header.expressionType()).isEmpty();
    assertThat(header.subVersion()).isZero();
    assertThat(header.maxMsgBytes()).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldNameTheRequiredFieldThatIsMissing(SerializeType type) {
    Map<String, String> names = Map.of("a", "producerGroup", "b", "topic", "c", "defaultTopic", "d", "defaultTopicQueueNums",
        "e", "queueId", "f", "sysFlag", "g", "bornTimestamp", "h", "flag");

    names.forEach((letter, name) -> {
      RemotingCommand command = RemotingCommand.decoded(310, "JAVA", 513, 1, 0, type);
      Map<String, String> fields = sendFields();
      fields.remove(letter);
      fields.forEach(command::ext);

      assertThatThrownBy(() -> read(new SendHeader(), command)).isInstanceOf(HeaderException.class).hasMessageContaining("'" + name + "'");
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "x", "1x", "2147483648", "99999999999999999999", "1.0"})
  void shouldNameTheFieldThatIsNoNumber(String value) {
    Map<String, String> fields = sendFields();
    fields.put("e", value);
    byte[] header = json(310, fields).getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> new SendHeader().read(header, header.length, SerializeType.JSON))
        .isInstanceOf(HeaderException.class).hasMessageContaining("'queueId'");
  }

  @Test
  void shouldGiveTheSameStringForTheSameName() {
    SendHeader header = new SendHeader();
    byte[] json = json(310, sendFields()).getBytes(StandardCharsets.UTF_8);

    header.read(json, json.length, SerializeType.JSON);
    String first = header.topic();
    header.read(json, json.length, SerializeType.JSON);

    assertThat(header.topic()).isSameAs(first);
  }

  @Test
  void shouldForgetTheFieldsOfTheHeaderBefore() {
    SendHeader header = new SendHeader();
    Map<String, String> fields = sendFields();
    byte[] full = json(310, fields).getBytes(StandardCharsets.UTF_8);
    fields.remove("i");
    fields.remove("j");
    byte[] less = json(310, fields).getBytes(StandardCharsets.UTF_8);

    header.read(full, full.length, SerializeType.JSON);
    header.read(less, less.length, SerializeType.JSON);

    assertThat(header.propertiesLength()).isZero();
    assertThat(header.reconsumeTimes()).isZero();
  }

  /** Headers of all the usual shapes with seeded mutations: the scanner must see what Jackson sees, or fail as it fails. */
  @Test
  void shouldAgreeWithTheReferenceDecoderOnMutatedSends() {
    SendHeader header = new SendHeader();
    agree(310, HotHeaderTest::sendFields, (scanned, command) -> {
      header.read(scanned, scanned.length, SerializeType.JSON);
      assertThat(header.opaque()).isEqualTo(command.opaque());
      assertThat(header.version()).isEqualTo(command.version());
      assertThat(header.oneway()).isEqualTo(command.oneway());
      if (header.code() == 310) {
        assertThat(header.topic()).isEqualTo(command.requireText("b"));
        assertThat(header.group()).isEqualTo(command.requireText("a"));
        assertThat(header.defaultTopic()).isEqualTo(command.requireText("c"));
        assertThat(header.queueId()).isEqualTo(command.requireInt("e"));
        assertThat(header.bornTimestamp()).isEqualTo(command.requireLong("g"));
        assertThat(text(header, header.propertiesStart(), header.propertiesLength())).isEqualTo(command.text("i").orElse(""));
        assertThat(header.reconsumeTimes()).isEqualTo((int) command.longOr("j", 0));
      }
    });
  }

  @Test
  void shouldAgreeWithTheReferenceDecoderOnMutatedPulls() {
    PullHeader header = new PullHeader();
    agree(11, HotHeaderTest::pullFields, (scanned, command) -> {
      header.read(scanned, scanned.length, SerializeType.JSON);
      assertThat(header.opaque()).isEqualTo(command.opaque());
      assertThat(header.topic()).isEqualTo(command.requireText("topic"));
      assertThat(header.queueOffset()).isEqualTo(command.requireLong("queueOffset"));
      assertThat(header.subscription()).isEqualTo(command.text("subscription").orElse(""));
    });
  }

  @Test
  void shouldPeekWhatTheReferenceDecoderDecodes() {
    HeaderPeek peek = new HeaderPeek();
    agree(310, HotHeaderTest::sendFields, (scanned, command) -> {
      peek.read(scanned, scanned.length, SerializeType.JSON);
      assertThat(peek.code()).isEqualTo(command.code());
      assertThat(peek.opaque()).isEqualTo(command.opaque());
      assertThat(peek.oneway()).isEqualTo(command.oneway());
      assertThat(peek.isResponse()).isEqualTo(command.isResponse());
    });
  }

  /** Calls {@code check} for each mutated header that the reference decoder accepts. */
  private static void agree(int code, Supplier<Map<String, String>> fields, BiConsumer<byte[], RemotingCommand> check) {
    Random random = new Random(SEED);
    int accepted = 0;
    for (int round = 0; round < 10_000; round++) {
      byte[] header = mutated(random, json(code, fields.get()));
      RemotingCommand command;
      try {
        command = HeaderCodec.decode(header, 0, header.length, SerializeType.JSON);
      } catch (HeaderException refused) {
        continue;
      }
      accepted++;
      try {
        check.accept(header, command);
      } catch (HeaderException refused) {
        if (command.code() == code && !lacksSomething(command, fields.get())) {
          throw new AssertionError("round " + round + " header " + new String(header, StandardCharsets.UTF_8), refused);
        }
      } catch (AssertionError different) {
        throw new AssertionError("round " + round + " header " + new String(header, StandardCharsets.UTF_8), different);
      }
    }
    assertThat(accepted).isGreaterThan(2_000);
  }

  /** A required field is gone, or is no number any more. */
  private static boolean lacksSomething(RemotingCommand command, Map<String, String> fields) {
    return fields.entrySet().stream().anyMatch(field -> {
      String value = command.text(field.getKey()).orElse(null);
      return value == null || field.getValue().matches("-?[0-9]+") && !value.equals(field.getValue());
    });
  }

  private static byte[] mutated(Random random, String json) {
    StringBuilder text = new StringBuilder(json);
    String[] inserts = {"\\u0041", "\\u00e9", "\\ud83d\\ude80", "\\n", "\\/", "\\q", "\\u12", " ", "\t", "\u00e4", "\u6d88", "\"", "\\", "{", "}",
        ",", ":", "null", "0", "-", "1e3", "\u0001", "\"x\":5,", "\"y\":null,", ",\"z\":{\"opaque\":3}", "\"opaque\":9,", "true"};
    int mutations = random.nextInt(4);
    for (int i = 0; i < mutations; i++) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, inserts[random.nextInt(inserts.length)]);
        case 1 -> text.deleteCharAt(at);
        case 2 -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
        default -> text.delete(at, Math.min(text.length(), at + random.nextInt(30)));
      }
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(10) == 0 && bytes.length > 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static Map<String, String> sendFields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("a", "PG");
    fields.put("b", "bench");
    fields.put("c", "TBW102");
    fields.put("d", "4");
    fields.put("e", "-1");
    fields.put("f", "1");
    fields.put("g", "1700000000123");
    fields.put("h", "9");
    fields.put("i", PROPERTIES);
    fields.put("j", "3");
    fields.put("k", "false");
    fields.put("m", "true");
    return fields;
  }

  private static Map<String, String> pullFields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("consumerGroup", "CG");
    fields.put("topic", "bench");
    fields.put("queueId", "3");
    fields.put("queueOffset", Long.toString(Long.MAX_VALUE));
    fields.put("maxMsgNums", "32");
    fields.put("sysFlag", "6");
    fields.put("commitOffset", "-1");
    fields.put("suspendTimeoutMillis", "15000");
    return fields;
  }

  private static String json(int code, Map<String, String> fields) {
    RemotingCommand command = RemotingCommand.decoded(code, "JAVA", 495, 77, 0, SerializeType.JSON);
    fields.forEach(command::ext);
    ByteSink sink = new ByteSink(256);
    HeaderCodec.encode(command, sink);
    return new String(sink.array(), 8, sink.length() - 8, StandardCharsets.UTF_8);
  }

  private static <H extends HotHeader> H read(H header, RemotingCommand command) {
    ByteSink sink = new ByteSink(256);
    HeaderCodec.encode(command, sink);
    byte[] bytes = Arrays.copyOfRange(sink.array(), 8, sink.length());
    header.read(bytes, bytes.length, command.type());
    return header;
  }

  private static String text(HotHeader header, int from, int length) {
    return new String(header.text(), from, length, StandardCharsets.UTF_8);
  }
}
