package io.metaq.coordinator;

import io.metaq.coordinator.CoordinatorOptions.TopicRules;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import java.util.ArrayList;
import java.util.List;

/** The topics every broker has from its start on. */
final class SystemTopics {
  private static final int READ_WRITE_INHERIT = Perm.READ_WRITE | Perm.INHERIT;
  private static final int DELAY_QUEUES = 18;
  private static final int BENCHMARK_QUEUES = 1024;
  private static final int CLUSTER_QUEUES = 16;

  private SystemTopics() {}

  static List<TopicConfig> of(TopicRules rules) {
    List<TopicConfig> topics = new ArrayList<>();
    topics.add(TopicConfig.of(Topics.SELF_TEST, 1, Perm.READ_WRITE));
    if (rules.autoCreate()) {
      topics.add(TopicConfig.of(Topics.TEMPLATE, rules.templateQueues(), READ_WRITE_INHERIT));
    }
    topics.add(TopicConfig.of(Topics.BENCHMARK, BENCHMARK_QUEUES, Perm.READ_WRITE));
    topics.add(TopicConfig.of(rules.clusterName(), CLUSTER_QUEUES, templatePerm(rules.clusterTopicEnabled())));
    topics.add(TopicConfig.of(rules.brokerName(), 1, templatePerm(rules.brokerTopicEnabled())));
    topics.add(TopicConfig.of(Topics.OFFSET_MOVED, 1, Perm.READ_WRITE));
    topics.add(TopicConfig.of(Topics.SCHEDULE, DELAY_QUEUES, Perm.READ_WRITE));
    rules.traceTopic().ifPresent(trace -> topics.add(TopicConfig.of(trace, 1, Perm.READ_WRITE)));
    topics.add(TopicConfig.of(rules.clusterName() + "_REPLY_TOPIC", 1, Perm.READ_WRITE));
    topics.add(TopicConfig.of(Topics.reviveOf(rules.clusterName()), rules.reviveQueues(), Perm.READ_WRITE));
    topics.add(TopicConfig.of("rmq_sys_SYNC_BROKER_MEMBER_" + rules.brokerName(), 1, Perm.INHERIT));
    topics.add(TopicConfig.of(Topics.HALF, 1, Perm.READ_WRITE));
    topics.add(TopicConfig.of(Topics.HALF_OP, 1, Perm.READ_WRITE));
    topics.add(TopicConfig.of(Topics.TIMER, 1, Perm.READ_WRITE));
    return topics;
  }

  private static int templatePerm(boolean enabled) {
    return enabled ? READ_WRITE_INHERIT : Perm.INHERIT;
  }
}
