package io.metaq.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.codec.record.StoredMessage;
import io.metaq.store.inspect.DumpedUnit;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** Records and units of a store as lines of text. */
final class DumpText {
  private static final JsonFactory JSON = new JsonFactory();

  private DumpText() {}

  private interface Fields {
    void write(JsonGenerator out) throws IOException;
  }

  static String line(StoredMessage message) {
    StringBuilder line = new StringBuilder(200)
        .append("phyOffset=").append(message.phyOffset())
        .append(" size=").append(message.size())
        .append(" topic=").append(message.topic())
        .append(" queueId=").append(message.queueId())
        .append(" queueOffset=").append(message.queueOffset())
        .append(" stored=").append(Instant.ofEpochMilli(message.storeTimestamp()))
        .append(" properties=").append(message.properties());
    Optional<String> body = MessageText.utf8(message.body());
    line.append(body.isPresent() ? " body=" + body.get() : " bodyBase64=" + base64(message.body()));
    return MessageText.escaped(line.toString());
  }

  static String line(DumpedUnit unit) {
    return MessageText.escaped("queueOffset=" + unit.queueOffset() + " topic=" + unit.topic() + " queueId=" + unit.queueId()
        + " phyOffset=" + unit.phyOffset() + " size=" + unit.size() + " tagsCode=" + unit.tagsCode()
        + (unit.storeTimestamp() == 0 ? " stored=unknown" : " stored=" + Instant.ofEpochMilli(unit.storeTimestamp())));
  }

  /** Everything; the body as text, or as {@code bodyBase64} when it is no UTF-8. */
  static String json(StoredMessage message) {
    return json(out -> {
      out.writeNumberField("phyOffset", message.phyOffset());
      out.writeNumberField("size", message.size());
      out.writeStringField("topic", message.topic());
      out.writeNumberField("queueId", message.queueId());
      out.writeNumberField("queueOffset", message.queueOffset());
      out.writeNumberField("flag", message.flag());
      out.writeNumberField("sysFlag", message.sysFlag());
      out.writeNumberField("bornTimestampMs", message.bornTimestamp());
      out.writeNumberField("storeTimestampMs", message.storeTimestamp());
      out.writeNumberField("reconsumeTimes", message.reconsumeTimes());
      out.writeNumberField("preparedTransactionOffset", message.preparedTransactionOffset());
      out.writeObjectFieldStart("properties");
      for (Map.Entry<String, String> property : message.properties().entrySet()) {
        out.writeStringField(property.getKey(), property.getValue());
      }
      out.writeEndObject();
      Optional<String> body = MessageText.utf8(message.body());
      if (body.isPresent()) {
        out.writeStringField("body", body.get());
      } else {
        out.writeStringField("bodyBase64", base64(message.body()));
      }
    });
  }

  static String json(DumpedUnit unit) {
    return json(out -> {
      out.writeNumberField("queueOffset", unit.queueOffset());
      out.writeStringField("topic", unit.topic());
      out.writeNumberField("queueId", unit.queueId());
      out.writeNumberField("phyOffset", unit.phyOffset());
      out.writeNumberField("size", unit.size());
      out.writeNumberField("tagsCode", unit.tagsCode());
      if (unit.storeTimestamp() != 0) {
        out.writeNumberField("storeTimestampMs", unit.storeTimestamp());
      }
    });
  }

  private static String json(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.writeStartObject();
      fields.write(out);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return text.toString();
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
