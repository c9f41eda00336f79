package io.metaq.broker;

import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.QueueHandle;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A topic as one loop knows it, with the queue handles this loop sends by. */
@OwnedBy("its event loop")
final class TopicEntry {
  private final byte[] nameBytes;
  private final boolean retry;
  private final Map<String, Tally> readers = new HashMap<>();
  private TopicConfig config;
  private QueueHandle[] queues = new QueueHandle[0];

  TopicEntry(TopicConfig config) {
    this.nameBytes = config.name().getBytes(StandardCharsets.UTF_8);
    this.retry = Topics.isRetry(config.name());
    this.config = config;
  }

  String name() {
    return config.name();
  }

  /** The name in UTF-8; not to be changed. */
  byte[] nameBytes() {
    return nameBytes;
  }

  TopicConfig config() {
    return config;
  }

  void update(TopicConfig newer) {
    config = newer;
  }

  /** Whether it is the retry topic of a group. */
  boolean retry() {
    return retry;
  }

  boolean writable() {
    return Perm.writable(config.perm());
  }

  boolean readable() {
    return Perm.readable(config.perm());
  }

  /** Where what a group reads of this topic is counted. */
  Tally readBy(String group, LoopTallies tallies) {
    Tally known = readers.get(group);
    if (known == null) {
      known = tallies.of(Statistic.Source.GROUP_GETS, config.name(), group);
      readers.put(group, known);
    }
    return known;
  }

  /** The handle of a queue, made at first use. */
  QueueHandle queue(int queueId) {
    if (queueId >= queues.length) {
      QueueHandle[] more = new QueueHandle[Math.max(queueId + 1, Math.max(config.readQueues(), config.writeQueues()))];
      System.arraycopy(queues, 0, more, 0, queues.length);
      queues = more;
    }
    QueueHandle queue = queues[queueId];
    if (queue == null) {
      queue = new QueueHandle(config.name(), queueId);
      queues[queueId] = queue;
    }
    return queue;
  }
}
