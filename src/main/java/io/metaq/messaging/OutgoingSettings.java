package io.metaq.messaging;

import io.metaq.client.Message;
import io.metaq.client.MetaqException;
import java.util.Optional;

/**
 * One outgoing channel as it is configured.
 *
 * @param tag of messages that bring none
 * @param maxInFlight messages that are sent and not yet answered, at most
 */
record OutgoingSettings(
    String channel, Connection connection, String topic, Optional<String> tag, int maxInFlight, HealthSettings health) {
  private static final int DEFAULT_MAX_IN_FLIGHT = 1024;

  /**
   * @throws IllegalArgumentException names channel and attribute
   */
  static OutgoingSettings of(Attributes attributes) {
    OutgoingSettings settings = new OutgoingSettings(
        attributes.channel(),
        Connection.of(attributes),
        attributes.text("topic").orElse(attributes.channel()),
        attributes.text("tag"),
        attributes.count("max-inflight-messages").orElse(DEFAULT_MAX_IN_FLIGHT),
        HealthSettings.of(attributes));
    try {
      settings.tagged(Message.to(settings.topic()));
    } catch (MetaqException faulty) {
      throw new IllegalArgumentException("channel '" + attributes.channel() + "': " + faulty.getMessage(), faulty);
    }
    return settings;
  }

  /** With the channel's tag. */
  Message tagged(Message message) {
    return tag.map(message::tag).orElse(message);
  }
}
