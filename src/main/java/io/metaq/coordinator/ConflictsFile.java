package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.metaq.model.Subscription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Content of {@code subscriptionConflict.json}, a file of ours: what the members of groups want that do not want the same, so that
 * one that comes back first after a restart does not pass over what another one wants that is not back yet.
 *
 * @param sides by group, at least two of each; given away
 */
record ConflictsFile(Map<String, List<Side>> sides) {
  static final ConfigFormat<ConflictsFile> FORMAT = new Format();

  /**
   * Members that want the same.
   *
   * @param clientId of one of them
   * @param subscriptions what they subscribe to
   */
  record Side(String clientId, String remote, String consumeType, String messageModel, List<Subscription> subscriptions) {
    Side {
      subscriptions = List.copyOf(subscriptions);
    }

    Wish wish() {
      return Wish.of(consumeType, messageModel, subscriptions);
    }
  }

  private static final class Format implements ConfigFormat<ConflictsFile> {
    @Override
    public String fileName() {
      return "subscriptionConflict.json";
    }

    @Override
    public ConflictsFile read(JsonParser json) throws IOException {
      Map<String, List<Side>> sides = new TreeMap<>();
      JsonFields.forEach(json, (name, value) -> {
        if (name.equals("groups")) {
          JsonFields.forEach(value, (group, list) -> sides.put(group, objects(list, Format::side)));
        } else {
          value.skipChildren();
        }
      });
      return new ConflictsFile(sides);
    }

    private static Side side(JsonParser json) throws IOException {
      Map<String, String> texts = new TreeMap<>();
      List<Subscription> subscriptions = new ArrayList<>();
      JsonFields.forEach(json, (name, value) -> {
        if (name.equals("subscriptions")) {
          subscriptions.addAll(objects(value, Format::subscription));
        } else {
          texts.put(name, JsonFields.text(value));
        }
      });
      return new Side(texts.getOrDefault("clientId", ""), texts.getOrDefault("remote", ""), texts.getOrDefault("consumeType", ""),
          texts.getOrDefault("messageModel", ""), subscriptions);
    }

    private static Subscription subscription(JsonParser json) throws IOException {
      Map<String, String> texts = JsonFields.texts(json);
      String topic = texts.getOrDefault("topic", "");
      String expression = texts.getOrDefault("expression", Subscription.ALL);
      String type = texts.getOrDefault("type", Subscription.TAG);
      return type.equals(Subscription.TAG)
          ? Subscription.ofTags(topic, expression, 0)
          : Subscription.ofSql(topic, expression, 0);
    }

    /** Reads one object of a list. */
    private interface ObjectReader<T> {
      T read(JsonParser json) throws IOException;
    }

    private static <T> List<T> objects(JsonParser json, ObjectReader<T> reader) throws IOException {
      if (json.currentToken() != JsonToken.START_ARRAY) {
        throw new JsonParseException(json, "expected a list");
      }
      List<T> objects = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        objects.add(reader.read(json));
      }
      return objects;
    }

    @Override
    public void write(ConflictsFile content, JsonGenerator json) throws IOException {
      json.writeStartObject();
      json.writeObjectFieldStart("groups");
      for (Map.Entry<String, List<Side>> group : content.sides.entrySet()) {
        json.writeArrayFieldStart(group.getKey());
        for (Side side : group.getValue()) {
          write(side, json);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
      json.writeEndObject();
    }

    private static void write(Side side, JsonGenerator json) throws IOException {
      json.writeStartObject();
      json.writeStringField("clientId", side.clientId);
      json.writeStringField("consumeType", side.consumeType);
      json.writeStringField("messageModel", side.messageModel);
      json.writeStringField("remote", side.remote);
      json.writeArrayFieldStart("subscriptions");
      for (Subscription subscription : side.subscriptions) {
        json.writeStartObject();
        json.writeStringField("expression", subscription.expression());
        json.writeStringField("topic", subscription.topic());
        json.writeStringField("type", subscription.isTag() ? Subscription.TAG : subscription.type());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }
}
