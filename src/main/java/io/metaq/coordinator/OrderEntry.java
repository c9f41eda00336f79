package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Where ordered pops of one queue stand, as a record of the revive log has it:
 * {@code {"t":topic,"c":group,"q":queueId,"n":next,"b":block}}, with the block in the form of {@code consumerOrderInfo.json}.
 *
 * @param next queue offset of the first message that is not settled
 * @param block what was popped last, null when nothing blocks
 */
record OrderEntry(String group, String topic, int queueId, long next, OrderBlock block) {
  private static final JsonFactory JSON = new JsonFactory();

  static OrderEntry of(PopQueue queue) {
    return new OrderEntry(queue.group(), queue.topic(), queue.queueId(), queue.next(), queue.block());
  }

  /** The move of the queue that it came after; 0, as of before any, when a move has just taken away what blocked. */
  long movedMs() {
    return block == null ? 0 : block.movedMs();
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("t", topic);
      json.writeStringField("c", group);
      json.writeNumberField("q", queueId);
      json.writeNumberField("n", next);
      if (block != null) {
        json.writeFieldName("b");
        write(block, json);
      }
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** Reads one; fails when it is none. */
  static OrderEntry decode(byte[] body) throws IOException {
    String[] names = {"", ""};
    long[] numbers = new long[2];
    OrderBlock[] block = new OrderBlock[1];
    try (JsonParser json = ConfigJson.FACTORY.createParser(body)) {
      json.nextToken();
      JsonFields.forEach(json, (name, value) -> {
        switch (name) {
          case "c" -> names[0] = JsonFields.text(value);
          case "t" -> names[1] = JsonFields.text(value);
          case "q" -> numbers[0] = JsonFields.integer(value);
          case "n" -> numbers[1] = JsonFields.number(value);
          case "b" -> block[0] = read(value);
          default -> value.skipChildren();
        }
      });
    }
    return new OrderEntry(names[0], names[1], (int) numbers[0], numbers[1], block[0]);
  }

  /**
   * Writes a block as RocketMQ does: {@code o} has the first offset and from the second on the distance to it, {@code ot} and
   * {@code oc} name only messages for which there is something to say. {@code mv}, the move it came after, is ours.
   */
  static void write(OrderBlock block, JsonGenerator json) throws IOException {
    long[] offsets = block.queueOffsets();
    json.writeStartObject();
    if (!block.attemptId().isEmpty()) {
      json.writeStringField("a", block.attemptId());
    }
    json.writeNumberField("cm", block.acked());
    json.writeNumberField("i", block.invisibleMs());
    json.writeNumberField("l", block.lastMs());
    if (block.movedMs() > 0) {
      json.writeNumberField("mv", block.movedMs());
    }
    json.writeArrayFieldStart("o");
    for (int i = 0; i < offsets.length; i++) {
      json.writeNumber(i == 0 ? offsets[0] : offsets[i] - offsets[0]);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("oc");
    for (int i = 0; i < offsets.length; i++) {
      if (block.deliveries()[i] > 0) {
        json.writeNumberField(Long.toString(offsets[i]), block.deliveries()[i]);
      }
    }
    json.writeEndObject();
    json.writeObjectFieldStart("ot");
    for (int i = 0; i < offsets.length; i++) {
      if (block.visibleAtMs()[i] > 0) {
        json.writeNumberField(Long.toString(offsets[i]), block.visibleAtMs()[i]);
      }
    }
    json.writeEndObject();
    json.writeNumberField("popTime", block.popTimeMs());
    json.writeEndObject();
  }

  /** Reads a block; null when it has no messages. */
  static OrderBlock read(JsonParser json) throws IOException {
    String[] attempt = {""};
    long[] numbers = new long[5];
    List<Long> offsets = new ArrayList<>();
    TreeMap<Long, Long> visibleAt = new TreeMap<>();
    TreeMap<Long, Long> deliveries = new TreeMap<>();
    JsonFields.forEach(json, (name, value) -> {
      switch (name) {
        case "a" -> attempt[0] = JsonFields.text(value);
        case "cm" -> numbers[0] = JsonFields.number(value);
        case "i" -> numbers[1] = JsonFields.number(value);
        case "l" -> numbers[2] = JsonFields.number(value);
        case "popTime" -> numbers[3] = JsonFields.number(value);
        case "mv" -> numbers[4] = JsonFields.number(value);
        case "o" -> readOffsets(value, offsets);
        case "ot" -> JsonFields.forEach(value, (offset, time) ->
            visibleAt.put(JsonFields.longKey(offset, time), JsonFields.number(time)));
        case "oc" -> JsonFields.forEach(value, (offset, count) ->
            deliveries.put(JsonFields.longKey(offset, count), JsonFields.number(count)));
        default -> value.skipChildren();
      }
    });
    if (offsets.isEmpty()) {
      return null;
    }
    long[] all = offsets.stream().mapToLong(Long::longValue).toArray();
    long[] times = new long[all.length];
    int[] counts = new int[all.length];
    for (int i = 0; i < all.length; i++) {
      times[i] = visibleAt.getOrDefault(all[i], 0L);
      counts[i] = deliveries.getOrDefault(all[i], 0L).intValue();
    }
    return new OrderBlock(attempt[0], numbers[3], numbers[1], all, times, counts, numbers[0], numbers[2], numbers[4]);
  }

  private static void readOffsets(JsonParser json, List<Long> offsets) throws IOException {
    while (json.nextToken() != JsonToken.END_ARRAY) {
      long number = JsonFields.number(json);
      offsets.add(offsets.isEmpty() ? number : offsets.get(0) + number);
    }
  }
}
