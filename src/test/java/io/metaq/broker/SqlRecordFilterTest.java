package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.RecordLayout;
import io.metaq.filter.SqlFilter;
import io.metaq.model.RecordFilter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlRecordFilterTest {
  private static final byte[] HOST = {127, 0, 0, 1, 0, 0, 0x2a, (byte) 0x9f};
  private static final int PLACE = 24;

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "a = 'x' | a=x;TAGS=t | true", "TAGS = 't' AND a = 'x' | a=x;TAGS=t | true", "a = 'y' | a=x | false", "a IS NULL | aa=x;b=a | true",
    "a = 'last' | a=first;a=last | true", "a = '\u00e4\u20ac' | a=\u00e4\u20ac | true", "a IS NULL | a= | true", "a IS NULL AND b IS NULL | '' | true",
    "a > 5 | a=x | false", "a > 5 OR a <= 5 | a=x | false"})
  void shouldJudgeARecordByItsProperties(String expression, String properties, boolean wanted) {
    ByteBuffer log = record(properties.replace('=', '\u0001').replace(';', '\u0002'));

    assertThat(filter(expression).admits(log, PLACE)).isEqualTo(wanted);
  }

  @Test
  void shouldForgetTheRecordBefore() {
    RecordFilter filter = filter("a IS NULL AND b = '2'");

    assertThat(filter.admits(record("a\u00011\u0002b\u00012"), PLACE)).isFalse();
    assertThat(filter.admits(record("b\u00012"), PLACE)).isTrue();
    assertThat(filter.admits(record("c\u00012"), PLACE)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"84, 1000000", "84, -1", "89, 127", "36, 16", "36, 48"})
  void shouldLeaveARecordWithDamagedLengthsToItsReader(int at, int value) {
    ByteBuffer log = record("a\u00011");
    if (at == 89) {
      log.put(PLACE + at, (byte) value);
    } else {
      log.putInt(PLACE + at, value);
    }

    assertThat(filter("a = 2").admits(log, PLACE)).isTrue();
  }

  @Test
  void shouldTireByTheWeightOfTheFilterAndTheLengthOfTheProperties() {
    ByteBuffer small = record("a\u00011");
    ByteBuffer big = record("a\u0001" + "1".repeat(32_000));
    String terms = IntStream.range(0, 10_000).mapToObj(i -> "a=" + i).collect(Collectors.joining(" OR "));

    assertThat(admittedUntilTired(filter("a = 2"), small)).isGreaterThan(10_000);
    assertThat(admittedUntilTired(filter("a = 2"), big)).isBetween(20, 1_000);
    assertThat(admittedUntilTired(filter(terms), small)).isBetween(2, 20);
    assertThat(admittedUntilTired(filter(terms), big)).isEqualTo(1);
  }

  private static int admittedUntilTired(RecordFilter filter, ByteBuffer log) {
    int asked = 0;
    while (!filter.tired()) {
      filter.admits(log, PLACE);
      asked++;
    }
    return asked;
  }

  private static RecordFilter filter(String expression) {
    return new SqlSelection(SqlFilter.compile(expression)).get();
  }

  private static ByteBuffer record(String properties) {
    byte[] text = properties.getBytes(StandardCharsets.UTF_8);
    RecordEncoder encoder = new RecordEncoder(HOST)
        .topic(new byte[] {'T'}, 0, 1).properties(text, 0, text.length).body(ByteBuffer.wrap(new byte[] {'b'})).born(HOST, 1)
        .message(0, 0, 0, 0, 0);
    ByteBuffer log = ByteBuffer.allocate(PLACE + encoder.size());
    encoder.writeTo(log, PLACE);
    log.putLong(PLACE + RecordLayout.PHY_OFFSET, 4711);
    return log;
  }
}
