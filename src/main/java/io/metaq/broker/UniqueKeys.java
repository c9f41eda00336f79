package io.metaq.broker;

import java.util.HexFormat;
import java.util.UUID;

/** Unique keys for messages that come without one: 32 hexadecimal characters, as clients make them. */
final class UniqueKeys {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private UniqueKeys() {}

  static String next() {
    UUID random = UUID.randomUUID();
    return HEX.toHexDigits(random.getMostSignificantBits()) + HEX.toHexDigits(random.getLeastSignificantBits());
  }
}
