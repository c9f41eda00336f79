package io.metaq.codec.registry;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@link TopicConfig} in the two forms of a registration: a JSON object, and one line of text. */
public final class TopicConfigCodec {
  private static final int DEFAULT_QUEUES = 16;

  private TopicConfigCodec() {}

  /** One topic by itself. */
  public static byte[] encode(TopicConfig topic) {
    return RegistryJson.write(out -> write(out, topic));
  }

  /**
   * Reads {@code {"topicConfigList":[...]}}.
   *
   * @throws BodyException when it is not such a list
   */
  public static List<TopicConfig> decodeList(byte[] json) {
    List<TopicConfig> topics = new ArrayList<>();
    RegistryJson.read("list of topics", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("topicConfigList")) {
          RegistryJson.array(in, () -> topics.add(read(in, "")));
        }
      });
      return null;
    });
    return topics;
  }

  /**
   * Reads the answer of GET_ALL_TOPIC_CONFIG.
   *
   * @throws BodyException when it is none
   */
  public static List<TopicConfig> decodeTable(byte[] json) {
    List<TopicConfig> topics = new ArrayList<>();
    RegistryJson.read("table of topics", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("topicConfigTable")) {
          RegistryJson.object(in, topic -> topics.add(read(in, topic)));
        }
      });
      return null;
    });
    return topics;
  }

  /** Reads the answer of GET_TOPIC_CONFIG. */
  public static TopicConfig decode(byte[] json) {
    return RegistryJson.read("settings of a topic", json, in -> read(in, ""));
  }

  static void write(JsonGenerator out, TopicConfig topic) throws IOException {
    out.writeStartObject();
    out.writeFieldName("attributes");
    RegistryJson.write(out, topic.attributes());
    out.writeBooleanField("order", topic.order());
    out.writeNumberField("perm", topic.perm());
    out.writeNumberField("readQueueNums", topic.readQueues());
    out.writeStringField("topicFilterType", topic.filterType());
    out.writeStringField("topicName", topic.name());
    out.writeNumberField("topicSysFlag", topic.sysFlag());
    out.writeNumberField("writeQueueNums", topic.writeQueues());
    out.writeEndObject();
  }

  /**
   * Reads a topic that is kept under {@code key}, or under its own name when that is empty; what is missing has the default of the
   * protocol.
   */
  static TopicConfig read(JsonParser in, String key) throws IOException {
    Draft draft = new Draft();
    RegistryJson.object(in, name -> {
      switch (name) {
        case "attributes" -> draft.attributes = RegistryJson.texts(in);
        case "order" -> draft.order = RegistryJson.flag(in);
        case "perm" -> draft.perm = RegistryJson.integer(in);
        case "readQueueNums" -> draft.readQueues = RegistryJson.integer(in);
        case "topicName" -> draft.name = RegistryJson.text(in);
        case "topicFilterType" -> draft.filterType = RegistryJson.text(in);
        case "topicSysFlag" -> draft.sysFlag = RegistryJson.integer(in);
        case "writeQueueNums" -> draft.writeQueues = RegistryJson.integer(in);
        default -> { }
      }
    });
    return draft.named(key.isEmpty() && draft.name != null ? draft.name : key);
  }

  /** {@code name readQueues writeQueues perm filterType attributes}; order and system flag are not carried. */
  static String line(TopicConfig topic) {
    return topic.name() + ' ' + topic.readQueues() + ' ' + topic.writeQueues() + ' ' + topic.perm() + ' ' + topic.filterType() + ' '
        + new String(RegistryJson.write(out -> RegistryJson.write(out, topic.attributes())), StandardCharsets.UTF_8);
  }

  /** The topic of a line; the attributes may be missing and may hold spaces. */
  static TopicConfig ofLine(String line) {
    String[] parts = line.split(" ", 6);
    if (parts.length < 5) {
      throw new BodyException("a topic of the registration is not 'name read write perm filter [attributes]': '" + line + "'");
    }
    Map<String, String> attributes =
        parts.length < 6 || parts[5].isBlank()
            ? Map.of()
            : RegistryJson.read("attributes of topic " + parts[0],
                parts[5].getBytes(StandardCharsets.UTF_8), RegistryJson::texts);
    try {
      return new TopicConfig(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), Integer.parseInt(parts[3]), parts[4],
          0, false, attributes);
    } catch (NumberFormatException e) {
      throw new BodyException("a number of topic " + parts[0] + " cannot be read: '" + line + "'");
    }
  }

  @OwnedBy("the call that reads it")
  private static final class Draft {
    private Map<String, String> attributes = Map.of();
    private String name;
    private boolean order;
    private int perm = Perm.READ_WRITE;
    private int readQueues = DEFAULT_QUEUES;
    private int writeQueues = DEFAULT_QUEUES;
    private String filterType;
    private int sysFlag;

    private TopicConfig named(String name) {
      return new TopicConfig(
          name, readQueues, writeQueues, perm, filterType == null ? "SINGLE_TAG" : filterType, sysFlag, order, attributes);
    }
  }
}
