package io.metaq.coordinator;

import io.metaq.model.SharedBytes;
import java.util.Optional;

/** What delayed delivery reads of the store: the queues of {@code SCHEDULE_TOPIC_XXXX}, one for each level, and their records. */
interface ScheduleLog {
  /** Takes one unit of a level's queue. */
  interface UnitReader {
    /**
     * @param phyOffset place of the record, negative when the unit stands for none
     * @return whether to go on with the next unit
     */
    boolean unit(long queueOffset, long phyOffset, long deliverAtMs);
  }

  /** First offset of the level's queue that can still be read; 0 when nothing was ever parked there. */
  long minOffset(int level);

  /** The next offset of the level's queue. */
  long maxOffset(int level);

  /** Shows units from {@code from} on, in order, until the queue ends or the reader has enough. */
  void forEachUnit(int level, long from, UnitReader reader);

  /** The record at a place; empty when none is sound there. The caller releases it. */
  Optional<? extends SharedBytes> record(long phyOffset);
}
