package io.metaq.coordinator;

import java.util.Optional;

/**
 * Settings of the coordinators.
 *
 * @param offsetSaveIntervalMs how often changed consumer progress goes to its file
 * @param scheduleSaveIntervalMs the same for the progress of delayed delivery
 */
public record CoordinatorOptions(TopicRules topics, GroupRules groups, long offsetSaveIntervalMs, long scheduleSaveIntervalMs) {

  /** Every default for a broker of this name. */
  public static CoordinatorOptions defaults(String clusterName, String brokerName) {
    return new CoordinatorOptions(TopicRules.defaults(clusterName, brokerName), GroupRules.defaults(), 5_000, 10_000);
  }

  /**
   * Which topics the broker makes.
   *
   * @param autoCreate whether a first send to an unknown topic makes it from {@code TBW102}
   * @param templateQueues queues of {@code TBW102}
   * @param clusterTopicEnabled whether the topic named like the cluster can be read and written
   * @param brokerTopicEnabled the same for the one named like the broker
   * @param traceTopic name of the trace topic to make at start
   * @param reviveQueues queues of the topic that keeps POP check points
   */
  public record TopicRules(
      String clusterName,
      String brokerName,
      boolean autoCreate,
      int templateQueues,
      boolean clusterTopicEnabled,
      boolean brokerTopicEnabled,
      Optional<String> traceTopic,
      int reviveQueues) {

    public static TopicRules defaults(String clusterName, String brokerName) {
      return new TopicRules(clusterName, brokerName, true, 8, true, true, Optional.empty(), 8);
    }
  }

  /**
   * How consumer groups and their members are kept.
   *
   * @param autoCreate whether a heartbeat, pull or send-back of an unknown group makes it
   * @param notifyMembersChanged whether members are told of one another; each group has a switch of its own besides
   * @param clientExpiryMs silence after which a client is taken for dead
   * @param scanIntervalMs how often silent clients and run-out locks are looked for
   * @param conflict what is done about members of one group that want different things
   */
  public record GroupRules(
      boolean autoCreate, boolean notifyMembersChanged, long clientExpiryMs, long scanIntervalMs, ConflictRule conflict) {

    public static GroupRules defaults() {
      return new GroupRules(true, true, 120_000, 10_000, ConflictRule.HOLD);
    }
  }
}
