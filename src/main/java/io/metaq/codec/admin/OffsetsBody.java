package io.metaq.codec.admin;

import io.metaq.codec.registry.RegistryJson;
import java.util.Map;

/** Answers with an offset for each queue of a topic. */
public final class OffsetsBody {
  private OffsetsBody() {}

  /** Of INVOKE_BROKER_TO_RESET_OFFSET and RESET_CONSUMER_CLIENT_OFFSET: where the group stands now, or is to stand. */
  public static byte[] reset(String brokerName, String topic, Map<Integer, Long> offsets) {
    QueueTable<Long> table = new QueueTable<>();
    offsets.forEach((queueId, offset) -> table.put(brokerName, topic, queueId, offset));
    return RegistryJson.write(out -> {
      out.writeStartObject();
      table.write(out, "offsetTable", (json, offset) -> json.writeNumber(offset));
      out.writeEndObject();
    });
  }

  /** The same for members that are no Java clients: a list, for their JSON has no objects as keys. */
  public static byte[] resetList(String brokerName, String topic, Map<Integer, Long> offsets) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeArrayFieldStart("offsetTable");
      for (Map.Entry<Integer, Long> entry : offsets.entrySet()) {
        out.writeStartObject();
        out.writeStringField("brokerName", brokerName);
        out.writeNumberField("offset", entry.getValue());
        out.writeNumberField("queueId", entry.getKey());
        out.writeStringField("topic", topic);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }

  /** Of QUERY_CORRECTION_OFFSET. */
  public static byte[] corrections(Map<Integer, Long> offsets) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("correctionOffsets");
      for (Map.Entry<Integer, Long> entry : offsets.entrySet()) {
        out.writeNumberField(Integer.toString(entry.getKey()), entry.getValue());
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }
}
