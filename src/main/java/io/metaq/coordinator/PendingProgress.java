package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Progress that a slave's master told and that is ahead of the slave's copy of the log. Taken before the copy has all that it rests on,
 * it would pass over messages should the slave go on alone: those whose check point, or whose delivery after a delay, is not copied yet,
 * and those that will be given the numbers of consumed ones that are lost. One round's progress waits at a time. What is told meanwhile
 * is passed over, so a slave that is always behind still gets on; there is another round soon. What the master took over meanwhile
 * is left out of what waits: that is older.
 */
@OwnedBy("MasterTablesVerticle")
final class PendingProgress {
  private final LongSupplier copiedOffset;
  /** Null when nothing waits. */
  private MasterTold waiting;

  /**
   * @param copiedOffset up to where the log is copied
   */
  PendingProgress(LongSupplier copiedOffset) {
    this.copiedOffset = copiedOffset;
  }

  void add(MasterTold told) {
    waiting = waiting == null ? told : waiting.without(told.takenOver());
  }

  /** Takes out what waits when the log is there. */
  Optional<MasterTold> take() {
    if (waiting == null || copiedOffset.getAsLong() < waiting.logEnd()) {
      return Optional.empty();
    }
    MasterTold reached = waiting;
    waiting = null;
    return Optional.of(reached);
  }

  boolean isEmpty() {
    return waiting == null;
  }

  /** Another log is copied from now on. */
  void drop() {
    waiting = null;
  }
}
