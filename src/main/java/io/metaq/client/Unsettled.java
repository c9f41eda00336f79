package io.metaq.client;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/**
 * The messages of one queue that were read and are not settled, in queue order. Settled out of order they leave in order, so that the
 * group's progress never passes one that is open.
 */
@OwnedBy("its client's context")
final class Unsettled {
  private final ArrayDeque<Slot> slots = new ArrayDeque<>();

  /** One message's place. */
  @OwnedBy("its client's context")
  static final class Slot {
    private final long queueOffset;
    private boolean settled;

    private Slot(long queueOffset) {
      this.queueOffset = queueOffset;
    }
  }

  /** A message was read; offsets only grow. */
  Slot add(long queueOffset) {
    Slot slot = new Slot(queueOffset);
    slots.add(slot);
    return slot;
  }

  void settle(Slot slot) {
    slot.settled = true;
    while (!slots.isEmpty() && slots.peek().settled) {
      slots.poll();
    }
  }

  /** Messages from the oldest open one on. */
  int count() {
    return slots.size();
  }

  /**
   * Where the group has come to: the oldest open message.
   *
   * @param nextQueueOffset what to read next, the answer when nothing is open
   */
  long progress(long nextQueueOffset) {
    return slots.isEmpty() ? nextQueueOffset : slots.peek().queueOffset;
  }
}
