package io.metaq.model;

import java.util.Map;

/**
 * One consumer group as subscriptionGroup.json describes it.
 *
 * @param retryPolicyJson the group's retry policy as JSON text, kept as it came ({@code {"type":"CUSTOMIZED"}} by default)
 */
public record GroupConfig(
    String name,
    boolean consumeEnabled,
    boolean consumeFromMinEnabled,
    boolean consumeBroadcastEnabled,
    boolean consumeOrderly,
    int retryQueues,
    int retryMaxTimes,
    long brokerId,
    long whichBrokerWhenConsumeSlowly,
    boolean notifyMembersChanged,
    int sysFlag,
    int consumeTimeoutMinutes,
    String retryPolicyJson,
    Map<String, String> attributes) {

  public GroupConfig {
    attributes = Map.copyOf(attributes);
  }

  /** The same with other attributes. */
  public GroupConfig withAttributes(Map<String, String> others) {
    return new GroupConfig(name, consumeEnabled, consumeFromMinEnabled, consumeBroadcastEnabled, consumeOrderly, retryQueues,
        retryMaxTimes, brokerId, whichBrokerWhenConsumeSlowly, notifyMembersChanged, sysFlag, consumeTimeoutMinutes, retryPolicyJson,
        others);
  }

  /** A group with every default. */
  public static GroupConfig of(String name) {
    return new GroupConfig(name, true, true, true, false, 1, 16, 0, 1, true, 0, 15, "{\"type\":\"CUSTOMIZED\"}", Map.of());
  }
}
