package io.metaq.codec.record;

import java.nio.charset.StandardCharsets;

/** The hash of {@link String#hashCode()}, taken from UTF-8 bytes without making the string when they are ASCII. */
public final class JavaHash {
  private JavaHash() {}

  /** Hash of the text in {@code [from, to)}. */
  public static int of(byte[] utf8, int from, int to) {
    return append(0, utf8, from, to);
  }

  /**
   * Hash of a longer text whose first part has the hash {@code first} and whose rest is {@code [from, to)}. The rest must begin at a
   * character border.
   */
  public static int append(int first, byte[] utf8, int from, int to) {
    int hash = first;
    for (int i = from; i < to; i++) {
      if (utf8[i] < 0) {
        return appendChars(hash, new String(utf8, i, to - i, StandardCharsets.UTF_8));
      }
      hash = 31 * hash + utf8[i];
    }
    return hash;
  }

  private static int appendChars(int first, String rest) {
    int hash = first;
    for (int i = 0; i < rest.length(); i++) {
      hash = 31 * hash + rest.charAt(i);
    }
    return hash;
  }
}
