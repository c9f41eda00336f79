package io.metaq.client;

import io.metaq.model.PropertyNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A message: topic, body, properties. Immutable; each fluent call gives a new one, the body is shared and must not be changed.
 *
 * <pre>{@code
 * Message.to("orders").body("...").tag("paid").key("o-1")
 * }</pre>
 */
public final class Message {
  private static final byte[] NO_BODY = new byte[0];
  private static final String KEY_SEPARATOR = " ";

  private final String topic;
  private final byte[] body;
  private final Map<String, String> properties;
  private final int flag;

  Message(String topic, byte[] body, Map<String, String> properties, int flag) {
    this.topic = topic;
    this.body = body;
    this.properties = properties;
    this.flag = flag;
  }

  /** An empty message to a topic. */
  public static Message to(String topic) {
    return new Message(topic, NO_BODY, Map.of(), 0);
  }

  /** Text as UTF-8. */
  public Message body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Bytes, not copied. */
  public Message body(byte[] bytes) {
    return new Message(topic, bytes, properties, flag);
  }

  /** One tag, by which subscriptions select. */
  public Message tag(String tag) {
    return set(PropertyNames.TAGS, tag);
  }

  /** Adds a business key, by which the message can be looked up. Without spaces: they separate keys. */
  public Message key(String key) {
    if (key.isBlank() || key.contains(KEY_SEPARATOR)) {
      throw MetaqException.of(MetaqException.Reason.INVALID, "a key must not be empty or contain a space: '" + key + "'");
    }
    String before = properties.get(PropertyNames.KEYS);
    return set(PropertyNames.KEYS, before == null ? key : before + KEY_SEPARATOR + key);
  }

  /** A property of the application's own. Neither name nor value may be empty or contain the characters 1 and 2. */
  public Message property(String name, String value) {
    return set(name, value);
  }

  /** Delivered {@code delay} from now at the earliest, in ms; asks the broker for a timer message. */
  public Message deliverAfter(Duration delay) {
    return set(PropertyNames.TIMER_DELAY_MS, Long.toString(delay.toMillis()));
  }

  /** Delivered after the delay of a level, 1 to 18 (1 s to 2 h by default); 0 is at once. */
  public Message delayLevel(int level) {
    return set(PropertyNames.DELAY, Integer.toString(level));
  }

  /** A number of the application's own, stored as it is. */
  public Message flag(int value) {
    return new Message(topic, body, properties, value);
  }

  public String topic() {
    return topic;
  }

  /** The body, not copied; never null. */
  public byte[] body() {
    return body;
  }

  /** The body as UTF-8. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  public Optional<String> tag() {
    return property(PropertyNames.TAGS);
  }

  public List<String> keys() {
    return property(PropertyNames.KEYS).map(keys -> List.of(keys.trim().split(KEY_SEPARATOR + "+"))).orElse(List.of());
  }

  public Optional<String> property(String name) {
    return Optional.ofNullable(properties.get(name));
  }

  /** All properties, those that client and broker added included; not to be changed. */
  public Map<String, String> properties() {
    return Collections.unmodifiableMap(properties);
  }

  public int flag() {
    return flag;
  }

  private Message set(String name, String value) {
    if (faulty(name) || faulty(value)) {
      throw MetaqException.of(
          MetaqException.Reason.INVALID, "a property's name and value must not be empty or contain the characters 1 and 2: '" + name + "'");
    }
    Map<String, String> more = new LinkedHashMap<>(properties);
    more.put(name, value);
    return new Message(topic, body, more, flag);
  }

  private static boolean faulty(String text) {
    return text == null || text.isEmpty() || text.indexOf(1) >= 0 || text.indexOf(2) >= 0;
  }

  @Override
  public String toString() {
    return "Message to " + topic + ", " + body.length + " bytes, " + properties;
  }
}
