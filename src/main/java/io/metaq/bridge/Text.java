package io.metaq.bridge;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Texts that strangers sent, made fit for a sentence or a log line. */
final class Text {
  private static final int MOST = 80;

  private Text() {}

  /** A header's value, whose bytes HTTP reads as Latin-1, as the UTF-8 that programs write; what is none stays as it is. */
  static String ofHeader(String value) {
    return ofUtf8(value.getBytes(StandardCharsets.ISO_8859_1)).orElse(value);
  }

  /** The text that bytes are as UTF-8; empty when they are none. */
  static Optional<String> ofUtf8(byte[] bytes) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException noUtf8) {
      return Optional.empty();
    }
  }

  /** Without control characters, and cut where it gets long. */
  static String printable(String text) {
    String clean = text.replaceAll("\\p{Cntrl}|[\\u2028\\u2029]", "?");
    return clean.length() <= MOST ? clean : clean.substring(0, MOST) + "...";
  }
}
