package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.model.DataVersion;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Content of {@code subscriptionGroup.json}.
 *
 * @param forbidden by group and topic, what the group may not do there: bits with the numbers of {@link io.metaq.model.Perm}
 * @param others top-level fields this project has no use for yet, as JSON text; kept so that a RocketMQ broker finds them again
 */
record GroupsFile(
    DataVersion version, List<GroupConfig> groups, Map<String, Map<String, Integer>> forbidden, Map<String, String> others) {
  static final ConfigFormat<GroupsFile> FORMAT = new Format();

  GroupsFile {
    groups = List.copyOf(groups);
    forbidden = Map.copyOf(forbidden);
    others = Map.copyOf(others);
  }

  private static final class Format implements ConfigFormat<GroupsFile> {
    @Override
    public String fileName() {
      return "subscriptionGroup.json";
    }

    @Override
    public GroupsFile read(JsonParser json) throws IOException {
      DataVersion[] version = {DataVersion.INITIAL};
      List<GroupConfig> groups = new ArrayList<>();
      Map<String, Map<String, Integer>> forbidden = new TreeMap<>();
      Map<String, String> others = new TreeMap<>();
      JsonFields.forEach(
          json,
          (name, value) -> {
            switch (name) {
              case "dataVersion" -> version[0] = JsonFields.version(value);
              case "subscriptionGroupTable" -> JsonFields.forEach(value, (group, entry) -> groups.add(group(group, entry)));
              case "forbiddenTable" -> JsonFields.forEach(value, (group, topics) -> forbidden.put(group, bits(topics)));
              default -> others.put(name, JsonFields.raw(value));
            }
          });
      return new GroupsFile(version[0], groups, forbidden, others);
    }

    private static Map<String, Integer> bits(JsonParser json) throws IOException {
      Map<String, Integer> bits = new TreeMap<>();
      JsonFields.forEach(json, (topic, value) -> bits.put(topic, JsonFields.integer(value)));
      return bits;
    }

    private static GroupConfig group(String key, JsonParser json) throws IOException {
      GroupFields group = new GroupFields(key);
      JsonFields.forEach(json, group);
      return group.config();
    }

    @Override
    public void write(GroupsFile content, JsonGenerator json) throws IOException {
      json.writeStartObject();
      JsonFields.versionField(content.version, json);
      json.writeObjectFieldStart("forbiddenTable");
      for (Map.Entry<String, Map<String, Integer>> group : new TreeMap<>(content.forbidden).entrySet()) {
        json.writeObjectFieldStart(group.getKey());
        for (Map.Entry<String, Integer> topic : new TreeMap<>(group.getValue()).entrySet()) {
          json.writeNumberField(topic.getKey(), topic.getValue());
        }
        json.writeEndObject();
      }
      json.writeEndObject();
      JsonFields.rawFields(new TreeMap<>(content.others), json);
      json.writeObjectFieldStart("subscriptionGroupTable");
      for (GroupConfig group : content.groups) {
        json.writeFieldName(group.name());
        write(group, json);
      }
      json.writeEndObject();
      json.writeEndObject();
    }

    private static void write(GroupConfig group, JsonGenerator json) throws IOException {
      json.writeStartObject();
      JsonFields.textsField("attributes", group.attributes(), json);
      json.writeNumberField("brokerId", group.brokerId());
      json.writeBooleanField("consumeBroadcastEnable", group.consumeBroadcastEnabled());
      json.writeBooleanField("consumeEnable", group.consumeEnabled());
      json.writeBooleanField("consumeFromMinEnable", group.consumeFromMinEnabled());
      json.writeBooleanField("consumeMessageOrderly", group.consumeOrderly());
      json.writeNumberField("consumeTimeoutMinute", group.consumeTimeoutMinutes());
      json.writeStringField("groupName", group.name());
      JsonFields.rawField("groupRetryPolicy", group.retryPolicyJson(), json);
      json.writeNumberField("groupSysFlag", group.sysFlag());
      json.writeBooleanField("notifyConsumerIdsChangedEnable", group.notifyMembersChanged());
      json.writeNumberField("retryMaxTimes", group.retryMaxTimes());
      json.writeNumberField("retryQueueNums", group.retryQueues());
      json.writeNumberField("whichBrokerWhenConsumeSlowly", group.whichBrokerWhenConsumeSlowly());
      json.writeEndObject();
    }
  }

  /** Collects the fields of one group; what is missing has the default of {@link GroupConfig#of}. */
  @OwnedBy("the reader of the file")
  private static final class GroupFields implements JsonFields.FieldReader {
    private String name;
    private boolean consumeEnabled;
    private boolean consumeFromMinEnabled;
    private boolean consumeBroadcastEnabled;
    private boolean consumeOrderly;
    private int retryQueues;
    private int retryMaxTimes;
    private long brokerId;
    private long whichBrokerWhenConsumeSlowly;
    private boolean notifyMembersChanged;
    private int sysFlag;
    private int consumeTimeoutMinutes;
    private String retryPolicyJson;
    private Map<String, String> attributes;

    GroupFields(String group) {
      GroupConfig defaults = GroupConfig.of(group);
      name = group;
      consumeEnabled = defaults.consumeEnabled();
      consumeFromMinEnabled = defaults.consumeFromMinEnabled();
      consumeBroadcastEnabled = defaults.consumeBroadcastEnabled();
      consumeOrderly = defaults.consumeOrderly();
      retryQueues = defaults.retryQueues();
      retryMaxTimes = defaults.retryMaxTimes();
      brokerId = defaults.brokerId();
      whichBrokerWhenConsumeSlowly = defaults.whichBrokerWhenConsumeSlowly();
      notifyMembersChanged = defaults.notifyMembersChanged();
      sysFlag = defaults.sysFlag();
      consumeTimeoutMinutes = defaults.consumeTimeoutMinutes();
      retryPolicyJson = defaults.retryPolicyJson();
      attributes = defaults.attributes();
    }

    @Override
    public void read(String field, JsonParser json) throws IOException {
      switch (field) {
        case "groupName" -> name = JsonFields.text(json);
        case "consumeEnable" -> consumeEnabled = JsonFields.flag(json);
        case "consumeFromMinEnable" -> consumeFromMinEnabled = JsonFields.flag(json);
        case "consumeBroadcastEnable" -> consumeBroadcastEnabled = JsonFields.flag(json);
        case "consumeMessageOrderly" -> consumeOrderly = JsonFields.flag(json);
        case "retryQueueNums" -> retryQueues = JsonFields.integer(json);
        case "retryMaxTimes" -> retryMaxTimes = JsonFields.integer(json);
        case "brokerId" -> brokerId = JsonFields.number(json);
        case "whichBrokerWhenConsumeSlowly" -> whichBrokerWhenConsumeSlowly = JsonFields.number(json);
        case "notifyConsumerIdsChangedEnable" -> notifyMembersChanged = JsonFields.flag(json);
        case "groupSysFlag" -> sysFlag = JsonFields.integer(json);
        case "consumeTimeoutMinute" -> consumeTimeoutMinutes = JsonFields.integer(json);
        case "groupRetryPolicy" -> retryPolicyJson = JsonFields.raw(json);
        case "attributes" -> attributes = JsonFields.texts(json);
        default -> json.skipChildren();
      }
    }

    GroupConfig config() {
      return new GroupConfig(
          name,
          consumeEnabled,
          consumeFromMinEnabled,
          consumeBroadcastEnabled,
          consumeOrderly,
          retryQueues,
          retryMaxTimes,
          brokerId,
          whichBrokerWhenConsumeSlowly,
          notifyMembersChanged,
          sysFlag,
          consumeTimeoutMinutes,
          retryPolicyJson,
          attributes);
    }
  }
}
