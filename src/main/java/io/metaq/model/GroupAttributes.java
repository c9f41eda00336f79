package io.metaq.model;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The attributes of consumer groups that RocketMQ 5.5 knows, and how requests change them: a key begins with {@code +} to be set and
 * with {@code -} to be taken away. All of them may change at any time.
 */
public final class GroupAttributes {
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d{1,18}");

  private GroupAttributes() {}

  /**
   * What a group with the attributes {@code current} has after a change.
   *
   * @param isNew whether the group is made by this request
   * @param changes values by signed key
   * @throws IllegalArgumentException a sentence about the entry at fault
   */
  public static Map<String, String> changed(Map<String, String> current, boolean isNew, Map<String, String> changes) {
    Map<String, String> result = new TreeMap<>(current);
    Set<String> named = new HashSet<>();
    for (Map.Entry<String, String> change : new TreeMap<>(changes).entrySet()) {
      String signed = change.getKey();
      boolean adds = signed.startsWith("+");
      if (!adds && !signed.startsWith("-")) {
        throw new IllegalArgumentException("attribute '" + signed + "' begins with neither + nor -");
      }
      String key = signed.substring(1);
      if (!named.add(key)) {
        throw new IllegalArgumentException("attribute '" + key + "' is named twice");
      }
      if (adds) {
        check(key, change.getValue());
        result.put(key, change.getValue());
      } else if (isNew) {
        throw new IllegalArgumentException("attribute '" + key + "' cannot be taken from a group that does not exist yet");
      } else if (result.remove(key) == null) {
        throw new IllegalArgumentException("the group has no attribute '" + key + "'");
      }
    }
    return result;
  }

  private static void check(String key, String value) {
    switch (key) {
      case "priority.factor" -> within(key, value, 0, 100);
      case "lite.sub.client.quota" -> within(key, value, -1, Long.MAX_VALUE);
      case "lite.sub.client.max.event.cnt" -> within(key, value, 10, Long.MAX_VALUE);
      case "lite.sub.model" -> oneOf(key, value, Set.of("Shared", "Exclusive"));
      case "lite.sub.reset.offset.exclusive", "lite.sub.reset.offset.unsubscribe" -> oneOf(key, value, Set.of("true", "false"));
      case "lite.bind.topic", "lite.sub.wildcard" -> { }
      default -> throw new IllegalArgumentException("there is no attribute '" + key + "'");
    }
  }

  private static void within(String key, String value, long least, long most) {
    if (!WHOLE_NUMBER.matcher(value).matches() || Long.parseLong(value) < least || Long.parseLong(value) > most) {
      throw new IllegalArgumentException("attribute '" + key + "' is a number from " + least
          + (most == Long.MAX_VALUE ? "" : " to " + most) + ", not '" + value + "'");
    }
  }

  private static void oneOf(String key, String value, Set<String> values) {
    if (!values.contains(value)) {
      throw new IllegalArgumentException("attribute '" + key + "' cannot be '" + value + "'");
    }
  }
}
