package io.metaq.codec.client;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.util.HashMap;
import java.util.Map;

/**
 * What a client keeps in a file of a broadcasting group, {@code {"version":1,"group":"g","queues":[{"topic":"T","broker":"b0","queueId":0,
 * "offset":7}]}}. Our own format.
 */
public final class LocalProgressBody {
  private static final int VERSION = 1;

  private LocalProgressBody() {}

  /** A queue by its names. */
  public record Queue(String topic, String broker, int queueId) {}

  public static byte[] encode(String group, Map<Queue, Long> offsets) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeNumberField("version", VERSION);
      out.writeStringField("group", group);
      out.writeArrayFieldStart("queues");
      for (Map.Entry<Queue, Long> entry : offsets.entrySet()) {
        out.writeStartObject();
        out.writeStringField("topic", entry.getKey().topic());
        out.writeStringField("broker", entry.getKey().broker());
        out.writeNumberField("queueId", entry.getKey().queueId());
        out.writeNumberField("offset", entry.getValue());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }

  /**
   * The offsets in a file.
   *
   * @throws BodyException when it is not of this format
   */
  public static Map<Queue, Long> decode(byte[] json) {
    Map<Queue, Long> offsets = new HashMap<>();
    boolean[] known = new boolean[1];
    RegistryJson.read("progress", json, in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "version" -> known[0] = RegistryJson.integer(in) == VERSION;
          case "queues" -> RegistryJson.array(in, () -> put(offsets, RegistryJson.texts(in)));
          default -> { }
        }
      });
      return null;
    });
    if (!known[0]) {
      throw new BodyException("it is not of version " + VERSION);
    }
    return offsets;
  }

  private static void put(Map<Queue, Long> offsets, Map<String, String> fields) {
    try {
      Queue queue = new Queue(
          fields.getOrDefault("topic", ""), fields.getOrDefault("broker", ""), Integer.parseInt(fields.getOrDefault("queueId", "")));
      offsets.put(queue, Long.parseLong(fields.getOrDefault("offset", "")));
    } catch (NumberFormatException incomplete) {
      throw new BodyException("a queue has no number or no offset: " + fields);
    }
  }
}
