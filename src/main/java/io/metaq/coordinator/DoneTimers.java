package io.metaq.coordinator;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.PropertyCursor;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.SysFlag;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Which timers an earlier process has stored for their consumers, or anew, since its progress was last written down: read from
 * the log. A record that was made of a timer names it, one more than its offset in the timer topic's queue, where others name a
 * half message and say in their flags that they end a transaction. No client can send such a record.
 */
@OwnedBy("TimerVerticle")
final class DoneTimers {
  private static final byte[] OUT = PropertyNames.TIMER_OUT_MS.getBytes(StandardCharsets.US_ASCII);

  private final OffsetSet done = new OffsetSet();
  private final RecordReader record = new RecordReader();
  private final PropertyCursor cursor = new PropertyCursor();
  private final byte[] text = new byte[PropertiesText.MAX_BYTES];
  private long count;
  private long latestMs;

  /** Reads the log from a position on. */
  void readFrom(TimerTopic topic, long fromPhy) {
    topic.forEachRecord(fromPhy, this::look);
  }

  private void look(ByteBuffer bytes, int at) {
    record.wrap(bytes, at);
    if (record.preparedTransactionOffset() > 0 && (record.sysFlag() & SysFlag.TRANSACTION_MASK) == SysFlag.TRANSACTION_NONE
        && saysWhenDue()) {
      done.add(record.preparedTransactionOffset() - 1);
      count++;
      latestMs = Math.max(latestMs, record.storeTimestamp());
    }
  }

  private boolean saysWhenDue() {
    int length = record.propertiesLength();
    record.bytes().get(record.propertiesStart(), text, 0, length);
    cursor.over(text, 0, length);
    while (cursor.next()) {
      if (cursor.nameIs(OUT)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the timer at an offset of the queue is done. */
  boolean contains(long queueOffset) {
    return !done.isEmpty() && done.contains(queueOffset);
  }

  long count() {
    return count;
  }

  /** When the last of them was stored, ms, by the clock as it was then; 0 when there is none. */
  long latestMs() {
    return latestMs;
  }
}
