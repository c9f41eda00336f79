package io.metaq.codec.record;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The properties of a message as one text: for each entry the name, byte 1, the value, byte 2. The last byte 2 may be missing (clients
 * before 5.0 leave it out). An entry without a name, without a value or without byte 1 is passed over.
 *
 * <pre>
 *   T A G S 01 t a g A 02 K E Y S 01 k 1 02
 * </pre>
 */
public final class PropertiesText {
  /** Ends a name. */
  public static final byte NAME_END = 1;

  /** Ends a value. */
  public static final byte ENTRY_END = 2;

  /** Longest text a record can hold, in bytes. */
  public static final int MAX_BYTES = RecordLayout.MAX_PROPERTIES;

  private PropertiesText() {}

  /** One entry with both separators, ready to be appended to a text. */
  public static byte[] entry(String name, String value) {
    byte[] n = name.getBytes(StandardCharsets.UTF_8);
    byte[] v = value.getBytes(StandardCharsets.UTF_8);
    byte[] entry = new byte[n.length + v.length + 2];
    System.arraycopy(n, 0, entry, 0, n.length);
    entry[n.length] = NAME_END;
    System.arraycopy(v, 0, entry, n.length + 1, v.length);
    entry[entry.length - 1] = ENTRY_END;
    return entry;
  }

  /** All entries in their order; of equal names the last one. */
  public static Map<String, String> decode(byte[] text, int from, int length) {
    Map<String, String> properties = new LinkedHashMap<>();
    PropertyCursor cursor = new PropertyCursor();
    cursor.over(text, from, length);
    while (cursor.next()) {
      properties.put(cursor.name(), cursor.value());
    }
    return properties;
  }

  /** As {@link #decode(byte[], int, int)}, of a whole array. */
  public static Map<String, String> decode(byte[] text) {
    return decode(text, 0, text.length);
  }

  /** The text of these entries; null values are left out. */
  public static byte[] encode(Map<String, String> properties) {
    StringBuilder text = new StringBuilder();
    properties.forEach(
        (name, value) -> {
          if (value != null) {
            text.append(name).append((char) NAME_END).append(value).append((char) ENTRY_END);
          }
        });
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
