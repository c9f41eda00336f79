package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonToken;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

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

  /**
   * Reads the answer of INVOKE_BROKER_TO_RESET_OFFSET: an offset for each queue of the topic.
   *
   * @throws BodyException when it is none
   */
  public static Map<Integer, Long> decodeReset(byte[] json) {
    Map<Integer, Long> offsets = new TreeMap<>();
    RegistryJson.read("offsets of a reset", ObjectKeys.asTexts(json), in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("offsetTable")) {
          QueueTable.read(in, queue -> offsets.put(queue.queueId(), RegistryJson.number(in)));
        }
      });
      return null;
    });
    return offsets;
  }

  /**
   * Reads the body of RESET_CONSUMER_CLIENT_OFFSET in either form: where a member is to go on in each queue.
   *
   * @throws BodyException when it is none
   */
  public static Map<QueueRef, Long> decodeResetOrder(byte[] json) {
    Map<QueueRef, Long> offsets = new HashMap<>();
    RegistryJson.read("offsets of a reset", ObjectKeys.asTexts(json), in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("offsetTable") && in.currentToken() == JsonToken.START_ARRAY) {
          RegistryJson.array(in, () -> putQueue(offsets, RegistryJson.texts(in)));
        } else if (name.equals("offsetTable")) {
          QueueTable.read(in, queue ->
              offsets.put(new QueueRef(queue.topic(), queue.brokerName(), queue.queueId()), RegistryJson.number(in)));
        }
      });
      return null;
    });
    return offsets;
  }

  private static void putQueue(Map<QueueRef, Long> offsets, Map<String, String> fields) {
    try {
      QueueRef queue = new QueueRef(
          fields.getOrDefault("topic", ""), fields.getOrDefault("brokerName", ""), Integer.parseInt(fields.getOrDefault("queueId", "")));
      offsets.put(queue, Long.parseLong(fields.getOrDefault("offset", "")));
    } catch (NumberFormatException incomplete) {
      throw new BodyException("a queue of a reset has no number or no offset: " + fields);
    }
  }

  /** Answer to GET_CONSUMER_STATUS_FROM_CLIENT: where the member stands in each queue it has. */
  public static byte[] status(Map<QueueRef, Long> offsets) {
    QueueTable<Long> table = new QueueTable<>();
    offsets.forEach((queue, offset) -> table.put(queue.brokerName(), queue.topic(), queue.queueId(), offset));
    return RegistryJson.write(out -> {
      out.writeStartObject();
      table.write(out, "messageQueueTable", (json, offset) -> json.writeNumber(offset));
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
