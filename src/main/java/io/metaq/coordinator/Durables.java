package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/**
 * What waits until the log is on disk up to some position, in the order of the positions; where nobody waits for the disk,
 * nothing.
 */
@OwnedBy("PopVerticle")
final class Durables {
  private final boolean waits;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long flushedOffset;

  Durables(boolean waits) {
    this.waits = waits;
  }

  private record Waiting(long endOffset, Runnable action) {}

  /** Does something when the log is on disk up to here. */
  void when(long endOffset, Runnable action) {
    if (waits && endOffset > flushedOffset) {
      waiting.add(new Waiting(endOffset, action));
    } else {
      action.run();
    }
  }

  void flushed(long phyOffset) {
    flushedOffset = Math.max(flushedOffset, phyOffset);
    while (!waiting.isEmpty() && waiting.peek().endOffset <= flushedOffset) {
      waiting.poll().action.run();
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }
}
