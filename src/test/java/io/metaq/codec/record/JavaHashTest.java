package io.metaq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavaHashTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a", "tagA", "TAG1", "tagA || tagB", "orders#100045", "größe", "\u4e2d\u6587", "emoji \ud83d\ude00 end", "\u007f\u0080"})
  void shouldHashBytesLikeTheirString(String text) {
    byte[] bytes = ("<<" + text + ">>").getBytes(StandardCharsets.UTF_8);

    assertThat(JavaHash.of(bytes, 2, bytes.length - 2)).isEqualTo(text.hashCode());
  }

  @Test
  void shouldGoOnFromTheHashOfTheFirstPart() {
    byte[] key = "kéy".getBytes(StandardCharsets.UTF_8);

    assertThat(JavaHash.append("topic#".hashCode(), key, 0, key.length)).isEqualTo("topic#kéy".hashCode());
  }

  @Test
  void shouldGiveTheKnownHashes() {
    assertThat(hash("tagA")).isEqualTo(3552231);
    assertThat(hash("TAG1")).isEqualTo(2567159);
    assertThat(hash("tagA || tagB")).isEqualTo(1196408143);
    assertThat(hash("orders#100045")).isEqualTo(-1532098946);
  }

  private static int hash(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return JavaHash.of(bytes, 0, bytes.length);
  }
}
