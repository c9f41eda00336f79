package io.metaq.store.inspect;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordCheck.Verdict;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.OwnedBy;
import io.metaq.model.SysFlag;
import io.metaq.store.CutShort;
import io.metaq.store.FileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Checks every record of the commit log. Behind a damaged place it looks for the next sound record and goes on there, so that all
 * damage is told, not only the first. Fills the state's log view and tallies.
 */
@OwnedBy("whoever inspects")
final class LogInspector {
  private static final String REFUSES = "refuses to start until the file is put back";
  private static final int INNER = SysFlag.NEEDS_UNWRAP | SysFlag.INNER_BATCH;

  private final StoreState state;
  private final Findings findings;
  private final InspectionProgress progress;
  private final RecordCheck check = new RecordCheck(true);
  private final RecordSearch search = new RecordSearch();
  private final RecordReader reader = new RecordReader();
  private final int size;

  private long records;
  private long lastStoreTimestamp;
  private LogFile lastUsed;

  LogInspector(StoreState state, Findings findings, InspectionProgress progress) {
    this.state = state;
    this.findings = findings;
    this.progress = progress;
    this.size = state.options().logFileSize();
  }

  void inspect() throws IOException {
    Path folder = state.options().commitLog();
    if (!Files.isDirectory(folder)) {
      findings.damage(Area.COMMIT_LOG, folder, Finding.WHOLE_FILE, Files.exists(folder) ? "is no folder" : "is missing",
          Files.exists(folder) ? "refuses to start" : "begins an empty log, and drops the queues");
      return;
    }
    open(Folders.children(folder));
    lastUsed = findLastUsed();
    state.log().endAt(state.log().first());
    for (LogFile file : state.log().files().values()) {
      scan(file);
    }
  }

  /** Sound records, those with a wrong checksum not counted. */
  long records() {
    return records;
  }

  /** Store time of the last record, ms; 0 when there is none. */
  long lastStoreTimestamp() {
    return lastStoreTimestamp;
  }

  private void open(List<Path> children) throws IOException {
    long expected = -1;
    for (int i = 0; i < children.size(); i++) {
      Path path = children.get(i);
      OptionalLong start = FileNames.startOf(path.getFileName().toString());
      if (start.isEmpty()) {
        findings.remark(Area.COMMIT_LOG, path, Finding.WHOLE_FILE, "does not belong to the store", "leaves it alone");
      } else if (!Files.isRegularFile(path)) {
        findings.damage(Area.COMMIT_LOG, path, Finding.WHOLE_FILE, "is no file", "leaves it alone and misses the file");
      } else {
        if (expected >= 0 && start.getAsLong() != expected) {
          findings.damage(Area.COMMIT_LOG, path, Finding.WHOLE_FILE, "is not where the file before ends, at " + expected, REFUSES);
        }
        expected = start.getAsLong() + size;
        open(path, start.getAsLong(), i == children.size() - 1);
      }
    }
  }

  private void open(Path path, long start, boolean last) throws IOException {
    long length = Files.size(path);
    if (length == 0 && last) {
      findings.remark(Area.COMMIT_LOG, path, Finding.WHOLE_FILE, "is empty", "deletes it");
      return;
    }
    LogFile file = LogFile.open(path, start, size);
    if (length != size) {
      boolean sure = !state.cleanExit() || !state.log().files().isEmpty();
      boolean repairable = last && length < size && CutShort.test(file.bytes(), start, sure);
      findings.damage(Area.COMMIT_LOG, path, Finding.WHOLE_FILE,
          "has " + length + " bytes, but mappedFileSizeCommitLog is " + size,
          repairable ? "sets it back to its full length" : "refuses to start with this size");
    }
    state.log().add(file);
  }

  /** Files behind the one that is written to are made ahead, and hold nothing but zeros. */
  private LogFile findLastUsed() {
    for (LogFile file : state.log().files().descendingMap().values()) {
      if (file.used(0) < file.length()) {
        return file;
      }
    }
    return null;
  }

  private void scan(LogFile file) {
    int at = 0;
    while (at < file.length()) {
      if ((records & 0xFFF) == 0) {
        tell(file, at);
      }
      Verdict verdict = check.check(file.bytes(), at, file.length(), file.start() + at);
      at = switch (verdict) {
        case RECORD -> record(file, at);
        case BLANK -> blank(file, at);
        case EMPTY -> empty(file, at);
        case BROKEN -> broken(file, at);
      };
    }
    tell(file, file.length());
  }

  private void tell(LogFile file, int at) {
    progress.reached(Area.COMMIT_LOG, file.start() + at - state.log().first(),
        state.log().files().lastEntry().getValue().end() - state.log().first());
  }

  private int record(LogFile file, int at) {
    reader.wrap(file.bytes(), at);
    records++;
    lastStoreTimestamp = reader.storeTimestamp();
    count(file, at);
    return endOf(file, at, check.size());
  }

  private int endOf(LogFile file, int at, int recordSize) {
    state.log().endAt(file.start() + at + recordSize);
    return at + recordSize;
  }

  private void count(LogFile file, int at) {
    if (!SysFlag.queued(reader.sysFlag()) || (reader.sysFlag() & INNER) != 0) {
      return;
    }
    String queue = RecordText.topic(reader) + "/" + reader.queueId();
    long gap = state.tally(RecordText.topic(reader), reader.queueId()).add(reader.queueOffset());
    if (gap > 0) {
      String missing = gap == 1 ? "1 message is" : gap + " messages are";
      findings.remark(Area.COMMIT_LOG, file.path(), at, missing + " missing in " + queue + " before number "
          + reader.queueOffset(), "");
    } else if (gap < 0 && state.noted().isPresent()) {
      findings.damage(Area.COMMIT_LOG, file.path(), at, "number " + reader.queueOffset() + " of " + queue + " was given before",
          "");
    }
  }

  private int blank(LogFile file, int at) {
    int left = file.bytes().getInt(at);
    if (left != file.length() - at && file.length() == size) {
      findings.damage(Area.COMMIT_LOG, file.path(), at,
          "the end marker says " + left + " bytes are left, there are " + (file.length() - at), "goes on in the next file");
    }
    state.log().endAt(file.end());
    return file.length();
  }

  private int empty(LogFile file, int at) {
    if (file.length() - at < RecordLayout.BLANK_SIZE) {
      return file.length();
    }
    int next = search.next(file, at + 1);
    int used = file.used(at);
    if (writtenMeanwhile(file, at)) {
      return at;
    }
    boolean behindEnd = lastUsed == null || file.start() > lastUsed.start() || file == lastUsed && next < 0;
    if (!behindEnd) {
      findings.damage(Area.COMMIT_LOG, file.path(), at,
          next < 0 ? "the file ends here without its end marker, but there are later files"
              : "zeros instead of a record" + goesOn(next),
          recoveryAt(file, at));
    } else if (used < file.length()) {
      findings.add(Area.COMMIT_LOG, torn(file, at), file.path(), used, "bytes that are no record behind the end of the log",
          recoveryAt(file, at));
    }
    return next < 0 ? file.length() : next;
  }

  private int broken(LogFile file, int at) {
    String fault = check.fault();
    int recordSize = search.sizeAt(file, at);
    boolean bodyOnly = recordSize > 0;
    int next = bodyOnly ? at + recordSize : search.next(file, at + 1);
    boolean nothingFollows = file == lastUsed && (bodyOnly ? file.used(next) == file.length() : next < 0);
    if (writtenMeanwhile(file, at)) {
      return at;
    }
    if (bodyOnly) {
      reader.wrap(file.bytes(), at);
      lastStoreTimestamp = reader.storeTimestamp();
      count(file, at);
    }
    findings.add(Area.COMMIT_LOG, nothingFollows ? torn(file, at) : Finding.Severity.DAMAGE, file.path(), at,
        bodyOnly ? fault + whose() : fault + goesOn(next),
        bodyOnly && !state.isChecked(file.start() + at) ? notChecked() : recoveryAt(file, at));
    if (bodyOnly) {
      return endOf(file, at, recordSize);
    }
    return next < 0 ? file.length() : next;
  }

  /** Whether the place was only caught up with while a broker wrote; what was seen behind it was written after it. */
  private boolean writtenMeanwhile(LogFile file, int at) {
    if (state.cleanExit()) {
      return false;
    }
    Verdict now = check.check(file.bytes(), at, file.length(), file.start() + at);
    return now == Verdict.RECORD || now == Verdict.BLANK;
  }

  private String whose() {
    return " (message " + reader.queueOffset() + " of " + RecordText.topic(reader) + "/" + reader.queueId() + ")";
  }

  private static String goesOn(int next) {
    return next < 0 ? ", and no sound record follows in this file" : "; the next sound record is at " + next;
  }

  /** The last write of a broker that is at work, or that was killed, may be unfinished. */
  private Finding.Severity torn(LogFile file, int at) {
    return !state.cleanExit() && state.isChecked(file.start() + at) ? Finding.Severity.REMARK : Finding.Severity.DAMAGE;
  }

  private String recoveryAt(LogFile file, int at) {
    return state.isChecked(file.start() + at)
        ? "ends the log at " + (file.start() + at) + " and keeps what lies behind in the folder damaged"
        : notChecked() + "; where it has to make queues again, it refuses to start";
  }

  private String notChecked() {
    return "does not look here, it checks the log from " + state.checkedFrom() + " on";
  }
}
