package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Content of {@code topics.json}.
 *
 * @param others top-level fields this project has no use for, as JSON text; kept so that a RocketMQ broker finds them again
 */
record TopicsFile(DataVersion version, List<TopicConfig> topics, Map<String, String> others) {
  static final ConfigFormat<TopicsFile> FORMAT = new Format();

  TopicsFile {
    topics = List.copyOf(topics);
    others = Map.copyOf(others);
  }

  private static final class Format implements ConfigFormat<TopicsFile> {
    @Override
    public String fileName() {
      return "topics.json";
    }

    @Override
    public TopicsFile read(JsonParser json) throws IOException {
      DataVersion[] version = {DataVersion.INITIAL};
      List<TopicConfig> topics = new ArrayList<>();
      Map<String, String> others = new TreeMap<>();
      JsonFields.forEach(
          json,
          (name, value) -> {
            switch (name) {
              case "dataVersion" -> version[0] = JsonFields.version(value);
              case "topicConfigTable" -> JsonFields.forEach(value, (topic, entry) -> topics.add(topic(topic, entry)));
              default -> others.put(name, JsonFields.raw(value));
            }
          });
      return new TopicsFile(version[0], topics, others);
    }

    private static TopicConfig topic(String key, JsonParser json) throws IOException {
      TopicFields topic = new TopicFields(key);
      JsonFields.forEach(json, topic);
      return topic.config();
    }

    @Override
    public void write(TopicsFile content, JsonGenerator json) throws IOException {
      json.writeStartObject();
      JsonFields.versionField(content.version, json);
      json.writeObjectFieldStart("topicConfigTable");
      for (TopicConfig topic : content.topics) {
        json.writeFieldName(topic.name());
        write(topic, json);
      }
      json.writeEndObject();
      JsonFields.rawFields(content.others, json);
      json.writeEndObject();
    }

    private static void write(TopicConfig topic, JsonGenerator json) throws IOException {
      json.writeStartObject();
      JsonFields.textsField("attributes", topic.attributes(), json);
      json.writeBooleanField("order", topic.order());
      json.writeNumberField("perm", topic.perm());
      json.writeNumberField("readQueueNums", topic.readQueues());
      json.writeStringField("topicFilterType", topic.filterType());
      json.writeStringField("topicName", topic.name());
      json.writeNumberField("topicSysFlag", topic.sysFlag());
      json.writeNumberField("writeQueueNums", topic.writeQueues());
      json.writeEndObject();
    }
  }

  /** Collects the fields of one topic; what is missing has RocketMQ's default. */
  @OwnedBy("the reader of the file")
  private static final class TopicFields implements JsonFields.FieldReader {
    private String name;
    private int readQueues = 16;
    private int writeQueues = 16;
    private int perm = Perm.READ_WRITE;
    private String filterType = "SINGLE_TAG";
    private int sysFlag;
    private boolean order;
    private Map<String, String> attributes = Map.of();

    TopicFields(String name) {
      this.name = name;
    }

    @Override
    public void read(String field, JsonParser json) throws IOException {
      switch (field) {
        case "topicName" -> name = JsonFields.text(json);
        case "readQueueNums" -> readQueues = JsonFields.integer(json);
        case "writeQueueNums" -> writeQueues = JsonFields.integer(json);
        case "perm" -> perm = JsonFields.integer(json);
        case "topicFilterType" -> filterType = JsonFields.text(json);
        case "topicSysFlag" -> sysFlag = JsonFields.integer(json);
        case "order" -> order = JsonFields.flag(json);
        case "attributes" -> attributes = JsonFields.texts(json);
        default -> json.skipChildren();
      }
    }

    TopicConfig config() {
      return new TopicConfig(name, readQueues, writeQueues, perm, filterType, sysFlag, order, attributes);
    }
  }
}
