package io.metaq.codec.admin;

import io.metaq.codec.registry.RegistryJson;
import java.util.List;

/** The answer of QUERY_CONSUME_TIME_SPAN: from when to when the messages of each queue are, and how far a group is. */
public record TimeSpans(String brokerName, String topic, List<Queue> queues) {
  public TimeSpans {
    queues = List.copyOf(queues);
  }

  /**
   * One queue; store times, ms.
   *
   * @param consumedMs of the last message the group consumed
   * @param delayMs how long the next message has waited; 0 when there is none
   */
  public record Queue(int queueId, long firstMs, long lastMs, long consumedMs, long delayMs) {}

  public byte[] encode() {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeArrayFieldStart("consumeTimeSpanSet");
      for (Queue queue : queues) {
        out.writeStartObject();
        out.writeNumberField("consumeTimeStamp", queue.consumedMs);
        out.writeNumberField("delayTime", queue.delayMs);
        out.writeNumberField("maxTimeStamp", queue.lastMs);
        out.writeFieldName("messageQueue");
        QueueTable.write(out, brokerName, topic, queue.queueId);
        out.writeNumberField("minTimeStamp", queue.firstMs);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }
}
