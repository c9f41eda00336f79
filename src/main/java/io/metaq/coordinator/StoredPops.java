package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import io.metaq.model.SharedBytes;
import io.metaq.store.GetResult;
import io.metaq.store.StoreView;
import io.metaq.store.UnitWindow;
import java.util.Optional;

/** {@link PopLog} over the store. */
@OwnedBy("PopVerticle")
final class StoredPops implements PopLog {
  private static final int WINDOW = 128;

  private final StoreView store;
  private final UnitWindow one = new UnitWindow(1);
  private final UnitWindow many = new UnitWindow(WINDOW);

  StoredPops(StoreView store) {
    this.store = store;
  }

  @Override
  public GetResult get(String topic, int queueId, long queueOffset, int maxMessages, int maxBytes, RecordFilter filter) {
    // What is far behind comes read from the disk: the loop that gets it must not wait for that.
    return store.getIfHot(topic, queueId, queueOffset, maxMessages, maxBytes, () -> filter)
        .orElseGet(() -> store.getCold(topic, queueId, queueOffset, maxMessages, maxBytes, filter));
  }

  @Override
  public long minOffset(String topic, int queueId) {
    return store.minOffset(topic, queueId);
  }

  @Override
  public long maxOffset(String topic, int queueId) {
    return store.maxOffset(topic, queueId);
  }

  @Override
  public boolean isRecent(String topic, int queueId, long queueOffset) {
    return store.isHot(topic, queueId, queueOffset);
  }

  @Override
  public Optional<? extends SharedBytes> message(String topic, int queueId, long queueOffset) {
    boolean there = store.readUnits(topic, queueId, queueOffset, 1, one) > 0 && one.isRecord(0);
    return there ? store.recordAt(one.phyOffset(0)) : Optional.empty();
  }

  @Override
  public void forEach(String topic, int queueId, long from, long to, RecordReader reader) {
    long next = from;
    while (next < to && store.readUnits(topic, queueId, next, (int) Math.min(WINDOW, to - next), many) > 0) {
      for (int i = 0; i < many.count(); i++) {
        tell(next + i, many.isRecord(i) ? store.recordAt(many.phyOffset(i)) : Optional.empty(), reader);
      }
      next += many.count();
    }
  }

  private static void tell(long queueOffset, Optional<? extends SharedBytes> record, RecordReader reader) {
    try {
      reader.record(queueOffset, record);
    } finally {
      record.ifPresent(SharedBytes::release);
    }
  }
}
