package io.metaq.messaging;

import io.metaq.client.Delivery;
import io.metaq.client.Message;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of an incoming message beside its payload; every message of a channel has it. */
public final class IncomingMetaqMetadata {
  private final Delivery delivery;

  IncomingMetaqMetadata(Delivery delivery) {
    this.delivery = delivery;
  }

  /** The whole message as the client has it. */
  public Message message() {
    return delivery.message();
  }

  public String topic() {
    return delivery.message().topic();
  }

  public Optional<String> tag() {
    return delivery.message().tag();
  }

  public List<String> keys() {
    return delivery.message().keys();
  }

  public Optional<String> property(String name) {
    return delivery.message().property(name);
  }

  /** All properties, those that client and broker added included; not to be changed. */
  public Map<String, String> properties() {
    return delivery.message().properties();
  }

  /** The id the producer gave it; the same on every delivery. */
  public String messageId() {
    return delivery.messageId();
  }

  public String broker() {
    return delivery.broker();
  }

  public int queueId() {
    return delivery.queueId();
  }

  public long queueOffset() {
    return delivery.queueOffset();
  }

  /** ms since 1970, by the producer's clock. */
  public long bornTimestampMs() {
    return delivery.bornTimestampMs();
  }

  /** ms since 1970, by the broker's clock. */
  public long storeTimestampMs() {
    return delivery.storeTimestampMs();
  }

  /** How often it was sent back before. */
  public int reconsumeTimes() {
    return delivery.reconsumeTimes();
  }

  @Override
  public String toString() {
    return delivery.toString();
  }
}
