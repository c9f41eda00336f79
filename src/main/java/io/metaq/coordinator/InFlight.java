package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Every check point that is not done: by name, by the time it is due, and by its place in the revive log. */
@OwnedBy("PopVerticle")
final class InFlight {
  private final Map<Name, Checkpoint> byName = new HashMap<>();
  private final DueHeap<Checkpoint> byTime = new DueHeap<>();
  private final List<ReviveQueue> reviveQueues = new ArrayList<>();

  InFlight(int reviveQueueCount) {
    for (int i = 0; i < reviveQueueCount; i++) {
      reviveQueues.add(new ReviveQueue());
    }
  }

  private record Name(PopQueue queue, long startOffset, long popTimeMs) {
    static Name of(Checkpoint checkpoint) {
      return new Name(checkpoint.queue(), checkpoint.startOffset(), checkpoint.popTimeMs());
    }
  }

  int size() {
    return byName.size();
  }

  List<ReviveQueue> reviveQueues() {
    return reviveQueues;
  }

  ReviveQueue reviveQueue(Checkpoint checkpoint) {
    return reviveQueues.get(checkpoint.reviveQueueId());
  }

  /** The check point of this name; null when it is done or never was. */
  Checkpoint find(PopQueue queue, long startOffset, long popTimeMs) {
    return byName.get(new Name(queue, startOffset, popTimeMs));
  }

  /** Its record is stored. */
  void add(Checkpoint checkpoint, long reviveOffset) {
    byName.put(Name.of(checkpoint), checkpoint);
    byTime.add(checkpoint);
    reviveQueue(checkpoint).add(checkpoint, reviveOffset);
  }

  /** A newer record stands for it. */
  void renewed(Checkpoint checkpoint, long reviveOffset) {
    if (byName.containsKey(Name.of(checkpoint))) {
      reviveQueue(checkpoint).remove(checkpoint);
      reviveQueue(checkpoint).add(checkpoint, reviveOffset);
    }
  }

  /** The log says that these of its messages are settled. */
  void ack(Checkpoint checkpoint, int bits) {
    checkpoint.ack(bits);
    if (checkpoint.done() && byName.remove(Name.of(checkpoint)) != null) {
      byTime.remove(checkpoint);
      reviveQueue(checkpoint).remove(checkpoint);
    }
  }

  /** One that is due by now; null when none is. */
  Checkpoint due(long nowMs) {
    return byTime.due(nowMs);
  }

  /** It is to be looked at again later. */
  void postpone(Checkpoint checkpoint, long timeMs) {
    byTime.move(checkpoint, timeMs);
  }

  /** Nobody waits any more for what was popped from these queues. */
  void forget(Predicate<PopQueue> queues) {
    List<Checkpoint> forgotten = byName.values().stream().filter(checkpoint -> queues.test(checkpoint.queue())).toList();
    forgotten.forEach(checkpoint -> ack(checkpoint, -1));
  }
}
