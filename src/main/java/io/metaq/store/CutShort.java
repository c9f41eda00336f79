package io.metaq.store;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordCheck.Verdict;
import java.nio.ByteBuffer;

/**
 * Tells a last log file that lost its end from a whole one of another size. A crash leaves such a file between cutting off a torn tail and
 * setting the length back: it ends with a record, which leaves no room for the marker that a whole file has.
 */
public final class CutShort {
  private CutShort() {}

  /**
   * Whether the file may be set back to full length.
   *
   * @param bytes all of it, at least one
   * @param start its log position
   * @param sure whether the configured size is known to be right, or a crash is known; then a file that ends within a record counts too
   */
  public static boolean test(ByteBuffer bytes, long start, boolean sure) {
    RecordCheck check = new RecordCheck(false);
    int length = bytes.capacity();
    int at = 0;
    Verdict verdict = check.check(bytes, at, length, start);
    while (verdict == Verdict.RECORD && at + check.size() < length) {
      at += check.size();
      verdict = check.check(bytes, at, length, start + at);
    }
    return verdict == Verdict.RECORD || sure && verdict == Verdict.BROKEN;
  }
}
