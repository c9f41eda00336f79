package io.metaq.bridge;

import io.metaq.client.Message;
import io.metaq.model.SystemProperties;
import java.util.List;
import java.util.Map;

/**
 * Keys and properties somebody wants a message to have. They are counted before the message is made: it is made anew with each of
 * them, so a million would keep the server busy for hours before a broker could refuse them.
 */
record Labels(List<String> keys, Map<String, String> properties) {
  private static final int MOST = 256;
  /** No record can hold more. */
  private static final int MOST_CHARS = Short.MAX_VALUE;

  Labels {
    long chars = keys.stream().mapToLong(String::length).sum();
    for (var property : properties.entrySet()) {
      if (SystemProperties.contains(property.getKey())) {
        throw Fault.INVALID_MESSAGE.because(
            "the property '" + property.getKey() + "' is the system's; there may be a field for it");
      }
      chars += property.getKey().length() + property.getValue().length();
    }
    if (keys.size() + properties.size() > MOST || chars > MOST_CHARS) {
      throw Fault.INVALID_MESSAGE.because(
          "keys and properties have at most " + MOST + " entries and " + MOST_CHARS + " characters in all");
    }
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
}
