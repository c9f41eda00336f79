package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.model.Topics;
import io.metaq.store.RecordVisitor;
import io.metaq.store.StoreView;
import io.metaq.store.UnitWindow;
import java.util.Optional;

/** {@link TimerTopic} over the store. */
@OwnedBy("TimerVerticle")
final class StoredTimers implements TimerTopic {
  static final int QUEUE_ID = 0;

  private static final int WINDOW = 128;
  private static final long NO_RECORD = -1;

  private final StoreView store;
  private final UnitWindow window = new UnitWindow(WINDOW);

  StoredTimers(StoreView store) {
    this.store = store;
  }

  @Override
  public long minOffset() {
    return store.minOffset(Topics.TIMER, QUEUE_ID);
  }

  @Override
  public long maxOffset() {
    return store.maxOffset(Topics.TIMER, QUEUE_ID);
  }

  @Override
  public void forEachUnit(long from, UnitReader reader) {
    long next = from;
    while (store.readUnits(Topics.TIMER, QUEUE_ID, next, WINDOW, window) > 0) {
      for (int i = 0; i < window.count(); i++) {
        long phyOffset = window.isRecord(i) ? window.phyOffset(i) : NO_RECORD;
        if (!reader.unit(next + i, phyOffset, window.size(i))) {
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

  @Override
  public void forEachRecord(long from, RecordVisitor visitor) {
    store.forEachRecord(from, store.readableOffset(), visitor);
  }

  @Override
  public long readableOffset() {
    return store.readableOffset();
  }

  @Override
  public long appendedOffset() {
    return store.appendedOffset();
  }

  @Override
  public long flushedOffset() {
    return store.flushedOffset();
  }
}
