package io.metaq.client;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The messages of one queue that were read and are not settled, in queue order. Settled out of order they leave in order, so that the
 * group's progress never passes one that is open.
 */
@OwnedBy("its client's context")
final class Unsettled {
  private final ArrayDeque<Slot> slots = new ArrayDeque<>();
  private int inHand;

  /** One message's place. */
  @OwnedBy("its client's context")
  static final class Slot {
    private final long queueOffset;
    private boolean settled;
    private boolean inHand;
    private long handedOutNs;

    private Slot(long queueOffset) {
      this.queueOffset = queueOffset;
    }

    long queueOffset() {
      return queueOffset;
    }

    /** When the subscriber got it last. */
    long handedOutNs() {
      return handedOutNs;
    }
  }

  /** A message was read; offsets only grow. */
  Slot add(long queueOffset) {
    Slot slot = new Slot(queueOffset);
    slots.add(slot);
    return slot;
  }

  /** The subscriber has it. */
  void handedOut(Slot slot, long nowNs) {
    slot.inHand = true;
    slot.handedOutNs = nowNs;
    inHand++;
  }

  /** The subscriber gave it back, to get it again. */
  void takenBack(Slot slot) {
    if (slot.inHand) {
      slot.inHand = false;
      inHand--;
    }
  }

  void settle(Slot slot) {
    takenBack(slot);
    slot.settled = true;
    while (!slots.isEmpty() && slots.peek().settled) {
      slots.poll();
    }
  }

  /** Messages from the oldest open one on. */
  int count() {
    return slots.size();
  }

  /** Messages the subscriber has. */
  int inHand() {
    return inHand;
  }

  /** The message that holds up the progress, when the subscriber has it. */
  Optional<Slot> holdingUp() {
    Slot oldest = slots.peek();
    return oldest != null && oldest.inHand ? Optional.of(oldest) : Optional.empty();
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
