package io.metaq.store.inspect;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordCheck.Verdict;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.RecordReader;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.store.QueueUnit;
import io.metaq.model.OwnedBy;
import io.metaq.store.FileNames;
import io.metaq.store.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads the records of a store's log, or the units of one file of a consume queue, and hands them on. Changes nothing and takes no
 * lock; it needs no configured file sizes. What is damaged is told and passed over.
 */
@OwnedBy("whoever dumps")
public final class StoreDump {
  private final StoreOptions options;
  private final DumpStart start;
  private final InspectionProgress progress;
  private final RecordCheck check = new RecordCheck(true);
  private final RecordSearch search = new RecordSearch();
  private final RecordReader reader = new RecordReader();
  private long before;
  private long total;

  /**
   * A dump.
   *
   * @param options tell where the store is
   */
  public StoreDump(StoreOptions options, DumpStart start, InspectionProgress progress) {
    this.options = options;
    this.start = start;
    this.progress = progress;
  }

  /** Whether a path names a file of a consume queue; else it has to be one of the commit log. */
  public static boolean isQueueFile(Path file) {
    Path path = file.toAbsolutePath().normalize();
    return path.getNameCount() > 4 && path.getName(path.getNameCount() - 4).toString().equals("consumequeue")
        && path.getParent().getFileName().toString().matches("\\d{1,9}") && isDataFile(path);
  }

  /** Whether a path has the name of a data file, which tells where it begins. */
  public static boolean isDataFile(Path file) {
    return FileNames.startOf(file.getFileName().toString()).isPresent();
  }

  /**
   * Dumps all files of the commit log.
   *
   * @throws IOException when one cannot be read
   */
  public void log(DumpSink sink) throws IOException {
    LogView log = openLog();
    Collection<LogFile> files = log.files().tailMap(firstFile(log), true).values();
    total = files.stream().mapToLong(LogFile::length).sum();
    for (LogFile file : files) {
      if (!records(file, sink)) {
        return;
      }
    }
  }

  /**
   * Dumps one file of the commit log.
   *
   * @throws IOException when it cannot be read
   */
  public void logFile(Path path, DumpSink sink) throws IOException {
    LogFile file = open(path);
    total = file.length();
    records(file, sink);
  }

  /**
   * Dumps one file of a consume queue, for which {@link #isQueueFile} is true.
   *
   * @throws IOException when it cannot be read
   */
  public void queueFile(Path path, DumpSink sink) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    String topic = absolute.getParent().getParent().getFileName().toString();
    int queueId = Integer.parseInt(absolute.getParent().getFileName().toString());
    LogFile file = open(path);
    LogView log = openLog();
    long first = file.start() / QueueUnit.SIZE;
    int units = file.length() / QueueUnit.SIZE;
    for (int i = (int) Math.max(0, Math.min(units, start.offset() - first)); i < units; i++) {
      ByteBuffer bytes = file.bytes();
      int at = i * QueueUnit.SIZE;
      long phyOffset = bytes.getLong(at + QueueUnit.PHY_OFFSET);
      int size = bytes.getInt(at + QueueUnit.RECORD_SIZE);
      boolean used = size != 0 || phyOffset != 0;
      long timestamp = used && phyOffset >= 0 ? log.recordAt(phyOffset).map(RecordReader::storeTimestamp).orElse(0L) : 0;
      boolean wanted = used && timestamp >= start.timeMs();
      if (wanted && !sink.unit(
          new DumpedUnit(topic, queueId, first + i, phyOffset, size, bytes.getLong(at + QueueUnit.TAGS_CODE), timestamp))) {
        return;
      }
      progress.reached(Area.CONSUME_QUEUES, at, file.length());
    }
  }

  private LogView openLog() throws IOException {
    LogView log = new LogView();
    List<Path> children = Files.isDirectory(options.commitLog()) ? Folders.children(options.commitLog()) : List.of();
    for (Path path : children) {
      if (isDataFile(path) && Files.isRegularFile(path)) {
        log.add(open(path));
      }
    }
    return log;
  }

  private static LogFile open(Path path) throws IOException {
    OptionalLong begin = FileNames.startOf(path.getFileName().toString());
    return LogFile.open(path, begin.orElseThrow(), Integer.MAX_VALUE);
  }

  /** Start of the first file that can hold something wanted. */
  private long firstFile(LogView log) {
    long first = 0;
    for (LogFile file : log.files().values()) {
      if (start.timeMs() > 0 ? !beginsBefore(file, start.timeMs()) : file.start() > start.offset()) {
        return first;
      }
      first = file.start();
    }
    return first;
  }

  private boolean beginsBefore(LogFile file, long timeMs) {
    return search.sizeAt(file, 0) > 0 && reader.wrap(file.bytes(), 0).storeTimestamp() < timeMs;
  }

  /** Returns whether more is wanted. */
  private boolean records(LogFile file, DumpSink sink) {
    int at = begin(file);
    while (at < file.length()) {
      progress.reached(Area.COMMIT_LOG, before + at, total);
      Verdict verdict = check.check(file.bytes(), at, file.length(), file.start() + at);
      if (verdict == Verdict.RECORD) {
        boolean wanted = reader.wrap(file.bytes(), at).storeTimestamp() >= start.timeMs();
        if (wanted && !sink.record(StoredMessage.of(reader))) {
          return false;
        }
        at += check.size();
      } else if (verdict == Verdict.BLANK || file.length() - at < RecordLayout.BLANK_SIZE) {
        break;
      } else {
        at = pass(file, at, verdict, sink);
      }
    }
    before += file.length();
    return true;
  }

  /** Place of the first record at or behind the start. */
  private int begin(LogFile file) {
    if (start.offset() <= file.start()) {
      return 0;
    }
    int next = start.offset() >= file.end() ? -1 : search.next(file, (int) (start.offset() - file.start()));
    return next < 0 ? file.length() : next;
  }

  /** Passes over what is no sound record; returns where to go on. */
  private int pass(LogFile file, int at, Verdict verdict, DumpSink sink) {
    String fault = check.fault();
    int broken = search.sizeAt(file, at);
    int next = broken > 0 ? at + broken : search.next(file, at + 1);
    if (verdict == Verdict.BROKEN) {
      sink.damage(file.path(), at, fault);
    } else if (next >= 0) {
      sink.damage(file.path(), at, "zeros instead of a record");
    }
    return next < 0 ? file.length() : next;
  }
}
