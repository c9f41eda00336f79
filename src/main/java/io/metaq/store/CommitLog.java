package io.metaq.store;

import io.metaq.codec.record.RecordLayout;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.Confined;
import io.metaq.model.OwnedBy;
import io.metaq.model.PendingRecords;
import io.metaq.model.QueueEnd;
import io.metaq.model.QueueHandle;
import io.metaq.model.SysFlag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append side of the log, for its one writer. It numbers records (queue offset, place in the log, store time), copies them behind
 * one another and publishes the new end once for each call. A record never crosses a file border: what does not fit leaves a blank
 * marker behind and begins the next file.
 *
 * <p>Promises: the store time never decreases along the log; a unit is stored whole or not at all; a refused record leaves no gap in
 * its queue and no trace in the log. Nothing here throws because a disk is full or broken: records are refused with the cause.
 */
@OwnedBy("CommitLogVerticle")
public final class CommitLog {
  private static final Logger log = LoggerFactory.getLogger(CommitLog.class);

  private final Confined confined = new Confined();
  private final Clock clock;
  private final Segments segments;
  private final PreparedRange prepared;
  private final Appender appender;
  private final DiskSpace disk;
  private final WriteGate gate;
  private final ConcurrentMap<QueueKey, QueueEnd> ends;
  private final int maxRecordSize;
  private final ByteBuffer marker = ByteBuffer.allocateDirect(RecordLayout.BLANK_SIZE);

  private Segment current;
  private long end;
  private long lastStoreTimestamp;
  private long messages;
  private boolean failing;

  // Records of one call that lie back to back both in the batch and in the log, numbered but not yet written.
  private int runFirst;
  private int runBytes;

  // Published for everyone; the time is set after the offset, so whoever reads the time first never gets one from behind the offset.
  private volatile long appendedOffset;
  private volatile long appendedTimestamp;
  private volatile long appendedMessages;

  CommitLog(
      Clock clock,
      Segments segments,
      PreparedRange prepared,
      Appender appender,
      DiskSpace disk,
      WriteGate gate,
      LogEnd recovered,
      ConcurrentMap<QueueKey, QueueEnd> ends,
      int maxRecordSize) {
    this.clock = clock;
    this.segments = segments;
    this.prepared = prepared;
    this.appender = appender;
    this.disk = disk;
    this.gate = gate;
    this.ends = ends;
    this.maxRecordSize = maxRecordSize;
    end = recovered.phyOffset();
    lastStoreTimestamp = recovered.storeTimestamp();
    appendedOffset = end;
    appendedTimestamp = lastStoreTimestamp;
  }

  /** Where the log ends and the store time of its last record, 0 when it is empty. */
  record LogEnd(long phyOffset, long storeTimestamp) {}

  /** Appends every unit of {@code batch} in order and fills the batch's columns; when a bug makes it throw, of what was stored only. */
  public void append(PendingRecords batch) {
    assert confined.here();
    long now = Math.max(lastStoreTimestamp, clock.millis());
    runFirst = 0;
    runBytes = 0;
    try {
      appendUnits(batch, now);
    } finally {
      publish(now);
    }
  }

  private void appendUnits(PendingRecords batch, long now) {
    String refusal = refusal();
    int first = 0;
    while (first < batch.count()) {
      int unitEnd = batch.unitEnd(first);
      if (refusal == null) {
        appendUnit(batch, first, unitEnd, now);
      } else {
        refuse(batch, first, unitEnd, AppendStatus.UNAVAILABLE, refusal);
      }
      first = unitEnd;
    }
    writeRun(batch, batch.count());
  }

  private void publish(long now) {
    if (end != appendedOffset) {
      lastStoreTimestamp = now;
      appendedMessages = messages;
      appendedOffset = end;
      appendedTimestamp = now;
    }
  }

  /** {@link LogCopy} has written {@code records} more, up to {@code to}. */
  void copied(long to, long storeTimestamp, int records) {
    assert confined.here();
    if (to != end) {
      end = to;
      current = null;
      messages += records;
      publish(storeTimestamp);
    }
  }

  /** End of the log: bytes below it are written and can be read. */
  public long appendedOffset() {
    return appendedOffset;
  }

  /** The offset that the next message of a queue gets; 0 for an unknown queue. Below it are all that were told as stored. */
  long nextOffset(String topic, int queueId) {
    QueueEnd known = ends.get(new QueueKey(topic, queueId));
    return known == null ? 0 : known.next();
  }

  /** Messages appended since the store was opened; those below an {@link #appendedOffset()} that was read before are counted. */
  public long appendedMessages() {
    return appendedMessages;
  }

  /** A store time at or before that of the last record below {@link #appendedOffset()} when read before it; ms. */
  long appendedTimestamp() {
    return appendedTimestamp;
  }

  /** Whether little prepared space is left and the preparer should be told. Any thread: a slave's log may be lent meanwhile. */
  public boolean preparationWanted() {
    return prepared.isLow(appendedOffset);
  }

  /** Why nothing is taken right now, for producers; null when all is well. */
  public String refusal() {
    String shut = gate.reason();
    return shut != null ? shut : disk.refusal();
  }

  /** The next append may come from another thread. */
  public void handOver() {
    assert confined.handOver();
  }

  private void appendUnit(PendingRecords batch, int first, int unitEnd, long now) {
    int bytes = batch.start(unitEnd - 1) + batch.size(unitEnd - 1) - batch.start(first);
    if (tooLong(batch, first, unitEnd, bytes)) {
      return;
    }
    if (!fits(bytes)) {
      writeRun(batch, first);
    }
    while (!fits(bytes)) {
      String failure = roll();
      if (failure != null) {
        refuse(batch, first, unitEnd, statusOf(bytes), failure);
        runFirst = unitEnd;
        return;
      }
    }
    number(batch, first, unitEnd, now);
    runBytes += bytes;
  }

  /** Whether so many bytes, and a blank marker behind them, fit into the current file; false before the first file is chosen. */
  private boolean fits(int bytes) {
    return current != null && end + runBytes + bytes + RecordLayout.BLANK_SIZE <= current.end();
  }

  private boolean tooLong(PendingRecords batch, int first, int unitEnd, int bytes) {
    int longest = 0;
    for (int i = first; i < unitEnd; i++) {
      longest = Math.max(longest, batch.size(i));
    }
    if (longest <= maxRecordSize && bytes + RecordLayout.BLANK_SIZE <= segments.segmentSize()) {
      return false;
    }
    writeRun(batch, first);
    refuse(batch, first, unitEnd, AppendStatus.ILLEGAL, longest > maxRecordSize
        ? "the record has " + longest + " bytes, at most " + maxRecordSize + " are stored"
        : "the records have " + bytes + " bytes, which do not fit into one file of " + segments.segmentSize());
    runFirst = unitEnd;
    return true;
  }

  /** Gives each record of a unit its numbers; they are taken back when the run cannot be written. */
  private void number(PendingRecords batch, int first, int unitEnd, long now) {
    ByteBuffer bytes = batch.bytes();
    int unitStart = batch.start(first);
    long unitPhyOffset = end + runBytes;
    for (int i = first; i < unitEnd; i++) {
      int at = batch.start(i);
      int sysFlag = bytes.getInt(at + RecordLayout.SYS_FLAG);
      long phyOffset = unitPhyOffset + at - unitStart;
      long queueOffset = SysFlag.queued(sysFlag) ? endOf(batch.queue(i)).take() : 0;
      bytes.putLong(at + RecordLayout.QUEUE_OFFSET, queueOffset);
      bytes.putLong(at + RecordLayout.PHY_OFFSET, phyOffset);
      bytes.putLong(at + RecordLayout.storeTimestamp(sysFlag), now);
    }
  }

  private QueueEnd endOf(QueueHandle queue) {
    QueueEnd known = queue.end();
    if (known == null) {
      known = ends.computeIfAbsent(new QueueKey(queue.topic(), queue.queueId()), key -> new QueueEnd(0));
      queue.bind(known);
    }
    return known;
  }

  /** Writes the records from the run's first one to before {@code next} in one copy and begins a new run there. */
  private void writeRun(PendingRecords batch, int next) {
    int first = runFirst;
    int bytes = runBytes;
    runFirst = next;
    runBytes = 0;
    if (bytes == 0) {
      return;
    }
    try {
      appender.write(current, end, batch.bytes(), batch.start(first), bytes);
      end += bytes;
      messages += next - first;
      tellStored(batch, first, next);
      recovered();
    } catch (IOException failure) {
      takeBack(batch, first, next);
      refuse(batch, first, next, statusOf(bytes), failed("the commit log cannot be written", failure));
    }
  }

  private static void tellStored(PendingRecords batch, int first, int next) {
    ByteBuffer bytes = batch.bytes();
    for (int i = first; i < next; i++) {
      int at = batch.start(i);
      batch.stored(i, bytes.getLong(at + RecordLayout.PHY_OFFSET), bytes.getLong(at + RecordLayout.QUEUE_OFFSET));
    }
  }

  private void takeBack(PendingRecords batch, int first, int next) {
    for (int i = next - 1; i >= first; i--) {
      if (SysFlag.queued(batch.bytes().getInt(batch.start(i) + RecordLayout.SYS_FLAG))) {
        batch.queue(i).end().giveBack();
      }
    }
  }

  /**
   * Goes on in the file that holds the log's end, at first, and then in the next one, with the rest of the current file marked as
   * blank. Returns what went wrong, null when nothing.
   */
  private String roll() {
    try {
      if (current == null) {
        current = segments.next(end - Math.floorMod(end - segments.first(), (long) segments.segmentSize()));
        return null;
      }
      Segment next = segments.next(current.end());
      int left = (int) (current.end() - end);
      if (left >= RecordLayout.BLANK_SIZE) {
        marker.putInt(0, left).putInt(RecordLayout.MAGIC, RecordLayout.MAGIC_BLANK);
        appender.write(current, end, marker, 0, RecordLayout.BLANK_SIZE);
      }
      end = current.end();
      current = next;
      return null;
    } catch (IOException failure) {
      return failed("the next commit log file cannot be begun", failure);
    }
  }

  private AppendStatus statusOf(int bytes) {
    return disk.usableBytes() < bytes + (1 << 20) ? AppendStatus.UNAVAILABLE : AppendStatus.FAILED;
  }

  private String failed(String what, IOException failure) {
    if (!failing) {
      failing = true;
      log.error("commit log refuses records until a write succeeds phyOffset={} cause={}", end, what, failure);
    }
    String reason = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    return what + ": " + reason + "; " + (disk.usableBytes() >> 20) + " MB are free";
  }

  private void recovered() {
    if (failing) {
      failing = false;
      log.info("commit log takes records again phyOffset={}", end);
    }
  }

  private static void refuse(PendingRecords batch, int first, int unitEnd, AppendStatus status, String detail) {
    for (int i = first; i < unitEnd; i++) {
      batch.refused(i, status, detail);
    }
  }
}
