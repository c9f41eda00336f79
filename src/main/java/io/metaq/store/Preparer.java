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
 * faster the writer follows. What is left on a disk that is nearly full is not for it: appends go on without being prepared.
 */
@OwnedBy("HousekeepingVerticle")
public final class Preparer {
  /** Bytes filled with one write; as long may the writer have to wait when it has overtaken us. */
  static final int CHUNK = 256 * 1024;

  private static final Logger log = LoggerFactory.getLogger(Preparer.class);
  private static final int LEAST_AHEAD = 4 * 1024 * 1024;
  private static final int MOST_AHEAD = 64 * 1024 * 1024;
  private static final long SOON_NS = 1_000_000_000L;

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
    adapt();
    prepared.callBelow(aheadBytes / 2);
    long goal = end + aheadBytes;
    long from = prepared.nextChunk();
    while (from < goal && disk.hasRoomFor(CHUNK) && prepareChunk(from)) {
      from = prepared.nextChunk();
    }
  }

  /** Everything from the log's end up to here is really on the disk. */
  public long preparedOffset() {
    return prepared.preparedOffset();
  }

  void handOver() {
    assert confined.handOver();
  }

  private void adapt() {
    long now = clock.nanos();
    if (lastRoundNs != 0 && now - lastRoundNs < SOON_NS) {
      aheadBytes = Math.min(Math.min(MOST_AHEAD, segments.segmentSize()), aheadBytes * 2);
    }
    lastRoundNs = now;
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
      segment.file().forceMapping(at, at + length);
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
