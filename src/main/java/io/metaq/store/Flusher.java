package io.metaq.store;

import io.metaq.model.Confined;
import io.metaq.model.OwnedBy;
import java.io.IOException;

/**
 * Brings the log to the disk: each call forces all that was appended when it began, oldest file first, and publishes how far it got. A
 * force that fails is final, because the operating system may have dropped the pages it could not write: the store refuses writes from
 * then on.
 */
@OwnedBy("FlushVerticle")
public final class Flusher {
  private final Confined confined = new Confined();
  private final CommitLog commitLog;
  private final Segments segments;
  private final Forcer forcer;
  private final WriteGate gate;
  private StoreException failure;
  private volatile long flushedOffset;
  private volatile long flushedTimestamp;

  Flusher(CommitLog commitLog, Segments segments, Forcer forcer, WriteGate gate) {
    this.commitLog = commitLog;
    this.segments = segments;
    this.forcer = forcer;
    this.gate = gate;
    flushedTimestamp = commitLog.appendedTimestamp();
    flushedOffset = commitLog.appendedOffset();
  }

  /**
   * Forces up to the end of the log as it is now.
   *
   * @return the new {@link #flushedOffset()}
   * @throws StoreException when a force failed, now or earlier
   */
  public long flush() {
    assert confined.here();
    if (failure != null) {
      throw failure;
    }
    long timestamp = commitLog.appendedTimestamp();
    long target = commitLog.appendedOffset();
    if (target > flushedOffset) {
      force(flushedOffset, target);
      flushedTimestamp = timestamp;
      flushedOffset = target;
    }
    return target;
  }

  /** Bytes of the log below it are on the disk. */
  public long flushedOffset() {
    return flushedOffset;
  }

  /** Bytes appended that are not on the disk yet. */
  public long dirtyBytes() {
    return commitLog.appendedOffset() - flushedOffset;
  }

  /** Store time of a record at or shortly before {@link #flushedOffset()}, ms; 0 for an empty log. */
  long flushedTimestamp() {
    return flushedTimestamp;
  }

  /** The next flush may come from another thread. */
  public void handOver() {
    assert confined.handOver();
  }

  private void force(long from, long target) {
    long at = from;
    while (at < target) {
      Segment segment = segments.retained(at);
      if (segment == null) {
        // Retention never takes what is not flushed.
        throw new IllegalStateException("no segment at " + at);
      }
      long to = Math.min(target, segment.end());
      try {
        forcer.force(segment, at, to);
      } catch (IOException cause) {
        throw fail(segment, cause);
      } finally {
        segment.release();
      }
      at = to;
    }
  }

  private StoreException fail(Segment segment, IOException cause) {
    String sentence = "the commit log cannot be forced to disk (" + segment.file().path() + ": " + cause.getMessage()
        + "); the store takes no writes until it is started anew";
    gate.shut(sentence);
    failure = new StoreException(sentence, cause);
    return failure;
  }
}
