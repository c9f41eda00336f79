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
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the records of a store's log, or the units of one file of a consume queue, and hands them on. Changes nothing and takes no
 * lock; it needs no configured file sizes. What is damaged is told and passed over, and what is missing is told.
 */
@OwnedBy("whoever dumps")
public final class StoreDump {
  private final StoreOptions options;
  private final DumpStart start;
  private final InspectionProgress progress;
  private final RecordCheck check = new RecordCheck(true);
  private final RecordSearch search = new RecordSearch();
  private final RecordReader reader = new RecordReader();
  private LogView log = new LogView();
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
    log = openLog();
    Collection<LogFile> files = log.files().tailMap(firstFile(), true).values();
    total = files.stream().mapToLong(LogFile::length).sum();
    LogFile previous = null;
    for (LogFile file : files) {
      if (previous != null) {
        joint(previous, file, sink);
      }
      if (!records(file, sink)) {
        return;
      }
      previous = file;
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
    Optional<LogFile> next = fileBehind(absolute, file.start());
    // Before the log is opened: what these units point to is in it then, also while a broker writes.
    int whole = file.length() / QueueUnit.SIZE;
    int units = next.isPresent() && usedUnits(next.get()) > 0 ? whole : usedUnits(file);
    log = openLog();
    long first = file.start() / QueueUnit.SIZE;
    int empty = 0;
    for (int i = (int) Math.max(0, Math.min(units, start.offset() - first)); i < units; i++) {
      int at = i * QueueUnit.SIZE;
      ByteBuffer unit = file.bytes().slice(at, QueueUnit.SIZE);
      if (UnitCheck.isUnused(unit)) {
        empty++;
        continue;
      }
      notWritten(file, i, empty, sink);
      empty = 0;
      boolean hasRecord = pointsIntoLog(unit);
      Optional<String> wrong = hasRecord ? UnitCheck.wrong(topic, queueId, first + i, unit, log) : Optional.empty();
      if (wrong.isPresent()) {
        sink.damage(file.path(), at, "unit " + (first + i) + " " + wrong.get());
        continue;
      }
      long phyOffset = unit.getLong(QueueUnit.PHY_OFFSET);
      long timestamp = hasRecord ? log.recordAt(phyOffset).map(RecordReader::storeTimestamp).orElse(0L) : 0;
      if (timestamp >= start.timeMs() && !sink.unit(new DumpedUnit(
          topic, queueId, first + i, phyOffset, unit.getInt(QueueUnit.RECORD_SIZE), unit.getLong(QueueUnit.TAGS_CODE), timestamp))) {
        return;
      }
      progress.reached(Area.CONSUME_QUEUES, at, file.length());
    }
    notWritten(file, units, empty, sink);
    end(file, next, sink);
  }

  /** Whether a record has to stand where a unit points to; not for a filler, nor when it went with an old file of the log. */
  private boolean pointsIntoLog(ByteBuffer unit) {
    long phyOffset = unit.getLong(QueueUnit.PHY_OFFSET);
    int size = unit.getInt(QueueUnit.RECORD_SIZE);
    return size != QueueUnit.FILLER_SIZE && (size <= 0 || phyOffset < 0 || phyOffset >= log.first());
  }

  /** Tells of units before the {@code i}th that are not written though that one is, or one in a later file. */
  private static void notWritten(LogFile file, int i, int count, DumpSink sink) {
    if (count > 0) {
      long last = file.start() / QueueUnit.SIZE + i - 1;
      String which = count == 1 ? "unit " + last + " is" : "units " + (last - count + 1) + " to " + last + " are";
      sink.damage(file.path(), (i - count) * QueueUnit.SIZE, which + " not written, though later ones are");
    }
  }

  /** Tells when a file of a queue does not end with a whole unit, or not where the next one begins. */
  private static void end(LogFile file, Optional<LogFile> next, DumpSink sink) {
    int rest = file.length() % QueueUnit.SIZE;
    if (rest > 0) {
      sink.damage(file.path(), file.length() - rest, "the file ends in the middle of a unit");
    }
    if (next.isPresent() && next.get().start() != file.end()) {
      sink.damage(file.path(), file.length(), "the file ends at " + file.end() + ", but the next one begins at " + next.get().start());
    }
  }

  /** Units of a file up to the last that is in use. */
  private static int usedUnits(LogFile file) {
    int units = file.length() / QueueUnit.SIZE;
    while (units > 0 && UnitCheck.isUnused(file.bytes().slice((units - 1) * QueueUnit.SIZE, QueueUnit.SIZE))) {
      units--;
    }
    return units;
  }

  /** The file of the same queue that comes after the one with this start. */
  private static Optional<LogFile> fileBehind(Path file, long start) throws IOException {
    for (Path path : Folders.children(file.getParent())) {
      if (isDataFile(path) && Files.isRegularFile(path) && FileNames.startOf(path.getFileName().toString()).orElseThrow() > start) {
        return Optional.of(open(path));
      }
    }
    return Optional.empty();
  }

  private LogView openLog() throws IOException {
    LogView opened = new LogView();
    List<Path> children = Files.isDirectory(options.commitLog()) ? Folders.children(options.commitLog()) : List.of();
    for (Path path : children) {
      if (isDataFile(path) && Files.isRegularFile(path)) {
        opened.add(open(path));
      }
    }
    return opened;
  }

  private static LogFile open(Path path) throws IOException {
    OptionalLong begin = FileNames.startOf(path.getFileName().toString());
    return LogFile.open(path, begin.orElseThrow(), Integer.MAX_VALUE);
  }

  /** Start of the first file that can hold something wanted. */
  private long firstFile() {
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

  /** Tells when a file of the log is not where the one before ends, or when it is the last and too short. */
  private void joint(LogFile previous, LogFile file, DumpSink sink) {
    boolean last = file == log.files().lastEntry().getValue();
    if (file.start() != previous.end()) {
      sink.damage(file.path(), 0, "the file begins at " + file.start() + ", but the one before ends at " + previous.end());
    } else if (last && file.length() > 0 && file.length() < previous.length()) {
      sink.damage(file.path(), file.length(), "the file has " + file.length() + " bytes, but the one before " + previous.length());
    }
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
      } else if (verdict == Verdict.BLANK) {
        blank(file, at, sink);
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

  private static void blank(LogFile file, int at, DumpSink sink) {
    int left = file.bytes().getInt(at);
    if (left != file.length() - at) {
      sink.damage(file.path(), at, "the end marker says " + left + " bytes are left, there are " + (file.length() - at));
    }
  }

  /** Passes over what is no sound record; returns where to go on. */
  private int pass(LogFile file, int at, Verdict verdict, DumpSink sink) {
    String fault = check.fault();
    int broken = search.sizeAt(file, at);
    int next = broken > 0 ? at + broken : search.next(file, at + 1);
    boolean markerMissing = next < 0 && file.length() - at >= RecordLayout.BLANK_SIZE && isUsedBehind(file);
    Verdict now = check.check(file.bytes(), at, file.length(), file.start() + at);
    if (now == Verdict.RECORD || now == Verdict.BLANK) {
      // A broker at work has written it meanwhile, and then what was seen behind it.
      return at;
    }
    if (verdict == Verdict.BROKEN) {
      sink.damage(file.path(), at, fault);
    } else if (next >= 0) {
      sink.damage(file.path(), at, "zeros instead of a record");
    } else if (markerMissing) {
      sink.damage(file.path(), at, "the file ends here without its end marker, but there are later files");
    }
    return next < 0 ? file.length() : next;
  }

  /** Whether there is anything in the files of the log behind one; those that are made ahead hold nothing but zeros. */
  private boolean isUsedBehind(LogFile file) {
    return log.files().tailMap(file.start(), false).values().stream().anyMatch(later -> later.used(0) < later.length());
  }
}
