package io.metaq.bridge;

import io.metaq.client.Message;
import io.metaq.client.MetaqException;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Locale;

/** A message whose body is the request's, with all else in headers. */
final class RawSend {
  private static final String PROPERTY_PREFIX = "mq-property-";

  private RawSend() {}

  static Message message(String topic, Buffer body, MultiMap headers) {
    try {
      Message message = Message.to(topic).body(body.getBytes());
      for (var header : headers) {
        message = with(message, header.getKey(), header.getValue().trim());
      }
      return message;
    } catch (MetaqException refused) {
      throw Fault.INVALID_MESSAGE.because(refused.getMessage());
    }
  }

  private static Message with(Message message, String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith(PROPERTY_PREFIX)) {
      return SendJson.property(message, name.substring(PROPERTY_PREFIX.length()), value);
    }
    return switch (lower) {
      case "mq-tag" -> message.tag(value);
      case "mq-keys" -> keys(message, value);
      case "mq-order-key" -> message.orderKey(value);
      case "mq-delay-ms" -> SendJson.delayed(message, JsonReader.wholeNumber("the header MQ-Delay-Ms", value));
      default -> {
        if (lower.startsWith("mq-")) {
          throw Fault.INVALID_MESSAGE.because("there is no header '" + Text.printable(name) + "'; known are MQ-Tag, MQ-Keys,"
              + " MQ-Order-Key, MQ-Delay-Ms and MQ-Property-...");
        }
        yield message;
      }
    };
  }

  private static Message keys(Message message, String keys) {
    Message more = message;
    for (String key : keys.split("[ ,]+")) {
      more = key.isEmpty() ? more : more.key(key);
    }
    return more;
  }
}
