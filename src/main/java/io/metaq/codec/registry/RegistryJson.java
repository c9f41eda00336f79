package io.metaq.codec.registry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON of this package, streamed. Reading takes what fastjson writes and other languages write instead: unquoted keys, numbers
 * as strings, unknown members, nulls. A value of the wrong shape is skipped by {@link #object} and {@link #array} and counts as
 * absent.
 */
public final class RegistryJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES).enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

  private RegistryJson() {}

  /** Writes one JSON value. */
  public interface Writer {
    void write(JsonGenerator out) throws IOException;
  }

  /** Reads the value at which the parser stands. */
  public interface Reader<T> {
    T read(JsonParser in) throws IOException;
  }

  /** Takes one member of an object; the parser stands at its value. */
  public interface Member {
    void read(String name) throws IOException;
  }

  /** Takes one element; the parser stands at it. */
  public interface Element {
    void read() throws IOException;
  }

  public static byte[] write(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      writer.write(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** For one value as text. */
  public static JsonGenerator generator(java.io.Writer text) throws IOException {
    return FACTORY.createGenerator(text);
  }

  /** @throws BodyException naming {@code what} when the bytes are not JSON, or not of its shape */
  public static <T> T read(String what, byte[] json, Reader<T> reader) {
    try (JsonParser in = FACTORY.createParser(json)) {
      if (in.nextToken() == null) {
        throw new BodyException("the " + what + " is empty");
      }
      return reader.read(in);
    } catch (IOException e) {
      throw new BodyException("the " + what + " is not valid JSON: " + e.getMessage(), e);
    }
  }

  /** Calls {@code member} for each member of the object at which the parser stands; what it does not read is skipped. */
  public static void object(JsonParser in, Member member) throws IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      in.skipChildren();
      return;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      member.read(name);
      in.skipChildren();
    }
  }

  public static void array(JsonParser in, Element element) throws IOException {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      in.skipChildren();
      return;
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      element.read();
      in.skipChildren();
    }
  }

  /** The scalar at which the parser stands as text; null when it is null, an object or an array. */
  public static String text(JsonParser in) throws IOException {
    JsonToken token = in.currentToken();
    return token.isScalarValue() && token != JsonToken.VALUE_NULL ? in.getText() : null;
  }

  public static long number(JsonParser in) throws IOException {
    String text = text(in);
    if (text == null) {
      return 0;
    }
    try {
      return Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      throw new BodyException("'" + in.currentName() + "' is not a whole number: '" + text + "'");
    }
  }

  public static int integer(JsonParser in) throws IOException {
    long value = number(in);
    if (value != (int) value) {
      throw new BodyException("'" + in.currentName() + "' is out of range: " + value);
    }
    return (int) value;
  }

  /** A number that may have a fraction; 0 when it is absent. */
  public static double decimal(JsonParser in) throws IOException {
    String text = text(in);
    try {
      return text == null ? 0 : Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      throw new BodyException("'" + in.currentName() + "' is not a number: '" + text + "'");
    }
  }

  public static boolean flag(JsonParser in) throws IOException {
    return Boolean.parseBoolean(text(in));
  }

  /** The members that are scalars, in their order. */
  public static Map<String, String> texts(JsonParser in) throws IOException {
    Map<String, String> table = new LinkedHashMap<>();
    object(in, name -> {
      String value = text(in);
      if (value != null) {
        table.put(name, value);
      }
    });
    return table;
  }

  /** The elements that are scalars. */
  public static List<String> textList(JsonParser in) throws IOException {
    List<String> list = new ArrayList<>();
    array(in, () -> {
      String value = text(in);
      if (value != null) {
        list.add(value);
      }
    });
    return list;
  }

  public static void write(JsonGenerator out, Map<String, String> table) throws IOException {
    out.writeStartObject();
    for (Map.Entry<String, String> entry : table.entrySet()) {
      out.writeStringField(entry.getKey(), entry.getValue());
    }
    out.writeEndObject();
  }
}
