package io.metaq.codec.registry;

import io.metaq.model.TopicConfig;

/**
 * How many queues one broker has of one topic, and what may be done with them.
 *
 * @param perm bits of {@link io.metaq.model.Perm}
 * @param sysFlag 1 unit, 2 unit subscription
 */
public record QueueData(String brokerName, int readQueues, int writeQueues, int perm, int sysFlag) {
  /** The queues of {@code topic} on {@code brokerName}. */
  public static QueueData of(String brokerName, TopicConfig topic) {
    return new QueueData(brokerName, topic.readQueues(), topic.writeQueues(), topic.perm(), topic.sysFlag());
  }

  public QueueData withPerm(int newPerm) {
    return new QueueData(brokerName, readQueues, writeQueues, newPerm, sysFlag);
  }
}
