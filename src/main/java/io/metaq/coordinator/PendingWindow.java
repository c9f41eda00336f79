package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.BitSet;

/**
 * Which half messages still wait for their end, one bit for each offset of the half queue from the first that does:
 *
 * <pre>
 *   all done             next
 *   ---------------------|--x-xx---x-------------- queue offset
 *                           done (x) or not yet
 * </pre>
 */
@OwnedBy("TransactionVerticle")
final class PendingWindow {
  /** Bits behind {@link #next} that are kept before they are thrown away in one go. */
  private static final int SLACK = 1 << 16;

  private BitSet done = new BitSet();
  private long base;
  private long next;

  PendingWindow(long first) {
    base = first;
    next = first;
  }

  /** Everything before this offset is done. */
  long next() {
    return next;
  }

  boolean isDone(long queueOffset) {
    return queueOffset < next || done.get(bit(queueOffset));
  }

  void done(long queueOffset) {
    if (queueOffset < next) {
      return;
    }
    done.set(bit(queueOffset));
    if (queueOffset == next) {
      next = base + done.nextClearBit(bit(next));
      shrink();
    }
  }

  /** The first offset from {@code from} on that is not done; it may lie behind the end of the queue. */
  long nextPending(long from) {
    return base + done.nextClearBit(bit(Math.max(from, next)));
  }

  /** Throws the bits before {@link #next} away once they are many, and more than half. */
  private void shrink() {
    int behind = bit(next);
    if (behind >= SLACK && behind >= done.length() / 2) {
      done = done.get(behind, Math.max(behind, done.length()));
      base = next;
    }
  }

  private int bit(long queueOffset) {
    return Math.toIntExact(queueOffset - base);
  }
}
