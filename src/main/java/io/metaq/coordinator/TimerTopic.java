package io.metaq.coordinator;

import io.metaq.model.SharedBytes;
import io.metaq.store.RecordVisitor;
import java.util.Optional;

/** What timers read of the store: the one queue of the timer topic, records, and how far the log is. */
interface TimerTopic {
  /** Takes one unit of the queue. */
  interface UnitReader {
    /**
     * @param phyOffset place of the record, negative when the unit stands for none
     * @return whether it was taken and the next one is wanted
     */
    boolean unit(long queueOffset, long phyOffset, int size);
  }

  /** First offset of the queue that can still be read; 0 when there never was one. */
  long minOffset();

  /** The next offset of the queue. */
  long maxOffset();

  /** Shows units from {@code from} on, in order, until the queue ends or the reader has enough. */
  void forEachUnit(long from, UnitReader reader);

  /** The record at a place; empty when none is sound there. The caller releases it. */
  Optional<? extends SharedBytes> record(long phyOffset);

  /** Shows every record of the log from {@code from} on to where it can be read. */
  void forEachRecord(long from, RecordVisitor visitor);

  /** Log position behind the last record that may be read. */
  long readableOffset();

  /** Log position behind the last record that was appended. */
  long appendedOffset();

  /** Log position up to which everything is on the disk. */
  long flushedOffset();
}
