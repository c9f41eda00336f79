package io.metaq.bridge;

import io.metaq.client.Message;
import io.metaq.model.SystemProperties;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Keys and properties somebody wants a message to have. They are counted before the message is made: it is made anew with each of
 * them, so a million would keep the server busy for hours before a broker could refuse them.
 */
record Labels(List<String> keys, Map<String, String> properties) {
  private static final int MOST = 256;
  /** Of all properties as a record has them, which has at most 32,767 bytes of them: the rest is for what client and broker add. */
  private static final int MOST_BYTES = 31 << 10;
  /** A character between a name and its value, and one behind that. */
  private static final int SEPARATORS = 2;

  Labels {
    for (var property : properties.entrySet()) {
      if (SystemProperties.contains(property.getKey())) {
        throw Fault.INVALID_MESSAGE.because(
            "the property '" + property.getKey() + "' is the system's; there may be a field for it");
      }
    }
    if (keys.size() + properties.size() > MOST) {
      throw Fault.INVALID_MESSAGE.because("keys and properties have at most " + MOST + " entries in all");
    }
    refuseOver(keys.stream().mapToLong(Labels::bytes).sum() + bytes(properties));
  }

  /** The message with all of them. */
  Message on(Message bare) {
    Message message = bare;
    for (String key : keys) {
      message = message.key(key);
    }
    for (var property : properties.entrySet()) {
      message = message.property(property.getKey(), property.getValue());
    }
    return message;
  }

  /** Refuses a message whose tag, keys, order key and properties are too long together. */
  static Message checked(Message message) {
    refuseOver(bytes(message.properties()));
    return message;
  }

  private static void refuseOver(long bytes) {
    if (bytes > MOST_BYTES) {
      throw Fault.INVALID_MESSAGE.because("tag, keys and properties have " + bytes + " bytes in all, at most " + MOST_BYTES + " are taken");
    }
  }

  private static long bytes(Map<String, String> properties) {
    return properties.entrySet().stream()
        .mapToLong(property -> bytes(property.getKey()) + bytes(property.getValue()) + SEPARATORS).sum();
  }

  /** As UTF-8. */
  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
