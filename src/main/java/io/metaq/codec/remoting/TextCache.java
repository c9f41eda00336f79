package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings of bytes seen before: topic and group names come again with every request. Direct-mapped, so it never grows; a name that
 * finds its place taken takes it over.
 */
@OwnedBy("the reader that holds it")
final class TextCache {
  private static final int PLACES = 256;
  private static final int LONGEST = 255;

  private final byte[][] bytes = new byte[PLACES][];
  private final String[] strings = new String[PLACES];

  String get(byte[] source, int from, int length) {
    if (length == 0) {
      return "";
    }
    if (length > LONGEST) {
      return new String(source, from, length, StandardCharsets.UTF_8);
    }
    int hash = 0;
    for (int i = from; i < from + length; i++) {
      hash = hash * 31 + source[i];
    }
    int place = (hash ^ hash >>> 16) & PLACES - 1;
    byte[] known = bytes[place];
    if (known != null && Arrays.equals(known, 0, known.length, source, from, from + length)) {
      return strings[place];
    }
    bytes[place] = Arrays.copyOfRange(source, from, from + length);
    strings[place] = new String(source, from, length, StandardCharsets.UTF_8);
    return strings[place];
  }
}
