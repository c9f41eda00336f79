package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.metaq.model.DataVersion;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Small readers and writers that the config formats share. Readers are called with the parser on the value's first token and leave
 * it on its last. A number may come as text.
 */
final class JsonFields {
  private static final JsonFactory COMPACT = new JsonFactory();

  private JsonFields() {}

  /** Takes one field; {@code json} stands on the first token of its value and must be left on the last. */
  interface FieldReader {
    void read(String name, JsonParser json) throws IOException;
  }

  /** Walks over the fields of an object; those that are null are passed over. */
  static void forEach(JsonParser json, FieldReader reader) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw new JsonParseException(json, "expected an object");
    }
    JsonToken token = json.nextToken();
    while (token == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      if (json.nextToken() != JsonToken.VALUE_NULL) {
        reader.read(name, json);
      }
      token = json.nextToken();
    }
    if (token != JsonToken.END_OBJECT) {
      throw new JsonParseException(json, "expected the end of an object");
    }
  }

  static long number(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_STRING -> parse(json, json.getText());
      default -> throw new JsonParseException(json, "expected a whole number");
    };
  }

  static int integer(JsonParser json) throws IOException {
    long value = number(json);
    if (value != (int) value) {
      throw new JsonParseException(json, "the number does not fit 32 bits");
    }
    return (int) value;
  }

  /** A field name that is a number. */
  static int key(String name, JsonParser json) throws IOException {
    long value = parse(json, name);
    if (value != (int) value) {
      throw new JsonParseException(json, "the key does not fit 32 bits");
    }
    return (int) value;
  }

  /** A field name that is a number of 64 bits. */
  static long longKey(String name, JsonParser json) throws IOException {
    return parse(json, name);
  }

  static boolean flag(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_STRING -> Boolean.parseBoolean(json.getText());
      default -> throw new JsonParseException(json, "expected true or false");
    };
  }

  static String text(JsonParser json) throws IOException {
    if (!json.currentToken().isScalarValue()) {
      throw new JsonParseException(json, "expected a text");
    }
    return json.getText();
  }

  /** An object of texts. */
  static Map<String, String> texts(JsonParser json) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    forEach(json, (name, value) -> texts.put(name, text(value)));
    return texts;
  }

  /** Any value as compact JSON text. */
  static String raw(JsonParser json) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator copy = COMPACT.createGenerator(text)) {
      copy.copyCurrentStructure(json);
    }
    return text.toString();
  }

  /** Writes a field whose value came from {@link #raw}. */
  static void rawField(String name, String value, JsonGenerator json) throws IOException {
    json.writeFieldName(name);
    try (JsonParser parser = COMPACT.createParser(value)) {
      parser.nextToken();
      json.copyCurrentStructure(parser);
    }
  }

  static void rawFields(Map<String, String> fields, JsonGenerator json) throws IOException {
    for (Map.Entry<String, String> field : fields.entrySet()) {
      rawField(field.getKey(), field.getValue(), json);
    }
  }

  static void textsField(String name, Map<String, String> texts, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    json.writeEndObject();
  }

  static DataVersion version(JsonParser json) throws IOException {
    long[] numbers = new long[3];
    forEach(
        json,
        (name, value) -> {
          switch (name) {
            case "counter" -> numbers[0] = number(value);
            case "stateVersion" -> numbers[1] = number(value);
            case "timestamp" -> numbers[2] = number(value);
            default -> value.skipChildren();
          }
        });
    return new DataVersion(numbers[1], numbers[2], numbers[0]);
  }

  static void versionField(DataVersion version, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("dataVersion");
    json.writeNumberField("counter", version.counter());
    json.writeNumberField("stateVersion", version.stateVersion());
    json.writeNumberField("timestamp", version.timestamp());
    json.writeEndObject();
  }

  private static long parse(JsonParser json, String text) throws IOException {
    try {
      return Long.parseLong(text.trim());
    } catch (NumberFormatException notOne) {
      throw new JsonParseException(json, "expected a whole number, found \"" + text + "\"", notOne);
    }
  }
}
