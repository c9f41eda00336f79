package io.metaq.codec.remoting;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A fixed set of field names, found by their bytes without making a string. */
final class FieldNames {
  private final byte[][] names;

  FieldNames(List<String> names) {
    this.names = names.stream().map(name -> name.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
  }

  /** The place of a name in the list, negative when it is not in it. */
  int slot(byte[] source, int from, int length) {
    for (int slot = 0; slot < names.length; slot++) {
      byte[] name = names[slot];
      if (name.length == length && name[0] == source[from] && Arrays.equals(name, 0, length, source, from, from + length)) {
        return slot;
      }
    }
    return -1;
  }
}
