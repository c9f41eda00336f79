package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The answer of GET_TOPIC_STATS_INFO: how far each queue of a topic reaches. */
public record TopicStats(String brokerName, String topic, List<Queue> queues, double putTps) {
  public TopicStats {
    queues = List.copyOf(queues);
  }

  /**
   * One queue.
   *
   * @param lastStoreTimeMs of its last message, 0 when it has none
   */
  public record Queue(int queueId, long minOffset, long maxOffset, long lastStoreTimeMs) {}

  public byte[] encode() {
    QueueTable<Queue> table = new QueueTable<>();
    queues.forEach(queue -> table.put(brokerName, topic, queue.queueId, queue));
    return RegistryJson.write(out -> {
      out.writeStartObject();
      table.write(out, "offsetTable", (json, queue) -> {
        json.writeStartObject();
        json.writeNumberField("lastUpdateTimestamp", queue.lastStoreTimeMs);
        json.writeNumberField("maxOffset", queue.maxOffset);
        json.writeNumberField("minOffset", queue.minOffset);
        json.writeEndObject();
      });
      out.writeNumberField("topicPutTps", putTps);
      out.writeEndObject();
    });
  }

  /**
   * Reads the answer of one broker about one topic.
   *
   * @throws BodyException when it is none
   */
  public static TopicStats decode(String brokerName, String topic, byte[] json) {
    List<Queue> queues = new ArrayList<>();
    double[] putTps = new double[1];
    RegistryJson.read("statistics of a topic", ObjectKeys.asTexts(json), in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "offsetTable" -> QueueTable.read(in, queue -> queues.add(readQueue(in, queue.queueId())));
          case "topicPutTps" -> putTps[0] = RegistryJson.decimal(in);
          default -> { }
        }
      });
      return null;
    });
    return new TopicStats(brokerName, topic, queues, putTps[0]);
  }

  private static Queue readQueue(JsonParser in, int queueId) throws IOException {
    long[] numbers = new long[3];
    RegistryJson.object(in, name -> {
      switch (name) {
        case "minOffset" -> numbers[0] = RegistryJson.number(in);
        case "maxOffset" -> numbers[1] = RegistryJson.number(in);
        case "lastUpdateTimestamp" -> numbers[2] = RegistryJson.number(in);
        default -> { }
      }
    });
    return new Queue(queueId, numbers[0], numbers[1], numbers[2]);
  }
}
