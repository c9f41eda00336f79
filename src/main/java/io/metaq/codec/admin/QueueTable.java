package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A table with a value for each queue. On the wire its keys are objects, which is no JSON but what RocketMQ's tools write and read.
 */
final class QueueTable<V> {
  /** Writes one value. */
  interface ValueWriter<V> {
    void write(JsonGenerator out, V value) throws IOException;
  }

  /** Takes the value of one queue; the parser stands at it. */
  interface ValueReader {
    void read(Queue queue) throws IOException;
  }

  /** A queue as the wire names it. */
  record Queue(String brokerName, String topic, int queueId) {}

  private final Map<String, V> values = new LinkedHashMap<>();

  /** Adds the value of one queue; its queue's name in JSON is the key. */
  void put(String brokerName, String topic, int queueId, V value) {
    values.put(text(out -> write(out, brokerName, topic, queueId)), value);
  }

  void write(JsonGenerator out, String field, ValueWriter<V> writer) throws IOException {
    StringBuilder table = new StringBuilder("{");
    for (Map.Entry<String, V> entry : values.entrySet()) {
      table.append(table.length() > 1 ? "," : "").append(entry.getKey()).append(':')
          .append(text(value -> writer.write(value, entry.getValue())));
    }
    out.writeFieldName(field);
    out.writeRawValue(table.append('}').toString());
  }

  /** A queue by itself. */
  static void write(JsonGenerator out, String brokerName, String topic, int queueId) throws IOException {
    out.writeStartObject();
    out.writeStringField("brokerName", brokerName);
    out.writeNumberField("queueId", queueId);
    out.writeStringField("topic", topic);
    out.writeEndObject();
  }

  /** Reads the table at which the parser stands, in a body that went through {@link ObjectKeys}. */
  static void read(JsonParser in, ValueReader reader) throws IOException {
    RegistryJson.object(in, key -> reader.read(queue(key)));
  }

  private static Queue queue(String key) {
    Map<String, String> fields = RegistryJson.read("name of a queue", key.getBytes(StandardCharsets.UTF_8), RegistryJson::texts);
    try {
      return new Queue(fields.getOrDefault("brokerName", ""), fields.getOrDefault("topic", ""),
          Integer.parseInt(fields.getOrDefault("queueId", "")));
    } catch (NumberFormatException nameless) {
      throw new BodyException("the name of a queue has no number: '" + key + "'");
    }
  }

  private static String text(RegistryJson.Writer writer) {
    return new String(RegistryJson.write(writer), StandardCharsets.UTF_8);
  }
}
