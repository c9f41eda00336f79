package io.metaq.codec.remoting;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecallHandleTest {
  private static final RecallHandle HANDLE = new RecallHandle("orders", "broker-a", 1_700_000_000_001L, "0A0B");

  @Test
  void shouldBeTheTextThatClientsOfRocketmqKnow() {
    String text = HANDLE.text();

    assertThat(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8)).isEqualTo("v1 orders broker-a 1700000000001 0A0B");
    assertThat(RecallHandle.of(text)).contains(HANDLE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v1 orders broker-a 1700000000001", "v2 orders broker-a 1700000000001 0A0B", "v1 orders broker-a soon 0A0B"})
  void shouldNotBeMadeOfOtherWords(String words) {
    assertThat(RecallHandle.of(Base64.getUrlEncoder().encodeToString(words.getBytes(StandardCharsets.UTF_8)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"***", "dj", "not a handle", "%00"})
  void shouldNotBeReadOutOfGarbage(String text) {
    assertThat(RecallHandle.of(text)).isEmpty();
  }
}
