package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The settings of consumer groups as tools send and show them. */
public final class GroupConfigCodec {
  private GroupConfigCodec() {}

  public static byte[] encode(GroupConfig group) {
    return RegistryJson.write(out -> write(out, group));
  }

  /**
   * Reads one group; what is missing has the default.
   *
   * @throws BodyException when it is not a group's settings
   */
  public static GroupConfig decode(byte[] json) {
    return RegistryJson.read("group configuration", json, GroupConfigCodec::read);
  }

  /**
   * Reads {@code {"groupConfigList":[...]}}.
   *
   * @throws BodyException when it is not such a list
   */
  public static List<GroupConfig> decodeList(byte[] json) {
    List<GroupConfig> groups = new ArrayList<>();
    RegistryJson.read("list of group configurations", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("groupConfigList")) {
          RegistryJson.array(in, () -> groups.add(read(in)));
        }
      });
      return null;
    });
    return groups;
  }

  /**
   * Reads the answer of GET_ALL_SUBSCRIPTIONGROUP_CONFIG.
   *
   * @throws BodyException when it is none
   */
  public static List<GroupConfig> decodeTable(byte[] json) {
    List<GroupConfig> groups = new ArrayList<>();
    RegistryJson.read("table of groups", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("subscriptionGroupTable")) {
          RegistryJson.object(in, group -> groups.add(read(in)));
        }
      });
      return null;
    });
    return groups;
  }

  private static void write(JsonGenerator out, GroupConfig group) throws IOException {
    out.writeStartObject();
    out.writeFieldName("attributes");
    RegistryJson.write(out, group.attributes());
    out.writeNumberField("brokerId", group.brokerId());
    out.writeBooleanField("consumeBroadcastEnable", group.consumeBroadcastEnabled());
    out.writeBooleanField("consumeEnable", group.consumeEnabled());
    out.writeBooleanField("consumeFromMinEnable", group.consumeFromMinEnabled());
    out.writeBooleanField("consumeMessageOrderly", group.consumeOrderly());
    out.writeNumberField("consumeTimeoutMinute", group.consumeTimeoutMinutes());
    out.writeStringField("groupName", group.name());
    out.writeFieldName("groupRetryPolicy");
    out.writeRawValue(group.retryPolicyJson());
    out.writeNumberField("groupSysFlag", group.sysFlag());
    out.writeBooleanField("notifyConsumerIdsChangedEnable", group.notifyMembersChanged());
    out.writeNumberField("retryMaxTimes", group.retryMaxTimes());
    out.writeNumberField("retryQueueNums", group.retryQueues());
    out.writeNumberField("whichBrokerWhenConsumeSlowly", group.whichBrokerWhenConsumeSlowly());
    out.writeEndObject();
  }

  private static GroupConfig read(JsonParser in) throws IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw new BodyException("the group configuration is not an object");
    }
    Draft draft = new Draft();
    RegistryJson.object(in, name -> draft.take(in, name));
    if (draft.name == null) {
      throw new BodyException("the group configuration lacks 'groupName'");
    }
    return draft.config();
  }

  @OwnedBy("the call that reads it")
  private static final class Draft {
    private String name;
    private final GroupConfig other = GroupConfig.of("");
    private boolean consumeEnabled = other.consumeEnabled();
    private boolean consumeFromMinEnabled = other.consumeFromMinEnabled();
    private boolean consumeBroadcastEnabled = other.consumeBroadcastEnabled();
    private boolean consumeOrderly = other.consumeOrderly();
    private int retryQueues = other.retryQueues();
    private int retryMaxTimes = other.retryMaxTimes();
    private long brokerId = other.brokerId();
    private long whichBrokerWhenConsumeSlowly = other.whichBrokerWhenConsumeSlowly();
    private boolean notifyMembersChanged = other.notifyMembersChanged();
    private int sysFlag = other.sysFlag();
    private int consumeTimeoutMinutes = other.consumeTimeoutMinutes();
    private String retryPolicyJson = other.retryPolicyJson();
    private Map<String, String> attributes = Map.of();

    void take(JsonParser in, String field) throws IOException {
      if (in.currentToken() == JsonToken.VALUE_NULL) {
        return;
      }
      switch (field) {
        case "groupName" -> name = RegistryJson.text(in);
        case "consumeEnable" -> consumeEnabled = RegistryJson.flag(in);
        case "consumeFromMinEnable" -> consumeFromMinEnabled = RegistryJson.flag(in);
        case "consumeBroadcastEnable" -> consumeBroadcastEnabled = RegistryJson.flag(in);
        case "consumeMessageOrderly" -> consumeOrderly = RegistryJson.flag(in);
        case "retryQueueNums" -> retryQueues = RegistryJson.integer(in);
        case "retryMaxTimes" -> retryMaxTimes = RegistryJson.integer(in);
        case "brokerId" -> brokerId = RegistryJson.number(in);
        case "whichBrokerWhenConsumeSlowly" -> whichBrokerWhenConsumeSlowly = RegistryJson.number(in);
        case "notifyConsumerIdsChangedEnable" -> notifyMembersChanged = RegistryJson.flag(in);
        case "groupSysFlag" -> sysFlag = RegistryJson.integer(in);
        case "consumeTimeoutMinute" -> consumeTimeoutMinutes = RegistryJson.integer(in);
        case "groupRetryPolicy" -> retryPolicyJson = raw(in);
        case "attributes" -> attributes = RegistryJson.texts(in);
        default -> { }
      }
    }

    GroupConfig config() {
      return new GroupConfig(name, consumeEnabled, consumeFromMinEnabled, consumeBroadcastEnabled, consumeOrderly, retryQueues,
          retryMaxTimes, brokerId, whichBrokerWhenConsumeSlowly, notifyMembersChanged, sysFlag, consumeTimeoutMinutes,
          retryPolicyJson, attributes);
    }

    private static String raw(JsonParser in) throws IOException {
      StringWriter text = new StringWriter();
      try (JsonGenerator copy = RegistryJson.generator(text)) {
        copy.copyCurrentStructure(in);
      }
      return text.toString();
    }
  }
}
