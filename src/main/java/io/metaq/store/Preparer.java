package io.metaq.store;

import io.metaq.model.Clock;
import io.metaq.model.Confined;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the log's files really written ahead of its end, with zeros, so that appending neither meets a hole nor waits for the file
 * system, and makes the next file in time. Goes in small steps, so that a fresh store stays small on disk, and looks further ahead the
 * faster the writer follows. Under ASYNC_FLUSH a log that grows very fast is left sparse. What is left on a disk that is nearly full is
 * not for it: appends go on without being prepared.
 */
@OwnedBy("HousekeepingVerticle")
public final class Preparer {
  /** Bytes filled with one write; as long may the writer have to wait when it has overtaken us. */
  static final int CHUNK = 256 * 1024;

  private static final Logger log = LoggerFactory.getLogger(Preparer.class);
  private static final int LEAST_AHEAD = 4 * 1024 * 1024;
  private static final int MOST_AHEAD = 64 * 1024 * 1024;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long SOON_NS = SECOND_NS;
  /** A round that comes earlier tells nothing of how fast the log grows. */
  private static final long TELLING_NS = 10_000_000L;
  /** A log that grows by so many bytes a second is left sparse: runs are long then, and filling first would write everything twice. */
  private static final long BULK_RATE = 32L << 20;

  private final Confined confined = new Confined();
  private final Clock clock;
  private final Segments segments;
  private final PreparedRange prepared;
  private final CommitLog commitLog;
  private final DiskSpace disk;
  private final FlushMode mode;
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK);

  private int aheadBytes;
  private long lastRoundNs;
  private long lastEnd;
  private boolean failing;

  Preparer(Clock clock, Segments segments, PreparedRange prepared, CommitLog commitLog, DiskSpace disk, FlushMode mode) {
    this.clock = clock;
    this.segments = segments;
    this.prepared = prepared;
    this.commitLog = commitLog;
    this.disk = disk;
    this.mode = mode;
    this.aheadBytes = leastAhead(segments.segmentSize());
    prepared.callBelow(aheadBytes / 2);
  }

  /** Prepares until enough lies ahead of the log's end; does nothing when it does already. */
  public void prepare() {
    assert confined.here();
    long end = commitLog.appendedOffset();
    if (!prepared.isLow(end)) {
      return;
    }
    disk.measure();
    long rate = adapt(end);
    long goal = end + aheadBytes;
    if (rate >= BULK_RATE && mode == FlushMode.ASYNC_FLUSH) {
      makeNextFile(end, goal);
      prepared.callBelow(prepared.preparedOffset() - end - aheadBytes / 2);
      return;
    }
    prepared.callBelow(aheadBytes / 2);
    fillTo(goal);
  }

  /** Everything from the log's end up to here is really on the disk. */
  public long preparedOffset() {
    return prepared.preparedOffset();
  }

  void handOver() {
    assert confined.handOver();
  }

  /**
   * Looks further ahead when the last round was a moment ago. Returns by how many bytes a second the log grows, 0 when that was too long
   * ago, or too lately, to tell.
   */
  private long adapt(long end) {
    long now = clock.nanos();
    long sinceNs = now - lastRoundNs;
    boolean soon = lastRoundNs != 0 && sinceNs < SOON_NS;
    long grown = end - lastEnd;
    lastRoundNs = now;
    lastEnd = end;
    if (!soon) {
      return 0;
    }
    aheadBytes = Math.min(Math.min(MOST_AHEAD, segments.segmentSize()), aheadBytes * 2);
    return sinceNs >= TELLING_NS ? grown * SECOND_NS / sinceNs : 0;
  }

  private void fillTo(long goal) {
    long from = prepared.nextChunk();
    while (from < goal && disk.hasRoomFor(CHUNK) && prepareChunk(from)) {
      from = prepared.nextChunk();
    }
  }

  private void makeNextFile(long end, long goal) {
    int size = segments.segmentSize();
    long currentEnd = end - Math.floorMod(end - segments.first(), (long) size) + size;
    if (goal > currentEnd) {
      try {
        segments.next(currentEnd);
        recovered();
      } catch (IOException | InternalError failure) {
        failed(currentEnd, failure);
      }
    }
  }

  private static int leastAhead(int segmentSize) {
    return Math.min(LEAST_AHEAD, segmentSize);
  }

  /** Fills one chunk; false when the disk does not let us. */
  private boolean prepareChunk(long from) {
    long first = segments.first();
    long segmentStart = from - Math.floorMod(from - first, (long) segments.segmentSize());
    long to = Math.min(segmentStart + segments.segmentSize(), from + CHUNK - Math.floorMod(from, (long) CHUNK));
    if (!prepared.claimChunk(from, to)) {
      return true;
    }
    boolean filled = false;
    try {
      fill(segments.next(segmentStart), from, (int) (to - from));
      filled = true;
      recovered();
    } catch (IOException | InternalError failure) {
      failed(from, failure);
    } finally {
      // Whatever happened: the writer waits for a chunk that is being filled.
      if (filled) {
        prepared.chunkFilled(to);
      } else {
        prepared.chunkFailed(to);
      }
    }
    return filled;
  }

  private void fill(Segment segment, long from, int length) throws IOException {
    int at = segment.place(from);
    segment.file().write(at, zeros, 0, length);
    if (mode == FlushMode.SYNC_FLUSH) {
      // Clean pages: else the next force of the log would have to write our zeros too.
      segment.file().forceAside(at, at + length);
    }
  }

  private void failed(long from, Throwable failure) {
    if (!failing) {
      failing = true;
      log.warn("cannot prepare the commit log ahead, appends go on as long as they can phyOffset={}", from, failure);
    }
  }

  private void recovered() {
    if (failing) {
      failing = false;
      log.info("commit log is prepared ahead again");
    }
  }
}
