package io.metaq.model;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The attributes of topics, and how requests change them: {@code +message.type=FIFO,-reserve.time}. A new topic takes what begins with
 * {@code +}; of an existing one only {@code message.type} and {@code reserve.time} change.
 */
public final class TopicAttributes {
  private static final String MESSAGE_TYPE = "message.type";
  private static final String RESERVE_TIME = "reserve.time";
  private static final Set<String> CHANGEABLE = Set.of(MESSAGE_TYPE, RESERVE_TIME);
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-1|\\d{1,18}");

  private TopicAttributes() {}

  /**
   * What a topic with the attributes {@code current} has after a change.
   *
   * @param isNew whether the topic is made by this request
   * @param changes entries separated by commas; blank for none
   * @throws IllegalArgumentException a sentence about the entry at fault
   */
  public static Map<String, String> changed(Map<String, String> current, boolean isNew, String changes) {
    Map<String, String> result = new TreeMap<>(current);
    for (String entry : changes.split(",")) {
      if (!entry.isBlank()) {
        apply(entry.trim(), isNew, result);
      }
    }
    return result;
  }

  private static void apply(String entry, boolean isNew, Map<String, String> attributes) {
    boolean adds = entry.startsWith("+");
    if (!adds && !entry.startsWith("-")) {
      throw new IllegalArgumentException("attribute '" + entry + "' begins with neither + nor -");
    }
    int equals = entry.indexOf('=');
    String key = entry.substring(1, equals < 0 ? entry.length() : equals);
    if (adds) {
      String value = equals < 0 ? "" : entry.substring(equals + 1);
      check(key, value);
      if (!isNew && !CHANGEABLE.contains(key) && !value.equals(attributes.get(key))) {
        throw new IllegalArgumentException("attribute '" + key + "' of an existing topic cannot be changed");
      }
      attributes.put(key, value);
    } else if (isNew) {
      throw new IllegalArgumentException("attribute '" + key + "' cannot be taken from a topic that does not exist yet");
    } else if (!CHANGEABLE.contains(key)) {
      throw new IllegalArgumentException("attribute '" + key + "' of an existing topic cannot be changed");
    } else if (attributes.remove(key) == null) {
      throw new IllegalArgumentException("the topic has no attribute '" + key + "'");
    }
  }

  private static void check(String key, String value) {
    switch (key) {
      case MESSAGE_TYPE -> oneOf(key, value, Set.of("UNSPECIFIED", "NORMAL", "FIFO", "DELAY", "TRANSACTION", "MIXED"));
      case "queue.type" -> oneOf(key, value, Set.of("SimpleCQ"));
      case "cleanup.policy" -> oneOf(key, value, Set.of("DELETE"));
      case RESERVE_TIME -> {
        if (!WHOLE_NUMBER.matcher(value).matches()) {
          throw new IllegalArgumentException("attribute 'reserve.time' is a number of -1 or more, not '" + value + "'");
        }
      }
      default -> throw new IllegalArgumentException("there is no attribute '" + key + "'");
    }
  }

  private static void oneOf(String key, String value, Set<String> values) {
    if (!values.contains(value)) {
      throw new IllegalArgumentException("attribute '" + key + "' cannot be '" + value + "' here");
    }
  }
}
