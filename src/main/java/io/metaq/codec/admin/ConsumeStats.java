package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The answer of GET_CONSUME_STATS: how far a group is in each queue. */
public record ConsumeStats(String brokerName, List<Queue> queues, double consumeTps) {
  public ConsumeStats {
    queues = List.copyOf(queues);
  }

  /**
   * One queue as one group sees it.
   *
   * @param consumerOffset the next offset to consume
   * @param lastStoreTimeMs store time of the last message consumed, 0 when unknown
   */
  public record Queue(String topic, int queueId, long brokerOffset, long consumerOffset, long lastStoreTimeMs) {
    public long behind() {
      return brokerOffset - consumerOffset;
    }
  }

  /** Messages the group has still to consume. */
  public long behind() {
    return queues.stream().mapToLong(Queue::behind).sum();
  }

  public byte[] encode() {
    return RegistryJson.write(this::write);
  }

  void write(JsonGenerator out) throws IOException {
    QueueTable<Queue> table = new QueueTable<>();
    queues.forEach(queue -> table.put(brokerName, queue.topic, queue.queueId, queue));
    out.writeStartObject();
    out.writeNumberField("consumeTps", consumeTps);
    table.write(out, "offsetTable", ConsumeStats::write);
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Queue queue) throws IOException {
    out.writeStartObject();
    out.writeNumberField("brokerOffset", queue.brokerOffset);
    out.writeNumberField("consumerOffset", queue.consumerOffset);
    out.writeNumberField("lastTimestamp", queue.lastStoreTimeMs);
    // What members have fetched beyond their progress is not known here.
    out.writeNumberField("pullOffset", queue.consumerOffset);
    out.writeEndObject();
  }

  /**
   * Reads the answer of one broker about one group.
   *
   * @throws BodyException when it is none
   */
  public static ConsumeStats decode(String brokerName, byte[] json) {
    return RegistryJson.read("progress of a group", ObjectKeys.asTexts(json), in -> read(brokerName, in));
  }

  static ConsumeStats read(String brokerName, JsonParser in) throws IOException {
    List<Queue> queues = new ArrayList<>();
    double[] consumeTps = new double[1];
    RegistryJson.object(in, name -> {
      switch (name) {
        case "offsetTable" -> QueueTable.read(in, queue -> queues.add(readQueue(in, queue)));
        case "consumeTps" -> consumeTps[0] = RegistryJson.decimal(in);
        default -> { }
      }
    });
    return new ConsumeStats(brokerName, queues, consumeTps[0]);
  }

  private static Queue readQueue(JsonParser in, QueueTable.Queue queue) throws IOException {
    long[] numbers = new long[3];
    RegistryJson.object(in, name -> {
      switch (name) {
        case "brokerOffset" -> numbers[0] = RegistryJson.number(in);
        case "consumerOffset" -> numbers[1] = RegistryJson.number(in);
        case "lastTimestamp" -> numbers[2] = RegistryJson.number(in);
        default -> { }
      }
    });
    return new Queue(queue.topic(), queue.queueId(), numbers[0], numbers[1], numbers[2]);
  }
}
