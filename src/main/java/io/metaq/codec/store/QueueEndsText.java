package io.metaq.codec.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The text of {@code config/queueEnds.json}, which says what the consume queues held when they were last forced to the disk:
 *
 * <pre>
 *   {"phyOffset":81920,"logFirst":0,"indexEndPhyOffset":81500,"queues":{"orders":{"0":{"first":0,"next":118}}}}
 * </pre>
 *
 * <p>It is MetaQ's own file; Apache RocketMQ does not read it. With it, recovery sees a consume queue that is missing or short, and knows
 * exactly which units a crash cannot have touched.
 */
public final class QueueEndsText {
  private static final JsonFactory JSON = new JsonFactory();

  private QueueEndsText() {}

  /**
   * What was on the disk.
   *
   * @param phyOffset log position up to which everything is in the queues
   * @param logFirst first position of the log at that moment
   * @param indexEndPhyOffset log position of the last indexed record; -1 when nothing is indexed
   * @param queues by topic and queue id
   */
  public record QueueEnds(long phyOffset, long logFirst, long indexEndPhyOffset, Map<String, Map<Integer, Range>> queues) {
    /** An empty store. */
    public QueueEnds() {
      this(0, 0, -1, new TreeMap<>());
    }

    /** Notes one queue. */
    public void put(String topic, int queueId, long first, long next) {
      queues.computeIfAbsent(topic, name -> new TreeMap<>()).put(queueId, new Range(first, next));
    }
  }

  /**
   * Units of one queue: the first that has a file, and the next to be written. When they are equal there are no units (any more), but
   * the next message gets that number.
   */
  public record Range(long first, long next) {
    public boolean isEmpty() {
      return first == next;
    }
  }

  /** The text, UTF-8. */
  public static byte[] encode(QueueEnds ends) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("phyOffset", ends.phyOffset());
      json.writeNumberField("logFirst", ends.logFirst());
      json.writeNumberField("indexEndPhyOffset", ends.indexEndPhyOffset());
      json.writeObjectFieldStart("queues");
      for (Map.Entry<String, Map<Integer, Range>> topic : ends.queues().entrySet()) {
        json.writeObjectFieldStart(topic.getKey());
        for (Map.Entry<Integer, Range> queue : topic.getValue().entrySet()) {
          json.writeObjectFieldStart(queue.getKey().toString());
          json.writeNumberField("first", queue.getValue().first());
          json.writeNumberField("next", queue.getValue().next());
          json.writeEndObject();
        }
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new IllegalStateException("writing to memory failed", impossible);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a text back.
   *
   * @throws IOException when it is not such a text as a whole
   */
  public static QueueEnds decode(byte[] text) throws IOException {
    long phyOffset = -1;
    long logFirst = 0;
    long indexEndPhyOffset = -1;
    QueueEnds ends = new QueueEnds();
    try (JsonParser json = JSON.createParser(text)) {
      expect(json.nextToken(), JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        switch (field) {
          case "phyOffset" -> phyOffset = json.getLongValue();
          case "logFirst" -> logFirst = json.getLongValue();
          case "indexEndPhyOffset" -> indexEndPhyOffset = json.getLongValue();
          case "queues" -> readTopics(json, ends);
          default -> json.skipChildren();
        }
      }
      expect(json.currentToken(), JsonToken.END_OBJECT);
    }
    if (phyOffset < 0) {
      throw new IOException("phyOffset is missing");
    }
    return new QueueEnds(phyOffset, logFirst, indexEndPhyOffset, ends.queues());
  }

  private static void readTopics(JsonParser json, QueueEnds ends) throws IOException {
    expect(json.currentToken(), JsonToken.START_OBJECT);
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String topic = json.currentName();
      expect(json.nextToken(), JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        int queueId = queueId(json.currentName());
        expect(json.nextToken(), JsonToken.START_OBJECT);
        readRange(json, ends, topic, queueId);
      }
    }
  }

  private static void readRange(JsonParser json, QueueEnds ends, String topic, int queueId) throws IOException {
    long first = 0;
    long next = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "first" -> first = json.getLongValue();
        case "next" -> next = json.getLongValue();
        default -> json.skipChildren();
      }
    }
    ends.put(topic, queueId, first, next);
  }

  private static int queueId(String name) throws IOException {
    try {
      return Integer.parseInt(name);
    } catch (NumberFormatException notANumber) {
      throw new IOException("not a queue id: " + name, notANumber);
    }
  }

  private static void expect(JsonToken found, JsonToken wanted) throws IOException {
    if (found != wanted) {
      throw new IOException("expected " + wanted + ", found " + found);
    }
  }
}
