package io.metaq.client;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.model.PropertyNames;

/**
 * A message with the id it is sent with.
 *
 * @param properties text of all its properties, the id among them
 */
record IdentifiedMessage(Message message, String messageId, byte[] properties) {

  /**
   * Gives a message an id; one it has had before, as a message that was read, is replaced.
   *
   * @param scratch used for the text and left empty
   */
  static IdentifiedMessage of(Message message, String messageId, ByteSink scratch) {
    scratch.clear();
    message.forEachProperty(
        (name, value) -> {
          if (!name.equals(PropertyNames.UNIQ_KEY)) {
            put(scratch, name, value);
          }
        });
    put(scratch, PropertyNames.UNIQ_KEY, messageId);
    byte[] properties = scratch.toByteArray();
    scratch.clear();
    return new IdentifiedMessage(message, messageId, properties);
  }

  private static void put(ByteSink out, String name, String value) {
    out.putUtf8(name);
    out.putByte(PropertiesText.NAME_END);
    out.putUtf8(value);
    out.putByte(PropertiesText.ENTRY_END);
  }
}
