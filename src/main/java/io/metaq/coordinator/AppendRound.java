package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.model.AppendStatus;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The batch that transactions fill and settle, with what is to be done when each of its records is stored or is not. */
@OwnedBy("TransactionVerticle")
final class AppendRound {
  /** Hears what became of one record. */
  interface Step {
    /**
     * @param detail why it was not stored, null when it was
     * @param phyOffset place of the record when it was stored
     * @param queueOffset its number in its queue when it was stored
     */
    void settled(AppendStatus status, String detail, long phyOffset, long queueOffset);
  }

  private final AppendBatch batch;
  private final List<Step> steps = new ArrayList<>();
  private final Set<Long> roots = new HashSet<>();

  AppendRound(int sender) {
    batch = new AppendBatch(sender);
  }

  AppendBatch batch() {
    return batch;
  }

  /** Whether a record of this transaction is in the batch, so that what becomes of it is not known yet. */
  boolean holds(long root) {
    return roots.contains(root);
  }

  /**
   * Adds the chosen form of a half message.
   *
   * @return false when the batch is full
   */
  boolean add(HalfMessage half, Step step) {
    int size = half.size();
    if (!batch.reserve(size)) {
      return false;
    }
    half.writeTo(batch.bytes(), batch.end());
    batch.add(half.target(), size);
    steps.add(step);
    roots.add(half.root());
    return true;
  }

  /** Takes in a record that was encoded at the batch's end, where there was room for it. */
  void added(Step step) {
    steps.add(step);
  }

  /**
   * Does what is to be done now that the batch is back, and empties it.
   *
   * @return whether every record was stored, or can never be
   */
  boolean settle() {
    boolean all = true;
    for (int i = 0; i < batch.count(); i++) {
      AppendStatus status = batch.status(i);
      all &= status == AppendStatus.STORED || status == AppendStatus.ILLEGAL;
      steps.get(i).settled(status, batch.detail(i), batch.phyOffset(i), batch.queueOffset(i));
    }
    steps.clear();
    roots.clear();
    batch.clear();
    return all;
  }
}
