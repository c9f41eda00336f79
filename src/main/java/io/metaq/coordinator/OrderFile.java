package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Content of {@code consumerOrderInfo.json}: what groups popped in order last.
 *
 * @param blocks by {@code topic@group} and queue id
 */
record OrderFile(Map<String, Map<Integer, OrderBlock>> blocks) {
  static final ConfigFormat<OrderFile> FORMAT = new Format();

  /** Between topic and group in a key; neither can contain it. */
  private static final char SIGN = '@';

  static String key(PopQueue queue) {
    return queue.topic() + SIGN + queue.group();
  }

  /** Takes a block over. */
  interface Taker {
    void take(String group, String topic, int queueId, OrderBlock block);
  }

  /** Hands every block over whose key names topic and group. */
  void forEach(Taker taker) {
    blocks.forEach((key, byQueue) -> {
      int sign = key.indexOf(SIGN);
      if (sign > 0) {
        byQueue.forEach((queueId, block) -> taker.take(key.substring(sign + 1), key.substring(0, sign), queueId, block));
      }
    });
  }

  private static final class Format implements ConfigFormat<OrderFile> {
    @Override
    public String fileName() {
      return "consumerOrderInfo.json";
    }

    @Override
    public OrderFile read(JsonParser json) throws IOException {
      Map<String, Map<Integer, OrderBlock>> blocks = new TreeMap<>();
      JsonFields.forEach(json, (name, value) -> {
        if (name.equals("table")) {
          JsonFields.forEach(value, (key, queues) -> readQueues(key, queues, blocks));
        } else {
          value.skipChildren();
        }
      });
      return new OrderFile(blocks);
    }

    private static void readQueues(String key, JsonParser json, Map<String, Map<Integer, OrderBlock>> blocks) throws IOException {
      Map<Integer, OrderBlock> byQueue = new TreeMap<>();
      JsonFields.forEach(json, (queueId, value) -> {
        OrderBlock block = OrderEntry.read(value);
        if (block != null) {
          byQueue.put(JsonFields.key(queueId, value), block);
        }
      });
      blocks.put(key, byQueue);
    }

    @Override
    public void write(OrderFile content, JsonGenerator json) throws IOException {
      json.writeStartObject();
      json.writeObjectFieldStart("table");
      for (Map.Entry<String, Map<Integer, OrderBlock>> entry : content.blocks.entrySet()) {
        json.writeObjectFieldStart(entry.getKey());
        for (Map.Entry<Integer, OrderBlock> queue : entry.getValue().entrySet()) {
          json.writeFieldName(Integer.toString(queue.getKey()));
          OrderEntry.write(queue.getValue(), json);
        }
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeEndObject();
    }
  }
}
