package io.metaq.model;

import java.util.Set;
import java.util.TreeSet;

/**
 * What a group wants of one topic.
 *
 * @param expression the expression as given, {@code *} for all
 * @param type {@code TAG} or {@code SQL92}
 * @param tags the tags of a TAG expression, empty for all
 * @param codes Java string hash of each tag
 * @param version ms; a higher one replaces a lower one
 */
public record Subscription(String topic, String expression, String type, Set<String> tags, Set<Integer> codes, long version) {
  public static final String TAG = "TAG";
  public static final String SQL92 = "SQL92";
  public static final String ALL = "*";

  public Subscription {
    tags = Set.copyOf(tags);
    codes = Set.copyOf(codes);
  }

  /** Parses a tag expression: tags joined by {@code ||}; {@code *}, empty or null means all. */
  public static Subscription ofTags(String topic, String expression, long version) {
    if (expression == null || expression.isBlank() || expression.trim().equals(ALL)) {
      return new Subscription(topic, ALL, TAG, Set.of(), Set.of(), version);
    }
    Set<String> tags = new TreeSet<>();
    Set<Integer> codes = new TreeSet<>();
    for (String part : expression.split("\\|\\|")) {
      String tag = part.trim();
      if (!tag.isEmpty()) {
        tags.add(tag);
        codes.add(tag.hashCode());
      }
    }
    return new Subscription(topic, expression, TAG, tags, codes, version);
  }

  /** An SQL92 expression, as given; whether it is one, whoever evaluates it finds out. */
  public static Subscription ofSql(String topic, String expression, long version) {
    return new Subscription(topic, expression, SQL92, Set.of(), Set.of(), version);
  }

  /** Whether the expression is a tag filter, which one without a type is. */
  public boolean isTag() {
    return type == null || type.isEmpty() || TAG.equals(type);
  }

  /** Whether it selects the same messages, as far as its text tells: order and repetition of tags do not matter. */
  public boolean selectsAs(Subscription other) {
    return isTag() ? other.isTag() && tags.equals(other.tags) : type.equals(other.type) && expression.equals(other.expression);
  }

  /** Of a tag filter, whether a message with this tags code may match: hash collisions pass, the client compares the strings. */
  public boolean admits(long tagsCode) {
    return codes.isEmpty() || codes.contains((int) tagsCode);
  }
}
