package io.metaq.bridge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads fields of a JSON object that somebody sent; what is wrong with one fails with a sentence that names it. */
final class JsonReader {
  /** Some editors begin files with it. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private final JsonObject json;

  JsonReader(JsonObject json) {
    this.json = json;
  }

  /**
   * The object that bytes are as UTF-8.
   *
   * @throws BridgeException {@code MALFORMED_JSON} when they are none
   */
  static JsonReader parse(Buffer bytes) {
    return parse(Text.ofUtf8(bytes.getBytes())
        .orElseThrow(() -> Fault.MALFORMED_JSON.because("the text is no JSON: it is not in UTF-8")));
  }

  /** As {@link #parse(Buffer)}. */
  static JsonReader parse(String text) {
    return new JsonReader(JsonText.object(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text));
  }

  /** Refuses fields that mean nothing here: one that is misspelt shall not be passed over. */
  JsonReader allow(Set<String> known) {
    for (String name : json.fieldNames()) {
      if (!known.contains(name)) {
        throw Fault.INVALID.because("there is no field '" + Text.printable(name) + "' here");
      }
    }
    return this;
  }

  boolean has(String field) {
    return json.getValue(field) != null;
  }

  /** Whether it is there, be it null. */
  boolean mentions(String field) {
    return json.containsKey(field);
  }

  /** The text of what {@link JsonText#RAW} has. */
  String raw() {
    return ((JsonText.Raw) json.getValue(JsonText.RAW)).text();
  }

  Object value(String field) {
    return json.getValue(field);
  }

  Optional<String> text(String field) {
    Optional<String> text = typed(field, String.class, "a string");
    text.ifPresent(value -> refuseHalves("'" + field + "'", value));
    return text;
  }

  String requiredText(String field) {
    return text(field).orElseThrow(() -> Fault.INVALID.because("'" + field + "' is missing"));
  }

  /** Of a number, or of its digits as a string. */
  Optional<Long> number(String field) {
    Object value = json.getValue(field);
    return value == null ? Optional.empty() : Optional.of(wholeNumber("'" + field + "'", value));
  }

  static long wholeNumber(String what, Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    if (value instanceof String digits && digits.matches("-?[0-9]{1,19}")) {
      try {
        return Long.parseLong(digits);
      } catch (NumberFormatException tooLong) {
        throw Fault.INVALID.because(what + " is out of range");
      }
    }
    throw Fault.INVALID.because(what + " must be a whole number");
  }

  /** A number within bounds. */
  Optional<Integer> integer(String field, int min, int max) {
    Optional<Long> number = number(field);
    number.ifPresent(value -> {
      if (value < min || value > max) {
        throw Fault.INVALID.because("'" + field + "' must be between " + min + " and " + max);
      }
    });
    return number.map(Long::intValue);
  }

  Optional<Boolean> flag(String field) {
    return typed(field, Boolean.class, "true or false");
  }

  Optional<JsonReader> object(String field) {
    return typed(field, JsonObject.class, "an object").map(JsonReader::new);
  }

  /** The values of an object of strings; null is refused, for no property has it. */
  Map<String, String> texts(String field) {
    return object(field).map(JsonReader::texts).orElse(Map.of());
  }

  private Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : json.fieldNames()) {
      if (!(json.getValue(name) instanceof String text)) {
        throw Fault.INVALID.because("the property '" + Text.printable(name) + "' must be a string, and not null");
      }
      refuseHalves("the name of a property", name);
      refuseHalves("the property '" + Text.printable(name) + "'", text);
      texts.put(name, text);
    }
    return texts;
  }

  /** A list of strings. */
  List<String> textList(String field) {
    return list(field, value -> {
      if (value instanceof String text) {
        refuseHalves("'" + field + "'", text);
        return text;
      }
      throw Fault.INVALID.because("'" + field + "' must be an array of strings");
    });
  }

  /** A list of objects. */
  List<JsonReader> objects(String field) {
    return list(field, value -> {
      if (value instanceof JsonObject object) {
        return new JsonReader(object);
      }
      throw Fault.INVALID.because("'" + field + "' must be an array of objects");
    });
  }

  private <T> List<T> list(String field, Function<Object, T> item) {
    Object value = json.getValue(field);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof JsonArray array)) {
      throw Fault.INVALID.because("'" + field + "' must be an array");
    }
    List<T> items = new ArrayList<>(array.size());
    for (Object each : array) {
      items.add(item.apply(each));
    }
    return items;
  }

  /** JSON can spell one half of a character that takes two; UTF-8 cannot, so a message would have another text. */
  private static void refuseHalves(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (!Character.isSurrogate(unit)) {
        continue;
      }
      if (Character.isLowSurrogate(unit) || i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
        throw Fault.INVALID.because(what + " has half of a character (\\u" + Integer.toHexString(unit) + ")");
      }
      i++;
    }
  }

  Set<String> names() {
    return json.fieldNames();
  }

  private <T> Optional<T> typed(String field, Class<T> type, String words) {
    Object value = json.getValue(field);
    if (value != null && !type.isInstance(value)) {
      throw Fault.INVALID.because("'" + field + "' must be " + words);
    }
    return Optional.ofNullable(value).map(type::cast);
  }
}
