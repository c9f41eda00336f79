package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** {@link ConfigFormat}s as JSON text, in files and in what slaves ask for; read as tolerantly as RocketMQ's own files need it. */
final class ConfigJson {
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private ConfigJson() {}

  /** The content, which must be all there is. */
  static <T> T read(ConfigFormat<T> format, JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new JsonParseException(json, "it does not begin with an object");
    }
    T content = format.read(json);
    if (json.nextToken() != null) {
      throw new JsonParseException(json, "something follows the object");
    }
    return content;
  }

  static <T> T decode(ConfigFormat<T> format, byte[] body) throws IOException {
    try (JsonParser json = FACTORY.createParser(body)) {
      return read(format, json);
    }
  }

  /** Without blanks and line ends. */
  static <T> byte[] encode(ConfigFormat<T> format, T content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      format.write(content, json);
    }
    return out.toByteArray();
  }
}
