package io.metaq.client;

import io.metaq.model.Perm;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a topic is to be. Immutable; each fluent call gives a new one.
 *
 * @param queues at each broker, to read and to write
 * @param ordered marks it for consumption in order
 * @param attributes for example {@code message.type} to {@code FIFO}
 */
public record TopicSettings(
    String topic, int queues, boolean readable, boolean writable, boolean ordered, Map<String, String> attributes) {
  /** Queues at each broker when nothing else is said, as RocketMQ's tools have it. */
  public static final int DEFAULT_QUEUES = 8;

  public TopicSettings {
    attributes = Map.copyOf(attributes);
  }

  /** A topic that is read and written, with {@value #DEFAULT_QUEUES} queues at each broker. */
  public static TopicSettings of(String topic) {
    return new TopicSettings(topic, DEFAULT_QUEUES, true, true, false, Map.of());
  }

  public TopicSettings queues(int atEachBroker) {
    return new TopicSettings(topic, atEachBroker, readable, writable, ordered, attributes);
  }

  public TopicSettings permit(boolean reading, boolean writing) {
    return new TopicSettings(topic, queues, reading, writing, ordered, attributes);
  }

  public TopicSettings ordered(boolean inOrder) {
    return new TopicSettings(topic, queues, readable, writable, inOrder, attributes);
  }

  public TopicSettings attribute(String name, String value) {
    Map<String, String> more = new TreeMap<>(attributes);
    more.put(name, value);
    return new TopicSettings(topic, queues, readable, writable, ordered, more);
  }

  int perm() {
    return (readable ? Perm.READ : 0) | (writable ? Perm.WRITE : 0);
  }

  /** As the request carries them. */
  String attributeChanges() {
    StringBuilder text = new StringBuilder();
    attributes.forEach((name, value) -> text.append(text.isEmpty() ? "+" : ",+").append(name).append('=').append(value));
    return text.toString();
  }
}
