package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.PropertiesText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SendPropertiesTest {
  private final SendProperties properties = new SendProperties();

  @Test
  void shouldKeepWhatTheProducerSentAndEndItWithASeparator() {
    read("TAGS\u0001a\u0002WAIT\u0001true\u0002KEYS\u0001k");

    assertThat(stored()).isEqualTo("TAGS\u0001a\u0002WAIT\u0001true\u0002KEYS\u0001k\u0002");
    assertThat(properties.waits()).isTrue();
    assertThat(properties.hasUniqueKey()).isFalse();
  }

  @Test
  void shouldFindWhatTheBrokerMustKnow() {
    read("WAIT\u0001false\u0002UNIQ_KEY\u0001u\u0002DELAY\u00013\u0002TRAN_MSG\u0001true\u0002TIMER_DELAY_MS\u00015\u0002");

    assertThat(properties.waits()).isFalse();
    assertThat(properties.hasUniqueKey()).isTrue();
    assertThat(properties.delay()).isEqualTo("3");
    assertThat(properties.half()).isTrue();
    assertThat(properties.timer()).isTrue();
  }

  @Test
  void shouldForgetTheMessageBefore() {
    read("WAIT\u0001false\u0002UNIQ_KEY\u0001u\u0002DELAY\u00013\u0002TRAN_MSG\u0001true\u0002TIMER_DELAY_MS\u00015\u0002");

    read("TAGS\u0001a\u0002");

    assertThat(properties.waits()).isTrue();
    assertThat(properties.hasUniqueKey()).isFalse();
    assertThat(properties.delay()).isNull();
    assertThat(properties.half()).isFalse();
    assertThat(properties.timer()).isFalse();
    assertThat(stored()).isEqualTo("TAGS\u0001a\u0002");
  }

  @Test
  void shouldNotKeepTheMemoryOfGiantProperties() {
    read("K\u0001" + "x".repeat(1 << 20));

    read("TAGS\u0001a");

    assertThat(properties.text().length).isLessThan(1 << 20);
    assertThat(stored()).isEqualTo("TAGS\u0001a\u0002");
  }

  @Test
  void shouldDropWhatClientsMayNotStore() {
    read("A\u00011\u0002POP_CK\u0001x\u0002MSG_REGION\u0001y\u0002B\u00012\u0002__RMQ.TRANSIENT.Z\u00013\u0002CLUSTER\u0001c\u0002TRACE_ON\u0001d");

    assertThat(stored()).isEqualTo("A\u00011\u0002B\u00012\u0002");
  }

  @Test
  void shouldLeaveOutOfAHalfMessageWhatOnlyTheBrokerSays() {
    read("A\u00011\u0002__transactionId__\u0001old\u0002UNIQ_KEY\u0001u\u0002TRANSACTION_CHECK_TIMES\u00019\u0002"
        + "TRAN_PREPARED_QUEUE_OFFSET\u00013\u0002B\u00012");

    String key = properties.forHalfMessage();

    assertThat(key).isEqualTo("u");
    assertThat(stored()).isEqualTo("A\u00011\u0002UNIQ_KEY\u0001u\u0002B\u00012\u0002");
  }

  @Test
  void shouldGrowWithLongProperties() {
    String value = "v".repeat(30_000);

    read("LONG\u0001" + value);
    properties.append(PropertiesText.entry("MORE", "m"));

    assertThat(stored()).isEqualTo("LONG\u0001" + value + "\u0002MORE\u0001m\u0002");
  }

  private void read(String text) {
    byte[] bytes = ("..." + text + "...").getBytes(StandardCharsets.UTF_8);
    properties.read(bytes, 3, bytes.length - 6);
  }

  private String stored() {
    return new String(properties.text(), 0, properties.length(), StandardCharsets.UTF_8);
  }
}
