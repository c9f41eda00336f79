package io.metaq.model;

/** The next queue offset of one queue, a plain counter of the commit log's writer; several {@link QueueHandle}s share one. */
@OwnedBy("CommitLogVerticle")
public final class QueueEnd {
  private long nextQueueOffset;

  public QueueEnd(long nextQueueOffset) {
    this.nextQueueOffset = nextQueueOffset;
  }

  /** The queue offset the next stored message gets. */
  public long next() {
    return nextQueueOffset;
  }

  /** Moves on by one message and returns the offset it got. */
  public long take() {
    return nextQueueOffset++;
  }

  /** Moves back by one message: the one that took the last offset could not be stored. */
  public void giveBack() {
    nextQueueOffset--;
  }
}
