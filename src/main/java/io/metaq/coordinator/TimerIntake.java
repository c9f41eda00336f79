package io.metaq.coordinator;

import io.metaq.codec.store.TimerUnit;
import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.store.TimerEntry;
import io.metaq.store.TimerIndex;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes messages of the timer topic up: each gets its unit in the slot in which it is due. One that is due later than the window
 * gets an earlier slot, and is stored anew then; one that is late gets the slot that is open. One whose slot has its place in the
 * wheel taken by a slot of the next turn gets the next that is free, and comes late.
 */
@OwnedBy("TimerVerticle")
final class TimerIntake {
  /** Messages that are taken up in one turn. */
  static final int UNITS_PER_TURN = 1024;

  /** A rest shorter than this part of the window is not worth a slot of its own: two halves are taken. */
  private static final int SMALL_PART = 3;

  /** A unit holds its delay as i32 ms. It would be longer only on a slave whose clock is far behind its master's. */
  private static final long LONGEST_DELAY_MS = Integer.MAX_VALUE;

  private static final Logger log = LoggerFactory.getLogger(TimerIntake.class);

  private final TimerParts parts;
  private final TimerIndex index;
  private final TimerDelivery delivery;
  private final TimerEntry entry = new TimerEntry();
  private final RepeatedWarning passedOver;
  private final RepeatedWarning late;

  private long next;
  private long taken;
  private int inTurn;
  private boolean blocked;
  private IOException failure;

  /**
   * @param next the first message of the queue that has no unit
   */
  TimerIntake(TimerParts parts, TimerDelivery delivery, long next) {
    this.parts = parts;
    index = parts.index();
    this.delivery = delivery;
    this.next = next;
    passedOver = parts.warning();
    late = parts.warning();
  }

  /**
   * Takes up what has come, some of it at most.
   *
   * @return whether there is more
   * @throws IOException when units cannot be written; what was taken up until then is written by the next call
   */
  boolean take() throws IOException {
    index.write();
    long min = parts.topic().minOffset();
    if (next < min) {
      log.error("messages that wait for their time were deleted before they were taken up from={} to={}", next, min);
      next = min;
    }
    inTurn = 0;
    blocked = false;
    failure = null;
    parts.topic().forEachUnit(next, this::take);
    if (failure != null) {
      throw failure;
    }
    index.write();
    return inTurn == UNITS_PER_TURN;
  }

  /** The first message of the queue that has no unit. */
  long next() {
    return next;
  }

  /** Whether the next one is due so far ahead that slots must pass first, as after weeks in which the broker did not run. */
  boolean blocked() {
    return blocked;
  }

  /** How many have been taken up. */
  long taken() {
    return taken;
  }

  private boolean take(long queueOffset, long phyOffset, int size) {
    if (inTurn == UNITS_PER_TURN) {
      return false;
    }
    try {
      if (phyOffset >= 0 && !parts.done().contains(queueOffset) && !add(queueOffset, phyOffset, size)) {
        return false;
      }
    } catch (IOException noRoom) {
      failure = noRoom;
      return false;
    }
    inTurn++;
    next = queueOffset + 1;
    return true;
  }

  /** Gives a message its unit; false when the wheel has not turned far enough for it. */
  private boolean add(long queueOffset, long phyOffset, int size) throws IOException {
    Optional<? extends SharedBytes> record = parts.topic().record(phyOffset);
    if (record.isEmpty()) {
      passOver(queueOffset, phyOffset, "no sound record is there");
      return true;
    }
    TimerMessage message = parts.message();
    try {
      message.read(record.get().bytes());
      if (!message.isTimer()) {
        passOver(queueOffset, phyOffset, "it does not say when it is due");
        return true;
      }
      return add(message, phyOffset, size);
    } finally {
      record.get().release();
    }
  }

  private boolean add(TimerMessage message, long phyOffset, int size) throws IOException {
    long nowMs = parts.clock().millis();
    boolean rolled = message.outMs() - nowMs >= parts.rules().windowMs();
    long wantedMs = notDone(rolled ? rollAt(nowMs, message.outMs()) : message.outMs());
    long endMs = delivery.slotMs() + index.spanMs();
    long freeMs = wantedMs < endMs ? index.firstFree(wantedMs, endMs) : endMs;
    if (freeMs >= endMs) {
      blocked = true;
      return false;
    }
    long timeMs = freeMs > wantedMs ? freeMs + 1 : wantedMs;
    if (timeMs != wantedMs && late.due()) {
      log.error("the clock was set back by so much that timers of a later time stand where a message should wait, it comes late"
          + " queueOffset={} dueMs={} comesMs={} suppressed={}", message.queueOffset(), wantedMs, timeMs, late.takeSuppressed());
    }
    int flags = (rolled ? TimerUnit.ROLLED : 0) | (message.recalls() ? TimerUnit.RECALLING : 0);
    long writeTimeMs = Math.max(Math.min(nowMs, timeMs), timeMs - LONGEST_DELAY_MS);
    index.add(entry.set(timeMs, writeTimeMs, flags, phyOffset, size, message.topicHash()));
    delivery.arrived(entry, message);
    taken++;
    return true;
  }

  /** The moment itself, or when its slot has passed one in the slot that is open. */
  private long notDone(long timeMs) {
    return index.slotOf(timeMs) < delivery.slotMs() ? delivery.slotMs() + 1 : timeMs;
  }

  private long rollAt(long nowMs, long timeMs) {
    long windowMs = parts.rules().windowMs();
    boolean smallRest = timeMs - nowMs - windowMs < windowMs / SMALL_PART;
    return nowMs + (smallRest ? windowMs / 2 : windowMs);
  }

  private void passOver(long queueOffset, long phyOffset, String fault) {
    if (passedOver.due()) {
      log.error("a message cannot wait for its time and is passed over queueOffset={} phyOffset={} fault={} suppressed={}",
          queueOffset, phyOffset, fault, passedOver.takeSuppressed());
    }
  }
}
