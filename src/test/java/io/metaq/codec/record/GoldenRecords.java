package io.metaq.codec.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The records under {@code golden/record}. */
final class GoldenRecords {
  private GoldenRecords() {}

  static ByteBuffer read(String name) throws IOException {
    try (InputStream file = GoldenRecords.class.getResourceAsStream("/golden/record/" + name)) {
      String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII).replaceAll("\\s", "");
      return ByteBuffer.wrap(HexFormat.of().parseHex(text));
    }
  }
}
