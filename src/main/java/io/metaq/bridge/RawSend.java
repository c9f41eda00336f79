package io.metaq.bridge;

import io.metaq.client.Message;
import io.metaq.client.MetaqException;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** A message whose body is the request's, with all else in headers. */
final class RawSend {
  private static final String PROPERTY_PREFIX = "mq-property-";
  private static final String KEYS = "mq-keys";

  private RawSend() {}

  static Message message(String topic, Buffer body, MultiMap headers) {
    try {
      Message message = Message.to(topic).body(body.getBytes());
      List<String> keys = new ArrayList<>();
      Map<String, String> properties = new LinkedHashMap<>();
      for (var header : headers) {
        String lower = header.getKey().toLowerCase(Locale.ROOT);
        String value = Text.ofHeader(header.getValue()).trim();
        if (lower.startsWith(PROPERTY_PREFIX)) {
          properties.put(header.getKey().substring(PROPERTY_PREFIX.length()), value);
        } else if (lower.equals(KEYS)) {
          Stream.of(value.split("[ ,]+")).filter(key -> !key.isEmpty()).forEach(keys::add);
        } else {
          message = with(message, lower, value);
        }
      }
      return Labels.checked(new Labels(keys, properties).on(message));
    } catch (MetaqException refused) {
      throw Fault.INVALID_MESSAGE.because(refused.getMessage());
    }
  }

  private static Message with(Message message, String header, String value) {
    return switch (header) {
      case "mq-tag" -> message.tag(value);
      case "mq-order-key" -> message.orderKey(value);
      case "mq-delay-ms" -> SendJson.delayed(message, JsonReader.wholeNumber("the header MQ-Delay-Ms", value));
      default -> {
        if (header.startsWith("mq-")) {
          throw Fault.INVALID_MESSAGE.because("there is no header '" + Text.printable(header) + "'; known are MQ-Tag, MQ-Keys,"
              + " MQ-Order-Key, MQ-Delay-Ms and MQ-Property-...");
        }
        yield message;
      }
    };
  }
}
