package io.metaq.codec.remoting;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The JSON header. Reading is tolerant: unknown members, null or missing fields, numbers written as strings and strings written as
 * numbers, any order. Writing always has an {@code extFields} object, because clients look into it without asking.
 */
final class JsonHeader {
  private static final JsonFactory JSON = new JsonFactoryBuilder()
      .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
      .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
      .build();

  private static final byte[] CODE = ascii("{\"code\":");
  private static final byte[] EXT = ascii(",\"extFields\":{");
  private static final byte[] FLAG = ascii("},\"flag\":");
  private static final byte[] LANGUAGE = ascii(",\"language\":");
  private static final byte[] OPAQUE = ascii(",\"opaque\":");
  private static final byte[] REMARK = ascii(",\"remark\":");
  private static final byte[] VERSION = ascii(",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":");

  private JsonHeader() {}

  static RemotingCommand decode(byte[] header, int from, int length) {
    try (JsonParser parser = JSON.createParser(header, from, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new HeaderException("the header is not a JSON object");
      }
      RemotingCommand command = members(parser);
      if (parser.nextToken() != null) {
        throw new HeaderException("there is more behind the JSON object of the header");
      }
      return command;
    } catch (IOException e) {
      throw new HeaderException("the header is not valid JSON", e);
    }
  }

  private static RemotingCommand members(JsonParser parser) throws IOException {
    Integer code = null;
    int flag = 0;
    int opaque = 0;
    int version = 0;
    String language = RemotingCommand.LANGUAGE;
    String remark = null;
    Map<String, String> ext = Map.of();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.VALUE_NULL) {
        continue;
      }
      switch (name) {
        case "code" -> code = number(parser, name);
        case "flag" -> flag = number(parser, name);
        case "opaque" -> opaque = number(parser, name);
        case "version" -> version = number(parser, name);
        case "language" -> language = value == JsonToken.VALUE_STRING ? parser.getText() : language;
        case "remark" -> remark = value.isScalarValue() ? parser.getText() : null;
        case "extFields" -> ext = value == JsonToken.START_OBJECT ? fields(parser) : ext;
        default -> { }
      }
      parser.skipChildren();
    }
    if (code == null) {
      throw new HeaderException("the header lacks 'code'");
    }
    RemotingCommand command = RemotingCommand.decoded(code, language, version, opaque, flag, SerializeType.JSON).remark(remark);
    ext.forEach(command::ext);
    return command;
  }

  /** Reads to the end of the object; what is neither text, number nor boolean is left out. */
  private static Map<String, String> fields(JsonParser parser) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
        fields.put(name, parser.getText());
      }
      parser.skipChildren();
    }
    return fields;
  }

  private static int number(JsonParser parser, String name) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      return parser.getIntValue();
    }
    try {
      return Integer.parseInt(parser.getText().trim());
    } catch (NumberFormatException e) {
      throw new HeaderException("'" + name + "' in the header is not a whole number", e);
    }
  }

  /** Writes everything behind the frame's eight bytes. */
  static void encode(RemotingCommand command, ByteSink out) {
    out.putBytes(CODE);
    out.putDecimal(command.code());
    out.putBytes(EXT);
    int first = out.length();
    command.ext().forEach((key, value) -> {
      if (out.length() > first) {
        out.putByte(',');
      }
      out.putJsonString(key);
      out.putByte(':');
      out.putJsonString(value);
    });
    out.putBytes(FLAG);
    out.putDecimal(command.flag());
    out.putBytes(LANGUAGE);
    out.putJsonString(command.language());
    out.putBytes(OPAQUE);
    out.putDecimal(command.opaque());
    if (command.remark() != null) {
      out.putBytes(REMARK);
      out.putJsonString(command.remark());
    }
    out.putBytes(VERSION);
    out.putDecimal(command.version());
    out.putByte('}');
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
