package io.metaq.store.inspect;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordCheck.Verdict;
import io.metaq.codec.record.RecordLayout;
import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;

/** Finds records in a file of the log without regard to their bodies' checksums. */
@OwnedBy("whoever inspects")
final class RecordSearch {
  private final RecordCheck structure = new RecordCheck(false);

  /** Bytes of the record at a place; 0 when none stands there. */
  int sizeAt(LogFile file, int at) {
    return structure.check(file.bytes(), at, file.length(), file.start() + at) == Verdict.RECORD ? structure.size() : 0;
  }

  /** Place of the first record from {@code from} on; -1 when there is none in the file. */
  int next(LogFile file, int from) {
    ByteBuffer bytes = file.bytes();
    int at = from;
    while (at + RecordLayout.FIXED_SIZE <= file.length()) {
      if (bytes.getLong(at) == 0) {
        // No magic code begins in the second half of these zeros.
        at += 4;
        continue;
      }
      int magic = bytes.getInt(at + RecordLayout.MAGIC);
      boolean candidate = magic == RecordLayout.MAGIC_V1 || magic == RecordLayout.MAGIC_V2;
      if (candidate && sizeAt(file, at) > 0) {
        return at;
      }
      at++;
    }
    return -1;
  }
}
