package io.metaq.client;

import io.metaq.model.PropertyNames;
import io.metaq.model.SystemProperties;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A message: topic, body, properties. Immutable; each fluent call gives a new one, the body is shared and must not be changed. A
 * call with a value that no message can have fails with {@code INVALID}.
 *
 * <pre>{@code
 * Message.to("orders").body("...").tag("paid").key("o-1")
 * }</pre>
 */
public final class Message {
  private static final byte[] NO_BODY = new byte[0];
  private static final String KEY_SEPARATOR = " ";
  private static final String REPLY_TOPIC_SUFFIX = "_REPLY_TOPIC";
  private static final String REPLY = "reply";
  private static final String TAG_SEPARATOR = "||";

  /** Beyond what any broker keeps a message for, and short enough to be told in milliseconds. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);
  private static final Instant LATEST = Instant.EPOCH.plus(LONGEST_DELAY.multipliedBy(10));

  private final String topic;
  private final byte[] body;
  private final Map<String, String> properties;
  private final int flag;
  private final TopicQueue queue;

  Message(String topic, byte[] body, Map<String, String> properties, int flag) {
    this(topic, body, properties, flag, null);
  }

  private Message(String topic, byte[] body, Map<String, String> properties, int flag, TopicQueue queue) {
    this.topic = topic;
    this.body = body;
    this.properties = properties;
    this.flag = flag;
    this.queue = queue;
  }

  /** An empty message to a topic. */
  public static Message to(String topic) {
    return new Message(topic, NO_BODY, Map.of(), 0);
  }

  /** An empty message to one queue of a topic and no other; it fails with {@code NO_ROUTE} while that queue takes no messages. */
  public static Message to(TopicQueue queue) {
    if (queue == null) {
      throw invalid("a queue must not be null");
    }
    return new Message(queue.topic(), NO_BODY, Map.of(), 0, queue);
  }

  /**
   * An empty answer to a message that {@link MetaqClient#request} or an official client's request sent, for {@link
   * MetaqClient#reply}. Fails with {@code INVALID} when nobody waits for an answer to that message.
   */
  public static Message replyTo(Message request) {
    if (request == null) {
      throw invalid("there is no answer to null");
    }
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(PropertyNames.MSG_TYPE, REPLY);
    properties.put(PropertyNames.CORRELATION_ID, ofRequest(request, PropertyNames.CORRELATION_ID));
    properties.put(PropertyNames.REPLY_TO_CLIENT, ofRequest(request, PropertyNames.REPLY_TO_CLIENT));
    request.property(PropertyNames.TTL).ifPresent(ttl -> properties.put(PropertyNames.TTL, ttl));
    return new Message(ofRequest(request, PropertyNames.CLUSTER) + REPLY_TOPIC_SUFFIX, NO_BODY, properties, 0);
  }

  /** Text as UTF-8. */
  public Message body(String text) {
    return body(text == null ? null : text.getBytes(StandardCharsets.UTF_8));
  }

  /** Bytes, not copied. */
  public Message body(byte[] bytes) {
    if (bytes == null) {
      throw invalid("a message's body must not be null; it may be empty");
    }
    return new Message(topic, bytes, properties, flag, queue);
  }

  /** One tag, by which subscriptions select: none that they could not name, as one with {@code ||} or spaces around it. */
  public Message tag(String tag) {
    if (tag != null && (tag.contains(TAG_SEPARATOR) || !tag.equals(tag.strip()))) {
      throw invalid("a tag must not contain '||' or begin or end with a space: '" + tag + "'");
    }
    return set(PropertyNames.TAGS, tag);
  }

  /** Adds a business key, by which the message can be looked up. Without spaces: they separate keys. */
  public Message key(String key) {
    if (key == null || key.isBlank() || key.contains(KEY_SEPARATOR)) {
      throw invalid("a key must not be empty or contain a space: '" + key + "'");
    }
    String before = properties.get(PropertyNames.KEYS);
    return set(PropertyNames.KEYS, before == null ? key : before + KEY_SEPARATOR + key);
  }

  /**
   * A property of the application's own. Neither name nor value may be empty or contain the characters 1 and 2, and no name may be one that
   * clients and brokers use themselves, as {@code TAGS} or {@code DELAY}. {@code CHECK_IMMUNITY_TIME_IN_SECONDS} is an application's: a
   * broker asks so much later about the transaction.
   */
  public Message property(String name, String value) {
    if (name != null && SystemProperties.contains(name) && !name.equals(PropertyNames.CHECK_IMMUNITY_TIME_IN_SECONDS)) {
      throw invalid("the property '" + name + "' is for clients and brokers; there may be a method for it");
    }
    return set(name, value);
  }

  /**
   * Messages with the same order key go to the same queue, as long as the topic's queues stay the same; official producers that
   * choose by hash of the key go there too. Sent one after the other they are stored in that order; sent at once as well, unless
   * one of them has to be sent again.
   */
  public Message orderKey(String key) {
    return set(PropertyNames.SHARDING_KEY, key);
  }

  /**
   * Delivered so long after the broker has it, exact to the ms with MetaQ and to the second with RocketMQ 5; brokers refuse what is
   * farther than they keep (3 days unless set). Brokers before RocketMQ 5 know only {@link #delayLevel}.
   *
   * @param delay at least 0
   */
  public Message deliverAfter(Duration delay) {
    if (delay == null || delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
      throw invalid("a delay must be 0 to " + LONGEST_DELAY.toDays() + " days, not " + delay);
    }
    return set(PropertyNames.TIMER_DELAY_MS, Long.toString(delay.toMillis()));
  }

  /** Delivered at a time by the broker's clock, else as {@link #deliverAfter}; at once when that is past. */
  public Message deliverAt(Instant time) {
    if (time == null || time.isAfter(LATEST)) {
      throw invalid("a time must be before " + LATEST + ", not " + time);
    }
    return set(PropertyNames.TIMER_DELIVER_MS, Long.toString(time.isBefore(Instant.EPOCH) ? 0 : time.toEpochMilli()));
  }

  /** Delivered after the delay of a level, 1 to 18 (1 s to 2 h by default); 0 is at once. */
  public Message delayLevel(int level) {
    if (level < 0) {
      throw invalid("a delay level must be at least 0, not " + level);
    }
    return set(PropertyNames.DELAY, Integer.toString(level));
  }

  /**
   * Whether the answer comes when disk and replicas have the message, as far as the broker is configured to wait for them (the
   * usual), or as soon as it is in the broker's log.
   */
  public Message waitStored(boolean wait) {
    return set(PropertyNames.WAIT, Boolean.toString(wait));
  }

  /** A number of the application's own, stored as it is. */
  public Message flag(int value) {
    return new Message(topic, body, properties, value, queue);
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

  /** The queue it is to go to, when only one will do; empty for messages that were read. */
  public Optional<TopicQueue> queue() {
    return Optional.ofNullable(queue);
  }

  /** The id its producer gave it; empty before it is sent. */
  public Optional<String> messageId() {
    return property(PropertyNames.UNIQ_KEY);
  }

  public Optional<String> orderKey() {
    return property(PropertyNames.SHARDING_KEY);
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

  /** As {@link #properties}, without anything made for it. */
  void forEachProperty(BiConsumer<String, String> action) {
    if (!properties.isEmpty()) {
      properties.forEach(action);
    }
  }

  /** As {@link #property(String, String)} for what the client itself adds. */
  Message with(String name, String value) {
    return set(name, value);
  }

  Message without(String name) {
    if (!properties.containsKey(name)) {
      return this;
    }
    Map<String, String> fewer = new LinkedHashMap<>(properties);
    fewer.remove(name);
    return new Message(topic, body, fewer, flag, queue);
  }

  private static String ofRequest(Message request, String name) {
    return request
        .property(name)
        .orElseThrow(
            () -> invalid("the message lacks the property " + name + ", so nobody waits for an answer"));
  }

  private Message set(String name, String value) {
    if (faulty(name) || faulty(value)) {
      throw invalid("a property's name and value must not be empty or contain the characters 1 and 2: '" + name + "'");
    }
    Map<String, String> more = new LinkedHashMap<>(properties);
    more.put(name, value);
    return new Message(topic, body, more, flag, queue);
  }

  private static MetaqException invalid(String fault) {
    return MetaqException.of(MetaqException.Reason.INVALID, fault);
  }

  private static boolean faulty(String text) {
    return text == null || text.isEmpty() || text.indexOf(1) >= 0 || text.indexOf(2) >= 0;
  }

  @Override
  public String toString() {
    return "Message to " + topic + ", " + body.length + " bytes, " + properties;
  }
}
