package io.metaq.client;

import io.metaq.codec.record.StoredMessage;
import io.metaq.model.PropertyNames;
import java.util.Optional;

/**
 * A message as it was read, ready for the application.
 *
 * @param stored the record it came in
 * @param message topic as the producer sent it (also after a retry), body unpacked
 * @param fault why the body could not be unpacked
 */
record Received(StoredMessage stored, Message message, Optional<String> fault) {

  /** Of a record whose body is as the producer gave it. */
  static Received plain(StoredMessage stored) {
    return new Received(stored, message(stored, stored.body()), Optional.empty());
  }

  /** Of any record; may take long when the body is compressed. */
  static Received unpacked(StoredMessage stored) {
    if (!Bodies.compressed(stored)) {
      return plain(stored);
    }
    try {
      return new Received(stored, message(stored, Bodies.unpack(stored)), Optional.empty());
    } catch (MetaqException unreadable) {
      return new Received(stored, message(stored, stored.body()), Optional.of(unreadable.getMessage()));
    }
  }

  /** The id its producer gave it; empty text when it has none. */
  String messageId() {
    return stored.properties().getOrDefault(PropertyNames.UNIQ_KEY, "");
  }

  private static Message message(StoredMessage stored, byte[] body) {
    String topic = stored.properties().getOrDefault(PropertyNames.RETRY_TOPIC, stored.topic());
    return new Message(topic, body, stored.properties(), stored.flag());
  }
}
