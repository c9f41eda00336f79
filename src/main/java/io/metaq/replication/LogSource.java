package io.metaq.replication;

import io.metaq.model.OwnedBy;
import io.metaq.store.LogRange;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The log as sessions read it: what may leave, and reads ahead by a worker, so that no page fault stops the loop. */
@OwnedBy("ReplicationVerticle")
final class LogSource {
  /** So near to the end a page is in memory, for the writer has just been there. */
  private static final long WARM_BYTES = 16L << 20;
  /** Read ahead at a time. */
  static final int AHEAD_BYTES = 4 << 20;
  private static final int SCRATCH_BYTES = 256 * 1024;

  private final StoreView store;
  private final WorkerExecutor readers;
  private final ThreadLocal<ByteBuffer> scratch = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(SCRATCH_BYTES));
  private final Promise<Void> idle = Promise.promise();
  private int underWay;
  private boolean closing;

  LogSource(StoreView store, WorkerExecutor readers) {
    this.store = store;
    this.readers = readers;
  }

  /** Log position of the first byte there is. */
  long first() {
    return store.firstOffset();
  }

  /** Log position behind the last byte that may leave. */
  long end() {
    return store.readableOffset();
  }

  /** Where the file begins that holds the end. */
  long startOfLastFile() {
    long end = end();
    return end - Math.floorMod(end - first(), (long) store.logFileSize());
  }

  /** Whether the bytes from a position on can be read without waiting for the disk, as far as position alone tells. */
  boolean isWarm(long phyOffset) {
    return end() - phyOffset <= WARM_BYTES;
  }

  /** Bytes from a position on, up to {@code most}; empty when they are not there (any more). The caller releases them. */
  Optional<LogRange> range(long phyOffset, int most) {
    return store.range(phyOffset, Math.min(end(), phyOffset + most));
  }

  /** Has a worker read from a position on; gives the position up to which it did. */
  Future<Long> readAhead(long phyOffset) {
    underWay++;
    return readers.executeBlocking(() -> load(phyOffset), false).onComplete(read -> {
      underWay--;
      completeWhenIdle();
    });
  }

  private long load(long phyOffset) throws IOException {
    Optional<LogRange> range = range(phyOffset, AHEAD_BYTES);
    if (range.isEmpty()) {
      return phyOffset;
    }
    try {
      range.get().load(scratch.get());
      return phyOffset + range.get().size();
    } finally {
      range.get().release();
    }
  }

  /** Completes when nothing is being read: whoever ends the readers' threads interrupts them, which would close the files they use. */
  Future<Void> close() {
    closing = true;
    completeWhenIdle();
    return idle.future();
  }

  private void completeWhenIdle() {
    if (closing && underWay == 0) {
      idle.tryComplete();
    }
  }
}
