package io.metaq.model;

import java.util.Set;
import java.util.TreeSet;

/** Rules for topic and group names, and the names the system keeps for itself. */
public final class Topics {
  public static final String TEMPLATE = "TBW102";
  public static final String SCHEDULE = "SCHEDULE_TOPIC_XXXX";
  public static final String HALF = "RMQ_SYS_TRANS_HALF_TOPIC";
  public static final String HALF_OP = "RMQ_SYS_TRANS_OP_HALF_TOPIC";
  public static final String TRANS_CHECK_MAX_TIME = "TRANS_CHECK_MAX_TIME_TOPIC";
  public static final String SELF_TEST = "SELF_TEST_TOPIC";
  public static final String OFFSET_MOVED = "OFFSET_MOVED_EVENT";
  public static final String TRACE = "RMQ_SYS_TRACE_TOPIC";
  /** Begins the topics that clients trace to when they take the broker for a cloud's; a region's name follows. */
  private static final String CLOUD_TRACE_PREFIX = "rmq_sys_TRACE_DATA_";
  public static final String TIMER = "rmq_sys_wheel_timer";
  public static final String BENCHMARK = "BenchmarkTest";
  public static final String RETRY_PREFIX = "%RETRY%";
  public static final String DEAD_LETTER_PREFIX = "%DLQ%";
  public static final int MAX_TOPIC_LENGTH = 127;
  public static final int MAX_RETRY_TOPIC_LENGTH = 255;
  public static final int MAX_GROUP_LENGTH = 120;

  /** System topics no producer may send to. */
  private static final Set<String> CLOSED = Set.of(SCHEDULE, HALF, HALF_OP, TRANS_CHECK_MAX_TIME, SELF_TEST, OFFSET_MOVED);

  /** Besides those of {@link #CLOSED} and those named like the cluster and the broker. */
  private static final Set<String> OTHER_SYSTEM = Set.of(TEMPLATE, BENCHMARK, TRACE, TIMER);

  private Topics() {}

  /** The topics a broker keeps for itself, in order: nobody changes or deletes them by request. */
  public static Set<String> systemOf(String cluster, String broker) {
    Set<String> names = new TreeSet<>(CLOSED);
    names.addAll(OTHER_SYSTEM);
    names.addAll(Set.of(cluster, broker, cluster + "_REPLY_TOPIC", reviveOf(cluster),
        "rmq_sys_SYNC_BROKER_MEMBER_" + broker));
    return names;
  }

  public static String retryOf(String group) {
    return RETRY_PREFIX + group;
  }

  /** Where messages of a topic wait that a group popped and did not settle in time. */
  public static String popRetryOf(String topic, String group) {
    return RETRY_PREFIX + group + "_" + topic;
  }

  /** The topic that keeps check points and acknowledgements of pops. */
  public static String reviveOf(String cluster) {
    return "rmq_sys_REVIVE_LOG_" + cluster;
  }

  public static String deadLetterOf(String group) {
    return DEAD_LETTER_PREFIX + group;
  }

  public static boolean isRetry(String topic) {
    return topic.startsWith(RETRY_PREFIX);
  }

  public static boolean isDeadLetter(String topic) {
    return topic.startsWith(DEAD_LETTER_PREFIX);
  }

  /**
   * Whether producers are refused (code 16) on this topic: the six system topics, and all that begins with {@code rmq_sys_} but for
   * traces.
   */
  public static boolean closedToProducers(String topic) {
    return CLOSED.contains(topic) || topic.startsWith("rmq_sys_") && !topic.startsWith(CLOUD_TRACE_PREFIX);
  }

  /** What is wrong with a topic name, as a sentence for its sender; null when nothing is. */
  public static String topicFault(String topic) {
    if (topic == null || topic.isEmpty()) {
      return "the topic name is empty";
    }
    int limit = isRetry(topic) || isDeadLetter(topic) ? MAX_RETRY_TOPIC_LENGTH : MAX_TOPIC_LENGTH;
    if (topic.length() > limit) {
      return "the topic name has " + topic.length() + " characters, at most " + limit + " are allowed";
    }
    return illegalCharacter("topic", topic);
  }

  /** What is wrong with a consumer or producer group name, as a sentence; null when nothing is. */
  public static String groupFault(String group) {
    if (group == null || group.isEmpty()) {
      return "the group name is empty";
    }
    if (group.length() > MAX_GROUP_LENGTH) {
      return "the group name has " + group.length() + " characters, at most " + MAX_GROUP_LENGTH + " are allowed";
    }
    return illegalCharacter("group", group);
  }

  private static String illegalCharacter(String what, String name) {
    for (int i = 0; i < name.length(); i++) {
      if (!legal(name.charAt(i))) {
        return "the " + what + " name has an illegal character at position " + i + "; allowed are letters, digits, %, |, - and _";
      }
    }
    return null;
  }

  private static boolean legal(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '%' || c == '|' || c == '-' || c == '_';
  }
}
