package io.metaq.store;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.Clock;
import io.metaq.model.Confined;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the oldest files of the log: expired ones in the hours set for it or when the disk gets full, and others too when it is nearly
 * full or the log is longer than it may be. Files of queues and index that know only deleted messages follow. Nothing waits for consumers.
 *
 * <p>Never touched: what is not yet forced and dispatched, and the last file. A file that somebody still reads loses its name only; its
 * space is free within a second of when the last reader is done.
 */
@OwnedBy("HousekeepingVerticle")
public final class Retention {
  private static final Logger log = LoggerFactory.getLogger(Retention.class);
  private static final int MOST_IN_A_ROUND = 10;

  private final Confined confined = new Confined();
  private final RetentionOptions options;
  private final Disk files;
  private final Clock clock;
  private final Segments segments;
  private final ConsumeQueues queues;
  private final Optional<KeyIndex> index;
  private final CommitLog commitLog;
  private final Flusher flusher;
  private final Dispatcher dispatcher;
  private final DiskSpace disk;
  private final RecordCheck check = new RecordCheck(false);
  private final RecordReader reader = new RecordReader();
  private final UnitWindow window = new UnitWindow(1);
  /** Files of the log without a name that had readers at the last look. */
  private final List<MappedFile> stillRead = new ArrayList<>();

  Retention(
      RetentionOptions options,
      Disk files,
      Clock clock,
      Segments segments,
      ConsumeQueues queues,
      Optional<KeyIndex> index,
      CommitLog commitLog,
      Flusher flusher,
      Dispatcher dispatcher,
      DiskSpace disk) {
    this.options = options;
    this.files = files;
    this.clock = clock;
    this.segments = segments;
    this.queues = queues;
    this.index = index;
    this.commitLog = commitLog;
    this.flusher = flusher;
    this.dispatcher = dispatcher;
    this.disk = disk;
  }

  /**
   * Deletes what is to go now, some files at most; each second.
   *
   * @return how many files of the log
   */
  public int clean() {
    assert confined.here();
    if (endUnread()) {
      disk.measure();
    }
    int deleted = 0;
    while (deleted < MOST_IN_A_ROUND && deleteOldest()) {
      deleted++;
      disk.measure();
    }
    if (deleted > 0) {
      cleanDerived();
    }
    return deleted;
  }

  /** Leaves deleted files to those who still read them. */
  void close() {
    stillRead.forEach(MappedFile::release);
    stillRead.clear();
  }

  void handOver() {
    assert confined.handOver();
  }

  private boolean deleteOldest() {
    List<Segment> all = segments.all();
    long safe = Math.min(flusher.flushedOffset(), dispatcher.dispatchedOffset());
    if (all.size() < 2 || all.get(0).end() > safe) {
      return false;
    }
    String reason = reason(all);
    if (reason == null) {
      return false;
    }
    for (Segment segment : segments.removeBelow(all.get(0).end())) {
      log.info("deleting a commit log file path={} reason={} usedPercent={}", segment.file().path(), reason, disk.usedPercent());
      segment.file().loseName();
      stillRead.add(segment.file());
    }
    endUnread();
    return true;
  }

  /** Frees the space of deleted files that nobody reads any more; whether there were any. Waits for the disk, so that no reader has to. */
  private boolean endUnread() {
    return stillRead.removeIf(MappedFile::endIfUnused);
  }

  /** Why the first file is to go, null when it is not. */
  private String reason(List<Segment> all) {
    long logBytes = commitLog.appendedOffset() - all.get(0).start();
    if (options.maxLogBytes() > 0 && logBytes > options.maxLogBytes()) {
      return "maxCommitLogBytes=" + options.maxLogBytes();
    }
    if (options.cleanForcibly() && disk.cleanMark() != null) {
      return disk.cleanMark();
    }
    boolean due = disk.usedPercent() >= options.marks().maxUsedPercent() || options.deleteHours().contains(hour());
    return due && isExpired(all) ? "expired" : null;
  }

  /**
   * Whether all messages of the first file are older than what is kept. Where store times lie in the future, because the clock was set
   * back, they say nothing for as long: there the files' last modifications count.
   */
  private boolean isExpired(List<Segment> all) {
    long nowMs = clock.millis();
    long timeMs = timeBefore(all.get(1));
    return nowMs - (timeMs > nowMs ? lastModified(all, nowMs) : timeMs) > options.keepMs();
  }

  /**
   * When the first of the files was written that was not written in the future: all before it are older. Now when there is none, or none
   * tells.
   */
  private static long lastModified(List<Segment> all, long nowMs) {
    return all.stream().mapToLong(segment -> segment.file().path().toFile().lastModified())
        .filter(timeMs -> timeMs > 0 && timeMs <= nowMs).findFirst().orElse(nowMs);
  }

  /** Store time of the first message behind a file, which is not before that of its last; ms. */
  private long timeBefore(Segment next) {
    if (commitLog.appendedOffset() > next.start()
        && check.check(next.bytes(), 0, next.file().size(), next.start()) == RecordCheck.Verdict.RECORD) {
      return reader.wrap(next.bytes(), 0).storeTimestamp();
    }
    return commitLog.appendedTimestamp();
  }

  private int hour() {
    return Instant.ofEpochMilli(clock.millis()).atZone(ZoneId.systemDefault()).getHour();
  }

  private void cleanDerived() {
    long logFirst = segments.first();
    index.ifPresent(keys -> keys.removeBelow(logFirst));
    for (ConsumeQueue queue : queues.all()) {
      try {
        for (UnitFile file : queue.removeBelow(logFirst, window)) {
          file.delete(files);
        }
        // Found out here, so that no event loop has to search the queue's files for it.
        queue.minOffset(logFirst, window);
      } catch (IOException failure) {
        log.warn("cannot delete old files of a consume queue topic={} queueId={}", queue.topic(), queue.queueId(), failure);
      }
    }
    queues.cleanedTo(logFirst);
  }
}
