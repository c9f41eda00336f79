package io.metaq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PropertiesTextTest {
  @Test
  void shouldReadWhatItWrote() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("TAGS", "tagA");
    properties.put("KEYS", "k1 k2");
    properties.put("größe", "ü");

    byte[] text = PropertiesText.encode(properties);

    assertThat(PropertiesText.decode(text)).isEqualTo(properties);
    assertThat(text[text.length - 1]).isEqualTo((byte) 2);
  }

  @Test
  void shouldReadATextWithoutItsLastSeparator() {
    assertThat(decode("A\u0001b\u0002C\u0001d")).containsExactly(Map.entry("A", "b"), Map.entry("C", "d"));
  }

  @Test
  void shouldPassOverEntriesWithoutNameOrValueOrSeparator() {
    assertThat(decode("\u0001x\u0002A\u0001\u0002nothing\u0002\u0002B\u0001y\u0002")).containsExactly(Map.entry("B", "y"));
  }

  @Test
  void shouldSplitAtTheFirstSeparatorOnly() {
    assertThat(decode("A\u0001b\u0001c\u0002")).containsExactly(Map.entry("A", "b\u0001c"));
  }

  private static Map<String, String> decode(String text) {
    return PropertiesText.decode(text.getBytes(StandardCharsets.UTF_8));
  }
}
