package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How far the log's files are really there, written with zeros by the preparer and not only sparse, so that a write is a copy and
 * does not wait for the file system; and who may touch what lies beyond.
 *
 * <p>Both sides work ahead of the end of the log, so they take turns by claiming. The preparer claims a chunk, fills it, publishes it.
 * The writer, when it has overtaken the preparer, claims its own range; if a chunk in it is being filled right now, it waits for that
 * one chunk (one write of {@link Preparer#CHUNK} bytes at most, and their force under SYNC_FLUSH), because zeros that come late would wipe
 * out its record.
 */
@OwnedBy("CommitLogVerticle for the writer's side, HousekeepingVerticle for the preparer's")
final class PreparedRange {
  /** A chunk that the preparer is filling. */
  private record Filling(long from, long to) {}

  /** Up to here somebody has claimed; only grows, so no chunk is filled where the writer may have been. */
  private final AtomicLong claimed;

  // The preparer's, read by the writer.
  private volatile Filling filling;
  private volatile long prepared;
  private volatile long holesBelow;
  private volatile long lowWaterBytes;

  // The writer's.
  private long failedBelow;

  /** Nothing beyond {@code phyOffset} is prepared. */
  PreparedRange(long phyOffset) {
    claimed = new AtomicLong(phyOffset);
    prepared = phyOffset;
  }

  /** Everything from the end of the log up to here is filled. */
  long preparedOffset() {
    return prepared;
  }

  /** Whether less lies ahead of the log's end than there should. */
  boolean isLow(long end) {
    return prepared - end < lowWaterBytes;
  }

  /** Preparer: from how little ahead on it wants to be called. */
  void callBelow(long bytes) {
    lowWaterBytes = bytes;
  }

  /** Writer: whether {@code [from, to)} is filled, without a hole. */
  boolean isPrepared(long from, long to) {
    return to <= prepared && from >= failedBelow && from >= holesBelow;
  }

  /** Writer: makes sure that nobody else writes in {@code [from, to)}. */
  void claimForWriter(long from, long to) {
    if (to <= prepared) {
      return;
    }
    long seen = claimed.get();
    while (seen < to && !claimed.compareAndSet(seen, to)) {
      seen = claimed.get();
    }
    Filling now = filling;
    while (now != null && now.from < to && now.to > from) {
      // Not a busy wait: on few processors it would keep the preparer from finishing.
      Thread.yield();
      now = filling;
    }
  }

  /** Writer: {@code [.., to)} could not be written, so it may hold holes although the preparer will go on behind it. */
  void writerFailed(long to) {
    failedBelow = Math.max(failedBelow, to);
  }

  /** Preparer: where the next chunk begins. */
  long nextChunk() {
    return claimed.get();
  }

  /** Preparer: claims {@code [from, to)}; false when the writer came in between. */
  boolean claimChunk(long from, long to) {
    filling = new Filling(from, to);
    if (claimed.compareAndSet(from, to)) {
      return true;
    }
    filling = null;
    return false;
  }

  /** Preparer: the claimed chunk is filled. */
  void chunkFilled(long to) {
    prepared = to;
    filling = null;
  }

  /** Preparer: the claimed chunk could not be filled. It is not tried again: a writer that waited for it is free to write there now. */
  void chunkFailed(long to) {
    holesBelow = to;
    filling = null;
  }
}
