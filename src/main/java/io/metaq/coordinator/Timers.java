package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.TimerProgress.Places;
import io.metaq.codec.store.TimerCheckLayout.TimerCheck;
import io.metaq.model.OwnedBy;
import io.metaq.store.TimerEntry;
import io.metaq.store.TimerIndex;
import io.metaq.store.TimerIndex.Forcing;
import java.io.IOException;

/**
 * The timers of a broker, in rounds: {@link #take} gives new ones their place in the index, {@link #fill} collects what is due, and
 * {@link #settle} draws the conclusions when the batch is back. What is not stored has not happened; what is stored is known by
 * the log.
 */
@OwnedBy("TimerVerticle")
final class Timers {
  private final TimerParts parts;
  private final TimerIndex index;
  private final TimerDelivery delivery;
  private final TimerIntake intake;
  private final long foundMax;
  private boolean caughtUp;

  /**
   * @param next the first message of the timer topic's queue that has no unit
   */
  Timers(TimerParts parts, TimerDelivery delivery, long next) {
    this.parts = parts;
    this.delivery = delivery;
    index = parts.index();
    intake = new TimerIntake(parts, delivery, next);
    foundMax = parts.topic().maxOffset();
  }

  /**
   * Takes new ones up, some at most; true when there are more. Fails when there is no room, and is to be called again then. Nothing may
   * be in flight.
   */
  boolean take() throws IOException {
    if (caughtUp && !parts.rules().slave()) {
      delivery.goBack();
    }
    boolean more = intake.take();
    if (!caughtUp && intake.next() >= foundMax) {
      caughtUp = true;
      delivery.caughtUp();
    }
    return more;
  }

  /**
   * Collects what is due; true when there is more than the batch can hold. The batch must come back through {@link #settle}.
   * Nothing is delivered before all that was found at the start was taken up: it may be taken back by what comes last.
   */
  boolean fill(AppendBatch batch) throws IOException {
    return (caughtUp || intake.blocked()) && delivery.fill(batch);
  }

  /** Draws the conclusions of what was stored; true when nothing of it has to be tried again. */
  boolean settle(AppendBatch batch) {
    return delivery.settle(batch);
  }

  /** When there will be something due, ms. */
  long nextMs() {
    return delivery.nextMs();
  }

  /** Whether time must pass before the next message can be taken up. */
  boolean blocked() {
    return intake.blocked();
  }

  /** The next message of the timer topic's queue to be taken up. */
  long next() {
    return intake.next();
  }

  long taken() {
    return intake.taken();
  }

  long delivered() {
    return delivery.delivered();
  }

  long waiting() {
    return Math.max(0, delivery.waiting());
  }

  Places places() {
    return new Places(delivery.slotMs(), index.end(), intake.next());
  }

  /**
   * Follows a master.
   *
   * @return false when what it has delivered cannot be told of this copy of the log yet
   */
  boolean follow(MasterProgress.Known master) throws IOException {
    boolean here = parts.topic().readableOffset() >= master.doneBeforePhy() && intake.next() >= parts.topic().maxOffset();
    if (here) {
      delivery.follow(master.readTimeMs(), master.fromPhy());
    }
    return here;
  }

  /**
   * What is to be written down of the present moment when the commit log is on the disk up to a position, and what {@link #forcing}
   * forces is.
   *
   * @param coversPhy everything that was stored of timers lies before it
   */
  TimerCheck check(long coversPhy) {
    return TimerCheck.of(delivery.slotMs(), index.end(), intake.next(), delivery.fromPhy(), coversPhy);
  }

  /** Whether the index has all that was taken up in its files; only then may progress be written down. */
  boolean isWritten() {
    return index.isWritten();
  }

  /** Brings the index as it is now to the disk; may run on another thread. */
  Forcing forcing() {
    return index.forcing();
  }

  /** Deletes a file of units that are all due before a moment; not while anything is forced. True when it did. */
  boolean deleteOldest(long readTimeMs) throws IOException {
    return index.deleteOldest(readTimeMs);
  }

  /** Leaves the files as RocketMQ would have them; nothing may be in flight. */
  void end() throws IOException {
    delivery.close();
    markNext();
  }

  private void markNext() throws IOException {
    TimerEntry mark = new TimerEntry();
    long pastMs = delivery.slotMs() - 1;
    boolean[] found = new boolean[1];
    parts.topic().forEachUnit(Math.max(0, intake.next() - 1), (queueOffset, phyOffset, size) -> {
      if (phyOffset >= 0 && queueOffset < intake.next()) {
        mark.set(pastMs, pastMs, 0, phyOffset, size, 0);
        found[0] = true;
      }
      return false;
    });
    if (found[0]) {
      index.addMark(mark);
    }
  }

  void close() {
    index.close();
  }
}
