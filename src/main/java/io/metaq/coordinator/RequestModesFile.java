package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.coordinator.api.RequestMode;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Content of {@code messageRequestMode.json}, and of what slaves ask for.
 *
 * @param modes by topic and group; given away
 */
record RequestModesFile(Map<String, Map<String, RequestMode>> modes) {
  static final ConfigFormat<RequestModesFile> FORMAT = new Format();

  private static final class Format implements ConfigFormat<RequestModesFile> {
    @Override
    public String fileName() {
      return "messageRequestMode.json";
    }

    @Override
    public RequestModesFile read(JsonParser json) throws IOException {
      Map<String, Map<String, RequestMode>> modes = new TreeMap<>();
      JsonFields.forEach(json, (name, value) -> {
        if (name.equals("messageRequestModeMap")) {
          JsonFields.forEach(value, (topic, groups) -> {
            Map<String, RequestMode> byGroup = new TreeMap<>();
            JsonFields.forEach(groups, (group, mode) -> byGroup.put(group, mode(mode)));
            modes.put(topic, byGroup);
          });
        } else {
          value.skipChildren();
        }
      });
      return new RequestModesFile(modes);
    }

    /** Topic and group stand in the keys, too. */
    private static RequestMode mode(JsonParser json) throws IOException {
      boolean[] pop = new boolean[1];
      int[] share = new int[1];
      JsonFields.forEach(json, (name, value) -> {
        switch (name) {
          case "mode" -> pop[0] = JsonFields.text(value).equals("POP");
          case "popShareQueueNum" -> share[0] = JsonFields.integer(value);
          default -> value.skipChildren();
        }
      });
      return new RequestMode(pop[0], share[0]);
    }

    @Override
    public void write(RequestModesFile content, JsonGenerator json) throws IOException {
      json.writeStartObject();
      json.writeObjectFieldStart("messageRequestModeMap");
      for (Map.Entry<String, Map<String, RequestMode>> topic : content.modes.entrySet()) {
        json.writeObjectFieldStart(topic.getKey());
        for (Map.Entry<String, RequestMode> group : topic.getValue().entrySet()) {
          json.writeObjectFieldStart(group.getKey());
          json.writeStringField("consumerGroup", group.getKey());
          json.writeStringField("mode", group.getValue().word());
          json.writeNumberField("popShareQueueNum", group.getValue().share());
          json.writeStringField("topic", topic.getKey());
          json.writeEndObject();
        }
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeEndObject();
    }
  }
}
