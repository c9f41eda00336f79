package io.metaq.store;

import io.metaq.codec.record.StoredMessage;
import io.metaq.model.PropertyNames;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Tells whether a record that the index points to really is of the topic and has the key: the index knows hashes only. */
record KeyMatch(String topic, String key, KeyKind kind) {

  boolean accepts(ByteBuffer bytes, long beginMs, long endMs) {
    StoredMessage message = StoredMessage.decode(bytes, bytes.position());
    return message.topic().equals(topic)
        && message.storeTimestamp() >= beginMs
        && message.storeTimestamp() <= endMs
        && hasKey(message);
  }

  /** What the index has the hash of. */
  String indexed() {
    return topic + (kind == KeyKind.TAG ? "#T#" : "#") + key;
  }

  private boolean hasKey(StoredMessage message) {
    if (kind == KeyKind.TAG) {
      return message.property(PropertyNames.TAGS).equals(key);
    }
    if (message.property(PropertyNames.UNIQ_KEY).equals(key)) {
      return true;
    }
    return kind == KeyKind.ANY && Arrays.asList(message.property(PropertyNames.KEYS).split(" ")).contains(key);
  }
}
