package io.metaq.codec.admin;

import io.metaq.codec.registry.RegistryJson;
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
}
