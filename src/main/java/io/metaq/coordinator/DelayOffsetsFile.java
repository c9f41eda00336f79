package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.model.DataVersion;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Content of {@code delayOffset.json}.
 *
 * @param nextByLevel delay level from 1 on, next queue offset of that level's queue to deliver
 */
record DelayOffsetsFile(DataVersion version, Map<Integer, Long> nextByLevel) {
  static final ConfigFormat<DelayOffsetsFile> FORMAT = new Format();

  DelayOffsetsFile {
    nextByLevel = Map.copyOf(nextByLevel);
  }

  private static final class Format implements ConfigFormat<DelayOffsetsFile> {
    @Override
    public String fileName() {
      return "delayOffset.json";
    }

    @Override
    public DelayOffsetsFile read(JsonParser json) throws IOException {
      DataVersion[] version = {DataVersion.INITIAL};
      Map<Integer, Long> nextByLevel = new TreeMap<>();
      JsonFields.forEach(
          json,
          (name, value) -> {
            switch (name) {
              case "dataVersion" -> version[0] = JsonFields.version(value);
              case "offsetTable" -> JsonFields.forEach(
                  value, (level, offset) -> nextByLevel.put(JsonFields.key(level, offset), JsonFields.number(offset)));
              default -> value.skipChildren();
            }
          });
      return new DelayOffsetsFile(version[0], nextByLevel);
    }

    @Override
    public void write(DelayOffsetsFile content, JsonGenerator json) throws IOException {
      json.writeStartObject();
      JsonFields.versionField(content.version, json);
      json.writeObjectFieldStart("offsetTable");
      for (Map.Entry<Integer, Long> level : new TreeMap<>(content.nextByLevel).entrySet()) {
        json.writeNumberField(Integer.toString(level.getKey()), level.getValue());
      }
      json.writeEndObject();
      json.writeEndObject();
    }
  }
}
