package io.metaq.store.service;

import io.metaq.model.OwnedBy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Which loops wait in which queues: one bit a loop. A watch is used up when it tells. */
@OwnedBy("DispatchVerticle")
final class WatchTable {
  /** The end of a queue as readers see it. */
  interface QueueEnds {
    long maxOffset(String topic, int queueId);
  }

  private final QueueEnds ends;
  private final Map<String, long[]> loopsByQueue = new HashMap<>();

  WatchTable(QueueEnds ends) {
    this.ends = ends;
  }

  /**
   * Remembers that {@code loop} wants to hear when the queue reaches beyond {@code queueOffset}.
   *
   * @return true when it does already: tell now, nothing was remembered
   */
  boolean add(int loop, String topic, int queueId, long queueOffset) {
    if (ends.maxOffset(topic, queueId) > queueOffset) {
      return true;
    }
    long[] loops = loopsByQueue.getOrDefault(topic, new long[0]);
    if (loops.length <= queueId) {
      loops = Arrays.copyOf(loops, queueId + 1);
      loopsByQueue.put(topic, loops);
    }
    loops[queueId] |= 1L << loop;
    return false;
  }

  /** The loops that wait in the queue; they are forgotten. */
  long take(String topic, int queueId) {
    long[] loops = loopsByQueue.get(topic);
    if (loops == null || loops.length <= queueId) {
      return 0;
    }
    long taken = loops[queueId];
    loops[queueId] = 0;
    return taken;
  }
}
