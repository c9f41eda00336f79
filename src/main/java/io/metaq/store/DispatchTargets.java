package io.metaq.store;

import io.metaq.codec.record.JavaHash;
import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds the queue of a record by the bytes of its topic, without making a string for each record. Grows with the queues there are. */
@OwnedBy("DispatchVerticle")
final class DispatchTargets {
  /** A queue with what the dispatcher wants to know of its topic. */
  static final class Target {
    private final byte[] topic;
    private final int queueId;
    private final int hash;
    private final ConsumeQueue queue;
    private final boolean scheduled;
    private final int keyHashStart;
    private final int tagHashStart;

    private Target(byte[] topic, int hash, ConsumeQueue queue) {
      this.topic = topic;
      this.hash = hash;
      this.queueId = queue.queueId();
      this.queue = queue;
      this.scheduled = queue.topic().equals(Topics.SCHEDULE);
      this.keyHashStart = (queue.topic() + "#").hashCode();
      this.tagHashStart = (queue.topic() + "#T#").hashCode();
    }

    ConsumeQueue queue() {
      return queue;
    }

    /** Whether tags codes of this queue are delivery times. */
    boolean scheduled() {
      return scheduled;
    }

    /** Java string hash of the topic and {@code #}: how every key of the topic begins in the index. */
    int keyHashStart() {
      return keyHashStart;
    }

    /** As {@link #keyHashStart}, of the topic and {@code #T#}: how every tag of the topic begins there. */
    int tagHashStart() {
      return tagHashStart;
    }

    private boolean is(byte[] bytes, int from, int to, int id) {
      return queueId == id && Arrays.equals(topic, 0, topic.length, bytes, from, to);
    }
  }

  private final ConsumeQueues queues;
  private Target[] slots = new Target[64];
  private int count;
  private Target last;

  DispatchTargets(ConsumeQueues queues) {
    this.queues = queues;
  }

  /** The target of queue {@code queueId} of the topic in {@code [from, to)}; made when it is new. */
  Target find(byte[] bytes, int from, int to, int queueId) {
    if (last != null && last.is(bytes, from, to, queueId)) {
      return last;
    }
    int hash = JavaHash.of(bytes, from, to) * 31 + queueId;
    int slot = slotOf(hash);
    while (slots[slot] != null) {
      Target target = slots[slot];
      if (target.hash == hash && target.is(bytes, from, to, queueId)) {
        last = target;
        return target;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    String topic = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    last = new Target(Arrays.copyOfRange(bytes, from, to), hash, queues.findOrMake(topic, queueId));
    slots[slot] = last;
    if (++count > slots.length / 2) {
      grow();
    }
    return last;
  }

  private int slotOf(int hash) {
    return (hash ^ hash >>> 16) & (slots.length - 1);
  }

  private void grow() {
    Target[] old = slots;
    slots = new Target[old.length * 2];
    for (Target target : old) {
      if (target != null) {
        int slot = slotOf(target.hash);
        while (slots[slot] != null) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = target;
      }
    }
  }
}
