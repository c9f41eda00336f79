package io.metaq.messaging;

import io.metaq.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a message that is sent through a channel shall have beside its payload; added with {@code message.addMetadata(...)}. It goes before
 * what the channel is configured with. Immutable; each fluent call gives a new one.
 *
 * <pre>{@code
 * Message.of(order).addMetadata(OutgoingMetaqMetadata.none().tag("paid").key(order.id()))
 * }</pre>
 */
public final class OutgoingMetaqMetadata {
  private static final OutgoingMetaqMetadata NONE = new OutgoingMetaqMetadata(Optional.empty(), UnaryOperator.identity());

  private final Optional<String> topic;
  private final UnaryOperator<Message> additions;

  private OutgoingMetaqMetadata(Optional<String> topic, UnaryOperator<Message> additions) {
    this.topic = topic;
    this.additions = additions;
  }

  /** Nothing yet. */
  public static OutgoingMetaqMetadata none() {
    return NONE;
  }

  /** Another topic than the channel's. */
  public OutgoingMetaqMetadata topic(String name) {
    return new OutgoingMetaqMetadata(Optional.of(name), additions);
  }

  /** One tag, by which subscriptions select. */
  public OutgoingMetaqMetadata tag(String tag) {
    return and(message -> message.tag(tag));
  }

  /** Adds a business key, without spaces. */
  public OutgoingMetaqMetadata key(String key) {
    return and(message -> message.key(key));
  }

  /** Messages with equal ones go to one queue, in order. */
  public OutgoingMetaqMetadata orderKey(String key) {
    return and(message -> message.orderKey(key));
  }

  /** A property of the application's own. */
  public OutgoingMetaqMetadata property(String name, String value) {
    return and(message -> message.property(name, value));
  }

  /** Delivered so long from now at the earliest. */
  public OutgoingMetaqMetadata deliverAfter(Duration delay) {
    return and(message -> message.deliverAfter(delay));
  }

  /** Delivered at that time at the earliest. */
  public OutgoingMetaqMetadata deliverAt(Instant time) {
    return and(message -> message.deliverAt(time));
  }

  /** Delivered after the delay of a level, 1 to 18 (1 s to 2 h by default). */
  public OutgoingMetaqMetadata delayLevel(int level) {
    return and(message -> message.delayLevel(level));
  }

  Optional<String> topic() {
    return topic;
  }

  /** The message with all this. */
  Message addTo(Message message) {
    return additions.apply(message);
  }

  private OutgoingMetaqMetadata and(UnaryOperator<Message> addition) {
    return new OutgoingMetaqMetadata(topic, message -> addition.apply(additions.apply(message)));
  }
}
