package io.metaq.model;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The next queue offset of one queue, a counter of the commit log's writer; several {@link QueueHandle}s share one. Others may look at
 * it.
 */
@OwnedBy("CommitLogVerticle")
public final class QueueEnd {
  private final AtomicLong nextQueueOffset;

  public QueueEnd(long nextQueueOffset) {
    this.nextQueueOffset = new AtomicLong(nextQueueOffset);
  }

  /** The queue offset the next stored message gets. From any thread. */
  public long next() {
    return nextQueueOffset.get();
  }

  /** Moves on by one message and returns the offset it got. */
  public long take() {
    long taken = nextQueueOffset.getPlain();
    nextQueueOffset.lazySet(taken + 1);
    return taken;
  }

  /** Moves back by one message: the one that took the last offset could not be stored. */
  public void giveBack() {
    nextQueueOffset.lazySet(nextQueueOffset.getPlain() - 1);
  }
}
