package io.metaq.bridge;

import io.metaq.client.FoundMessage;
import io.metaq.client.Message;
import io.metaq.client.SendReceipt;
import io.metaq.model.PropertyNames;
import io.metaq.model.SystemProperties;
import io.metaq.model.Topics;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages and receipts as JSON objects. */
final class MessageJson {
  private MessageJson() {}

  /** A message as it was read. */
  static JsonObject of(FoundMessage found) {
    Message message = found.message();
    JsonObject json = new JsonObject()
        .put("messageId", found.messageId().isEmpty() ? found.offsetId() : found.messageId())
        .put("offsetId", found.offsetId())
        .put("topic", message.topic())
        .put("broker", found.broker())
        .put("queueId", found.queueId())
        .put("queueOffset", JsonValues.number(found.queueOffset()))
        .put("tag", message.tag().orElse(null))
        .put("keys", new JsonArray(message.keys()))
        .put("properties", new JsonObject(own(message.properties())))
        .put("bornAt", JsonValues.time(found.bornTimestampMs()))
        .put("storedAt", JsonValues.time(found.storeTimestampMs()))
        .put("bornHost", found.bornHost())
        .put("attempt", found.reconsumeTimes() + 1);
    Optional<String> text = text(message.body());
    return text.isPresent()
        ? json.put("body", text.get())
        : json.put("bodyBase64", Base64.getEncoder().encodeToString(message.body()));
  }

  /** As {@link #of(FoundMessage)}; one that is tried again is a message of the topic it was sent to. */
  static JsonObject delivered(FoundMessage found) {
    Message message = found.message();
    return of(found).put("topic", message.property(PropertyNames.RETRY_TOPIC)
        .filter(origin -> Topics.isRetry(message.topic())).orElse(message.topic()));
  }

  static JsonArray of(List<FoundMessage> messages) {
    JsonArray array = new JsonArray();
    messages.forEach(message -> array.add(of(message)));
    return array;
  }

  static JsonObject receipt(SendReceipt receipt) {
    return new JsonObject()
        .put("messageId", receipt.messageId())
        .put("offsetId", receipt.offsetMessageId())
        .put("topic", receipt.topic())
        .put("broker", receipt.broker())
        .put("queueId", receipt.queueId())
        .put("queueOffset", JsonValues.number(receipt.queueOffset()))
        .put("status", status(receipt.stage()));
  }

  private static String status(SendReceipt.Stage stage) {
    return switch (stage) {
      case STORED -> "SEND_OK";
      case FLUSH_PENDING -> "FLUSH_DISK_TIMEOUT";
      case NO_REPLICA -> "SLAVE_NOT_AVAILABLE";
      case REPLICATION_PENDING -> "FLUSH_SLAVE_TIMEOUT";
    };
  }

  /** The text a body is, empty when it is no valid UTF-8. */
  private static Optional<String> text(byte[] body) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException noText) {
      return Optional.empty();
    }
  }

  /** What the application itself has set. */
  static Map<String, Object> own(Map<String, String> all) {
    Map<String, Object> own = new LinkedHashMap<>();
    all.forEach((name, value) -> {
      if (!SystemProperties.contains(name)) {
        own.put(name, value);
      }
    });
    return own;
  }
}
