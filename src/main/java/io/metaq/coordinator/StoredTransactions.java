package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.model.Topics;
import io.metaq.store.KeyKind;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreView;
import io.metaq.store.TimeBoundary;
import io.metaq.store.UnitWindow;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** {@link TransactionLog} over the store. */
@OwnedBy("TransactionVerticle")
final class StoredTransactions implements TransactionLog {
  static final int QUEUE_ID = 0;

  private static final int WINDOW = 128;
  /** Messages of one unique key that are looked at: there is one, unless its producer sent it again and again. */
  private static final int MAX_SAME_KEY = 64;

  private final StoreView store;
  private final UnitWindow halves = new UnitWindow(WINDOW);
  private final UnitWindow ops = new UnitWindow(WINDOW);

  StoredTransactions(StoreView store) {
    this.store = store;
  }

  @Override
  public long minOffset(Queue queue) {
    return store.minOffset(topic(queue), QUEUE_ID);
  }

  @Override
  public long maxOffset(Queue queue) {
    return store.maxOffset(topic(queue), QUEUE_ID);
  }

  @Override
  public long firstSince(Queue queue, long storedMs) {
    return store.offsetByTime(topic(queue), QUEUE_ID, storedMs, TimeBoundary.LOWER);
  }

  /** Units next to one another are read at once, for the calls that follow. */
  @Override
  public long place(Queue queue, long queueOffset) {
    UnitWindow window = queue == Queue.HALF ? halves : ops;
    boolean known = queueOffset >= window.first() && queueOffset < window.first() + window.count();
    if (!known && store.readUnits(topic(queue), QUEUE_ID, queueOffset, WINDOW, window) == 0) {
      return NO_RECORD;
    }
    int index = (int) (queueOffset - window.first());
    return window.isRecord(index) ? window.phyOffset(index) : NO_RECORD;
  }

  @Override
  public Optional<? extends SharedBytes> record(long phyOffset) {
    return store.recordAt(phyOffset);
  }

  @Override
  public boolean anyWithKey(String topic, String uniqueKey, long fromMs, Predicate<ByteBuffer> test) {
    List<RecordSlice> found = store.byKey(topic, uniqueKey, MAX_SAME_KEY, fromMs, Long.MAX_VALUE, KeyKind.UNIQUE);
    try {
      return found.stream().anyMatch(record -> test.test(record.bytes()));
    } finally {
      found.forEach(RecordSlice::release);
    }
  }

  private static String topic(Queue queue) {
    return queue == Queue.HALF ? Topics.HALF : Topics.HALF_OP;
  }
}
