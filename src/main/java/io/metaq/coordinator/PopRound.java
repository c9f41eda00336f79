package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.AppendStatus;
import io.metaq.model.OwnedBy;
import io.metaq.model.QueueHandle;
import java.util.ArrayList;
import java.util.List;

/** The batch that pops fill and settle, with what is to be done when each of its records is stored or is not. */
@OwnedBy("PopVerticle")
final class PopRound {
  /** Hears what became of one record. */
  interface Step {
    /**
     * @param detail why it was not stored, null when it was
     * @param queueOffset its number in its queue when it was stored
     * @param endOffset log position behind it when it was stored
     */
    void settled(AppendStatus status, String detail, long queueOffset, long endOffset);
  }

  private final AppendBatch batch;
  private final boolean durable;
  private final List<Step> steps = new ArrayList<>();

  /**
   * @param durable whether somebody waits until the records are on disk
   */
  PopRound(int sender, boolean durable) {
    batch = new AppendBatch(sender);
    this.durable = durable;
  }

  AppendBatch batch() {
    return batch;
  }

  /** Whether so many more bytes surely fit beside what is in it. */
  boolean hasRoom(int bytes) {
    return batch.end() + bytes <= AppendBatch.CAPACITY;
  }

  /**
   * Adds the record that {@code encoder} holds.
   *
   * @return false when the batch has no room for it
   */
  boolean add(QueueHandle queue, RecordEncoder encoder, Step step) {
    int size = encoder.size();
    if (!batch.reserve(size)) {
      return false;
    }
    encoder.writeTo(batch.bytes(), batch.end());
    batch.add(queue, size);
    if (durable) {
      batch.waiting();
    }
    steps.add(step);
    return true;
  }

  /** Does what is to be done now that the batch is back, and empties it. */
  void settle() {
    for (int i = 0; i < batch.count(); i++) {
      steps.get(i).settled(batch.status(i), batch.detail(i), batch.queueOffset(i), batch.endOffset(i));
    }
    steps.clear();
    batch.clear();
  }
}
