package io.metaq.coordinator;

import io.metaq.coordinator.TransactionLog.Queue;
import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Derives the table of transactions from the log: op records from the noted place on say what has ended, and what they do not name
 * is read for its root. Where no progress is noted, or less than there was, more is read and the outcome is the same. A slave that
 * became master may have copied progress that is ahead of its copy of the log: so what was stored in the last
 * {@value #READ_AGAIN_MS} ms before the noted place is read in any case, and what has no end in this log waits again.
 */
@OwnedBy("TransactionVerticle, at its start")
final class TransactionRecovery {
  static final long READ_AGAIN_MS = 60_000;

  private static final Logger log = LoggerFactory.getLogger(TransactionRecovery.class);

  private final TransactionLog store;
  private final HalfMessage half;
  private final Set<Long> endedBefore = new HashSet<>();

  TransactionRecovery(TransactionLog store, HalfMessage half) {
    this.store = store;
    this.half = half;
  }

  /**
   * Reads what is needed.
   *
   * @param nextHalf where to begin with half messages, negative when that was never noted
   * @param nextOp the same for op records
   */
  TransactionTable run(long nextHalf, long nextOp) {
    long halfEnd = store.maxOffset(Queue.HALF);
    long noted = within(Queue.HALF, nextHalf);
    long firstHalf = Math.min(noted, store.firstSince(Queue.HALF, storedMs(Math.min(noted, halfEnd - 1)) - READ_AGAIN_MS));
    long firstOp = Math.min(within(Queue.OP, nextOp), store.firstSince(Queue.OP, storedMs(firstHalf)));
    TransactionTable table = new TransactionTable(firstHalf, firstOp, halfEnd);
    for (long op = firstOp; op < store.maxOffset(Queue.OP); op++) {
      readOp(table, op, firstHalf);
    }
    int waiting = 0;
    for (long at = table.nextPending(firstHalf); at < halfEnd; at = table.nextPending(at + 1)) {
      waiting += readHalf(table, at, firstHalf);
    }
    if (halfEnd > 0) {
      log.info("transactions were read from the log waiting={} nextHalf={} halfEnd={} nextOp={}", waiting, table.nextHalf(), halfEnd,
          firstOp);
    }
    return table;
  }

  /** When a half message was stored; the beginning of time when it cannot be read. */
  private long storedMs(long queueOffset) {
    Optional<? extends SharedBytes> record = store.record(store.place(Queue.HALF, queueOffset));
    if (record.isEmpty()) {
      return 0;
    }
    try {
      half.read(record.get().bytes());
      return half.storeTimestamp();
    } finally {
      record.get().release();
    }
  }

  private long within(Queue queue, long noted) {
    long min = store.minOffset(queue);
    long max = store.maxOffset(queue);
    if (noted >= 0 && (noted < min || noted > max)) {
      log.warn("the progress of transactions is outside its queue, it goes on inside queue={} queueOffset={} min={} max={}",
          queue, noted, min, max);
    }
    return Math.min(max, Math.max(min, noted));
  }

  private void readOp(TransactionTable table, long op, long firstHalf) {
    Optional<? extends SharedBytes> record = store.record(store.place(Queue.OP, op));
    if (record.isEmpty()) {
      log.error("an op record cannot be read; transactions it ended may be asked for again queueOffset={}", op);
      return;
    }
    List<Long> offsets;
    try {
      offsets = OpRecords.read(record.get().bytes());
    } finally {
      record.get().release();
    }
    for (long offset : offsets) {
      if (offset >= firstHalf) {
        table.named(offset);
      } else {
        endedBefore.add(offset);
      }
    }
    table.opStored(op, OpRecords.highest(offsets));
  }

  /** Returns by how many the transactions that wait became more. */
  private int readHalf(TransactionTable table, long at, long firstHalf) {
    Optional<? extends SharedBytes> record = store.record(store.place(Queue.HALF, at));
    if (record.isEmpty()) {
      log.error("a half message cannot be read, its transaction will never end queueOffset={}", at);
      table.ended(at);
      return 0;
    }
    try {
      half.read(record.get().bytes());
      return add(table, at, half.root(), firstHalf);
    } finally {
      record.get().release();
    }
  }

  private int add(TransactionTable table, long at, long root, long firstHalf) {
    if (root == at) {
      return 1;
    }
    if (table.hasCopy(root)) {
      table.renewed(root, at);
      return 0;
    }
    boolean rootEnded = root < firstHalf ? endedBefore.contains(root) : table.isDone(root);
    if (rootEnded) {
      table.ended(at);
      return 0;
    }
    table.renewed(root, at);
    return root < firstHalf ? 1 : 0;
  }
}
