package io.metaq.codec.remoting;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * What a producer gets for a message that waits for its time, to take it back with: URL-safe Base64 of five words with a space
 * between, {@code v1 topic brokerName dueMs uniqueKey}.
 */
public record RecallHandle(String topic, String brokerName, long dueMs, String uniqueKey) {
  private static final String VERSION = "v1";
  private static final String SEPARATOR = " ";
  private static final int WORDS = 5;

  /** The text for clients. */
  public String text() {
    String words = String.join(SEPARATOR, VERSION, topic, brokerName, Long.toString(dueMs), uniqueKey);
    return Base64.getUrlEncoder().encodeToString(words.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads a text; empty when it is none. */
  public static Optional<RecallHandle> of(String text) {
    try {
      String[] words = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(SEPARATOR);
      return words.length < WORDS || !VERSION.equals(words[0])
          ? Optional.empty()
          : Optional.of(new RecallHandle(words[1], words[2], Long.parseLong(words[3]), words[4]));
    } catch (IllegalArgumentException noHandle) {
      return Optional.empty();
    }
  }
}
