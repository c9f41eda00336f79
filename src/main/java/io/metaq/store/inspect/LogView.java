package io.metaq.store.inspect;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.OwnedBy;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The commit log as other files point into it. */
@OwnedBy("whoever inspects")
final class LogView {
  private final TreeMap<Long, LogFile> files = new TreeMap<>();
  private final RecordCheck structure = new RecordCheck(false);
  private final RecordReader reader = new RecordReader();
  private long end;

  void add(LogFile file) {
    files.put(file.start(), file);
  }

  TreeMap<Long, LogFile> files() {
    return files;
  }

  long first() {
    return files.isEmpty() ? 0 : files.firstKey();
  }

  /** Log position behind the last sound record. */
  long end() {
    return end;
  }

  void endAt(long phyOffset) {
    end = phyOffset;
  }

  /** The record at a log position if one stands there, its body unchecked; valid until the next call. */
  Optional<RecordReader> recordAt(long phyOffset) {
    Map.Entry<Long, LogFile> entry = files.floorEntry(phyOffset);
    if (entry == null || phyOffset > entry.getValue().end() - RecordLayout.FIXED_SIZE) {
      return Optional.empty();
    }
    LogFile file = entry.getValue();
    int at = (int) (phyOffset - file.start());
    return structure.check(file.bytes(), at, file.length(), phyOffset) == RecordCheck.Verdict.RECORD
        ? Optional.of(reader.wrap(file.bytes(), at))
        : Optional.empty();
  }
}
