package io.metaq.model;

import java.util.Map;

/**
 * One topic as topics.json and registrations describe it.
 *
 * @param perm bits of {@link Perm}
 * @param filterType {@code SINGLE_TAG} or {@code MULTI_TAG}
 * @param sysFlag 1 unit, 2 unit subscription
 * @param attributes plain keys, for example {@code queue.type}
 */
public record TopicConfig(
    String name,
    int readQueues,
    int writeQueues,
    int perm,
    String filterType,
    int sysFlag,
    boolean order,
    Map<String, String> attributes) {

  public TopicConfig {
    attributes = Map.copyOf(attributes);
  }

  /** An ordinary topic: as many read as write queues, single tag, no attributes. */
  public static TopicConfig of(String name, int queues, int perm) {
    return new TopicConfig(name, queues, queues, perm, "SINGLE_TAG", 0, false, Map.of());
  }

  /** The same with {@code queues} queues at least, to read and to write. */
  public TopicConfig widened(int queues) {
    return new TopicConfig(name, Math.max(readQueues, queues), Math.max(writeQueues, queues), perm, filterType, sysFlag, order, attributes);
  }
}
