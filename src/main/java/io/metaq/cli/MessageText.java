package io.metaq.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.Delivery;
import io.metaq.client.FoundMessage;
import io.metaq.client.Message;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** Messages as lines of text. */
final class MessageText {
  private static final JsonFactory JSON = new JsonFactory();

  private MessageText() {}

  /** The body alone, escaped. */
  static String line(Delivery delivery) {
    return escaped(delivery.message().text());
  }

  /** A text without what would break a line or the terminal. */
  static String escaped(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append(c);
        default -> {
          if (Character.isISOControl(c)) {
            line.append(String.format("\\u%04x", (int) c));
          } else {
            line.append(c);
          }
        }
      }
    }
    return line.toString();
  }

  /** Everything; the body as text, or as {@code bodyBase64} when it is no UTF-8. */
  static String json(Delivery delivery) {
    StringWriter text = new StringWriter();
    Message message = delivery.message();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.writeStartObject();
      out.writeStringField("topic", message.topic());
      out.writeStringField("messageId", delivery.messageId());
      out.writeStringField("broker", delivery.broker());
      out.writeNumberField("queueId", delivery.queueId());
      out.writeNumberField("queueOffset", delivery.queueOffset());
      labels(out, message);
      out.writeNumberField("bornTimestampMs", delivery.bornTimestampMs());
      out.writeNumberField("storeTimestampMs", delivery.storeTimestampMs());
      out.writeNumberField("reconsumeTimes", delivery.reconsumeTimes());
      content(out, message);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return text.toString();
  }

  /** As {@link #json(Delivery)}, with what only a look-up knows. */
  static void json(JsonGenerator out, FoundMessage found) throws IOException {
    Message message = found.message();
    out.writeStartObject();
    out.writeStringField("topic", message.topic());
    out.writeStringField("messageId", found.messageId());
    out.writeStringField("offsetId", found.offsetId());
    out.writeStringField("broker", found.broker());
    out.writeNumberField("queueId", found.queueId());
    out.writeNumberField("queueOffset", found.queueOffset());
    out.writeNumberField("phyOffset", found.phyOffset());
    labels(out, message);
    out.writeNumberField("bornTimestampMs", found.bornTimestampMs());
    out.writeStringField("bornHost", found.bornHost());
    out.writeNumberField("storeTimestampMs", found.storeTimestampMs());
    out.writeStringField("storeHost", found.storeHost());
    out.writeNumberField("reconsumeTimes", found.reconsumeTimes());
    content(out, message);
    out.writeEndObject();
  }

  private static void labels(JsonGenerator out, Message message) throws IOException {
    if (message.tag().isPresent()) {
      out.writeStringField("tag", message.tag().get());
    }
    out.writeArrayFieldStart("keys");
    for (String key : message.keys()) {
      out.writeString(key);
    }
    out.writeEndArray();
  }

  private static void content(JsonGenerator out, Message message) throws IOException {
    out.writeObjectFieldStart("properties");
    for (Map.Entry<String, String> property : message.properties().entrySet()) {
      out.writeStringField(property.getKey(), property.getValue());
    }
    out.writeEndObject();
    Optional<String> body = utf8(message.body());
    if (body.isPresent()) {
      out.writeStringField("body", body.get());
    } else {
      out.writeStringField("bodyBase64", Base64.getEncoder().encodeToString(message.body()));
    }
  }

  /** Bytes as text; empty when they are no UTF-8. */
  static Optional<String> utf8(byte[] bytes) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException binary) {
      return Optional.empty();
    }
  }
}
