package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far each delay level has been delivered, from the table that slaves ask for: {@code {"offsetTable":{"3":12},...}}.
 */
public final class DelayOffsets {
  private static final JsonFactory JSON = new JsonFactory();

  private DelayOffsets() {}

  /**
   * The next queue offset by level, sorted; fields of the table that are not asked for are passed over.
   *
   * @throws IOException when it is no such table
   */
  public static Map<Integer, Long> read(byte[] table) throws IOException {
    Map<Integer, Long> byLevel = new TreeMap<>();
    try (JsonParser json = JSON.createParser(table)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean offsets = json.currentName().equals("offsetTable");
        json.nextToken();
        if (offsets) {
          while (json.nextToken() == JsonToken.FIELD_NAME) {
            int level = Integer.parseInt(json.currentName());
            byLevel.put(level, json.nextLongValue(0));
          }
        } else {
          json.skipChildren();
        }
      }
    }
    return byLevel;
  }
}
