package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * What is known of the transactions that have not ended. A transaction is named by the queue offset of its first half message, its
 * <em>root</em>; a check back stores a newer copy of it, which then stands for it. Everything here can be derived from the log:
 * copies carry their root, and op records name what ended.
 *
 * <p>Two places say how far that has come, as RocketMQ keeps them: nothing before {@link #nextHalf()} waits, and no op record before
 * {@link #nextOp()} names anything from there on.
 */
@OwnedBy("TransactionVerticle")
final class TransactionTable {
  private final PendingWindow window;
  private final Map<Long, Long> copyOfRoot = new HashMap<>();
  private final ArrayDeque<Long> unnamed = new ArrayDeque<>();
  private final ArrayDeque<OpRecord> ops = new ArrayDeque<>();
  private final long recoveredEnd;
  private long nextOp;

  /** One op record, with the greatest half offset it names. */
  private record OpRecord(long queueOffset, long highest) {}

  /**
   * @param nextHalf the first half message that may not have ended
   * @param recoveredEnd half messages before this one were stored by an earlier process
   */
  TransactionTable(long nextHalf, long nextOp, long recoveredEnd) {
    window = new PendingWindow(nextHalf);
    this.nextOp = nextOp;
    this.recoveredEnd = recoveredEnd;
  }

  /** Where to begin reading half messages after a restart. */
  long nextHalf() {
    return window.next();
  }

  /** Where to begin reading op records after a restart. */
  long nextOp() {
    while (!ops.isEmpty() && ops.peek().highest < window.next()) {
      nextOp = ops.poll().queueOffset + 1;
    }
    return nextOp;
  }

  /** The first half message from {@code from} on that stands for a transaction, or the place where the next one will be. */
  long nextPending(long from) {
    return window.nextPending(from);
  }

  boolean isDone(long queueOffset) {
    return window.isDone(queueOffset);
  }

  /** Whether the transaction that a half message belongs to has not ended, be it by a newer copy. */
  boolean isPending(long root, long queueOffset) {
    return copyOfRoot.containsKey(root) || root == queueOffset && !window.isDone(queueOffset);
  }

  boolean hasCopy(long root) {
    return copyOfRoot.containsKey(root);
  }

  /** Whether it began before this process did, so that it may have ended without an op record. */
  boolean isRecovered(long root) {
    return root < recoveredEnd;
  }

  /** A newer copy stands for the transaction from now on. */
  void renewed(long root, long copy) {
    Long before = copyOfRoot.put(root, copy);
    window.done(before == null ? root : before);
  }

  /** The transaction has ended; an op record is to say so. */
  void ended(long root) {
    Long copy = copyOfRoot.remove(root);
    endedBy(root);
    if (copy != null) {
      endedBy(copy);
    }
  }

  private void endedBy(long queueOffset) {
    window.done(queueOffset);
    unnamed.add(queueOffset);
  }

  /** An op record names this half message. */
  void named(long queueOffset) {
    window.done(queueOffset);
  }

  /** An op record is stored. */
  void opStored(long queueOffset, long highest) {
    ops.add(new OpRecord(queueOffset, highest));
  }

  /** Half messages that have ended and that no op record names yet. */
  ArrayDeque<Long> unnamed() {
    return unnamed;
  }
}
