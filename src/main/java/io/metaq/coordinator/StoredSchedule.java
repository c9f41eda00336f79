package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.model.Topics;
import io.metaq.store.StoreView;
import io.metaq.store.UnitWindow;
import java.util.Optional;

/** {@link ScheduleLog} over the store. */
@OwnedBy("ScheduleVerticle")
final class StoredSchedule implements ScheduleLog {
  private static final int WINDOW = 128;
  private static final long NO_RECORD = -1;

  private final StoreView store;
  private final UnitWindow window = new UnitWindow(WINDOW);

  StoredSchedule(StoreView store) {
    this.store = store;
  }

  @Override
  public long minOffset(int level) {
    return store.minOffset(Topics.SCHEDULE, level - 1);
  }

  @Override
  public long maxOffset(int level) {
    return store.maxOffset(Topics.SCHEDULE, level - 1);
  }

  @Override
  public void forEachUnit(int level, long from, UnitReader reader) {
    long next = from;
    while (store.readUnits(Topics.SCHEDULE, level - 1, next, WINDOW, window) > 0) {
      for (int i = 0; i < window.count(); i++) {
        long phyOffset = window.isRecord(i) ? window.phyOffset(i) : NO_RECORD;
        if (!reader.unit(next + i, phyOffset, window.tagsCode(i))) {
          return;
        }
      }
      next += window.count();
    }
  }

  @Override
  public Optional<? extends SharedBytes> record(long phyOffset) {
    return store.recordAt(phyOffset);
  }
}
