package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.model.TimerMoments;
import io.metaq.store.TimerEntry;
import io.metaq.store.TimerIndex;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what is due, slot after slot, and in a slot in the order of the ms. In rounds: {@link #fill} collects what is due now
 * into a batch, and when the batch is back from the log's writer, {@link #settle} draws the conclusions. A slot is left when all
 * that is in it is stored; so everything before {@link #slotMs} is done, and what was stored of it, and of later ones, lies
 * behind {@link #fromPhy}.
 */
@OwnedBy("TimerVerticle")
final class TimerDelivery {
  /** Who sets a clock back by no more than this waits until it has come again to where it was. */
  static final long SHORT_BACK_MS = 60_000;

  /** Slots that are passed in one round, so that others have their turn. */
  private static final int SLOTS_PER_ROUND = 256;

  private static final Logger log = LoggerFactory.getLogger(TimerDelivery.class);

  private final TimerParts parts;
  private final TimerIndex index;
  private final int widthMs;
  private final DueTimers due;
  private final LongSet recalled = new LongSet();
  private final TimerEntry entry = new TimerEntry();
  private final RepeatedWarning notStored;
  private final RepeatedWarning passedOver;

  /** When this process began, or an earlier one delivered while the clock was ahead: what that has delivered was due before. */
  private final long recoveredMs;
  private long slotMs;
  private long fromPhy;
  private boolean caughtUp;
  private boolean open;
  private boolean begun;
  private long waiting;
  private long delivered;
  private long[] inFlight = new long[1024];
  private int inFlightCount;

  /**
   * @param slotMs beginning of the first slot that is not done
   * @param fromPhy nothing of it was stored before this log position
   * @param waiting messages that wait
   */
  TimerDelivery(TimerParts parts, long slotMs, long fromPhy, long waiting) {
    this.parts = parts;
    index = parts.index();
    widthMs = parts.rules().slotMs();
    due = new DueTimers(parts.rules().keptUnits());
    notStored = parts.warning();
    passedOver = parts.warning();
    this.slotMs = slotMs;
    this.fromPhy = fromPhy;
    this.waiting = waiting;
    recoveredMs = Math.max(parts.clock().millis(), parts.done().latestMs());
  }

  /** Beginning of the first slot that is not done, ms. */
  long slotMs() {
    return slotMs;
  }

  /** Nothing that is due in {@link #slotMs} or later was stored before this log position. */
  long fromPhy() {
    return fromPhy;
  }

  /** Messages that wait. */
  long waiting() {
    return waiting;
  }

  /** Messages stored, for their consumers or anew. */
  long delivered() {
    return delivered;
  }

  /** When there will be something to do next, ms; long ago when there is now. */
  long nextMs() {
    if (!open) {
      return slotMs;
    }
    return due.isEmpty() ? slotMs + widthMs : Math.min(due.firstDueMs(), slotMs + widthMs);
  }

  /** All messages that were there when this process began have their units. */
  void caughtUp() {
    caughtUp = true;
  }

  /** A unit was added to the index. */
  void arrived(TimerEntry added, TimerMessage message) {
    waiting += takesBack(added) ? 0 : 1;
    if (open && index.slotOf(added.timeMs()) == slotMs) {
      if (takesBack(added)) {
        message.recallInto(recalled);
      } else {
        due.offer(key(added));
      }
    }
  }

  /**
   * Goes on from now when the clock was set back by more than a little. Everything that was due from now on and has a unit before
   * the slot that is open is done; its slots are emptied, for what comes now may get a place in them. All that was there at the
   * start must have its unit, and nothing be in flight. The open slot keeps what is not done of it; when the disk has failed, so
   * that its chain cannot be written anew, it keeps all, and what is done may come twice: better than that nothing comes at all.
   */
  void goBack() throws IOException {
    long nowMs = index.slotOf(parts.clock().millis());
    if (slotMs - nowMs > SHORT_BACK_MS) {
      log.warn("the clock was set back, timers go on from there; what was due meanwhile has been delivered fromMs={} toMs={}",
          slotMs, nowMs);
      if (!index.forceFailed()) {
        close();
      }
      open = false;
      goBack(nowMs);
    }
  }

  private void goBack(long toMs) throws IOException {
    index.clear(toMs, slotMs);
    slotMs = toMs;
  }

  /**
   * Follows a master: what is due before {@code readTimeMs} it has delivered, and nothing else in front of {@code phyOffset}; also
   * one whose clock was set back.
   */
  void follow(long readTimeMs, OptionalLong phyOffset) throws IOException {
    if (slotMs - index.slotOf(readTimeMs) > SHORT_BACK_MS) {
      goBack(index.slotOf(readTimeMs));
    }
    long firstMs = Math.max(slotMs, index.slotOf(readTimeMs));
    waiting -= index.waitingBetween(slotMs, firstMs);
    slotMs = firstMs;
    fromPhy = phyOffset.orElse(fromPhy);
  }

  /**
   * Collects what is due now. Afterwards either the batch holds records and must come back through {@link #settle}, or it is empty.
   *
   * @return whether there is more that is due
   * @throws DamagedTimersException when units are missing; what is in the batch must not be stored then, and the index be made again
   */
  boolean fill(AppendBatch batch) throws IOException {
    inFlightCount = 0;
    long nowMs = parts.clock().millis();
    for (int slots = 0; slots < SLOTS_PER_ROUND; slots++) {
      if (slotMs > nowMs) {
        return false;
      }
      if (!open) {
        begin();
      } else if (due.isEmpty() && due.hasMore()) {
        load(due.beginRest());
      }
      if (!takeDue(batch, nowMs)) {
        return true;
      }
      if (!due.isEmpty() || due.hasMore() || inFlightCount > 0 || slotMs + widthMs > nowMs) {
        return due.isEmpty() && due.hasMore();
      }
      leave(nowMs);
    }
    return true;
  }

  private void begin() throws IOException {
    due.begin(slotMs);
    recalled.clear();
    load(-1);
    open = true;
    begun = false;
  }

  /** Takes in the units of the slot whose keys are greater than {@code after}. */
  private void load(long after) throws IOException {
    boolean whole = index.forEach(slotMs, entry, unit -> {
      if (takesBack(unit)) {
        recall(unit);
      } else {
        long key = key(unit);
        if (key > after) {
          due.offer(key);
        }
      }
    });
    if (!whole) {
      throw new DamagedTimersException("the chain of units of slotMs=" + slotMs + " is broken");
    }
  }

  /** Whether a unit is there only to take others of its slot back. */
  private static boolean takesBack(TimerEntry unit) {
    return unit.recalling() && !unit.rolled();
  }

  private void recall(TimerEntry unit) {
    Optional<? extends SharedBytes> record = parts.topic().record(unit.phyOffset());
    try {
      record.ifPresent(found -> {
        parts.message().read(found.bytes());
        if (parts.message().isTimer() && parts.message().recalls()) {
          parts.message().recallInto(recalled);
        }
      });
    } finally {
      record.ifPresent(SharedBytes::release);
    }
  }

  private long key(TimerEntry unit) {
    return due.key(TimerMoments.due(unit.timeMs(), widthMs), unit.place());
  }

  private void leave(long nowMs) throws IOException {
    slotMs = index.firstUsed(slotMs + widthMs, nowMs);
    open = false;
    if (caughtUp && slotMs > recoveredMs) {
      fromPhy = parts.topic().appendedOffset();
    }
  }

  /** Puts what is due into the batch; false when it is full. */
  private boolean takeDue(AppendBatch batch, long nowMs) throws IOException {
    while (!due.isEmpty() && due.firstDueMs() <= nowMs) {
      long key = due.take();
      begun = true;
      if (!take(batch, key)) {
        due.putBack(key);
        return false;
      }
    }
    return true;
  }

  private boolean take(AppendBatch batch, long key) throws IOException {
    if (!index.read(DueTimers.placeOf(key), entry)) {
      throw new DamagedTimersException("no sound unit is at place=" + DueTimers.placeOf(key));
    }
    Optional<? extends SharedBytes> record = parts.topic().record(entry.phyOffset());
    if (record.isEmpty()) {
      passOver(key, "no sound record is there");
      return true;
    }
    try {
      return take(batch, key, record.get());
    } finally {
      record.get().release();
    }
  }

  private boolean take(AppendBatch batch, long key, SharedBytes record) {
    TimerMessage message = parts.message();
    message.read(record.bytes());
    if (!message.isTimer()) {
      passOver(key, "the record is none of the timer topic");
      return true;
    }
    if (parts.done().contains(message.queueOffset()) || !entry.rolled() && message.isRecalledBy(recalled)) {
      waiting--;
      return true;
    }
    String fault = message.fault();
    if (!fault.isEmpty()) {
      passOver(key, fault);
      return true;
    }
    if (entry.rolled()) {
      message.asRolled();
    } else {
      message.asDelivered();
    }
    int size = message.size();
    if (!batch.reserve(size)) {
      return false;
    }
    message.writeTo(batch.bytes(), batch.end());
    batch.add(message.target(), size);
    if (inFlightCount == inFlight.length) {
      inFlight = Arrays.copyOf(inFlight, 2 * inFlightCount);
    }
    inFlight[inFlightCount++] = key;
    return true;
  }

  /**
   * Takes in what became of the records of the last {@link #fill}. Those that were not stored are collected again by the next one.
   *
   * @return whether none is left to be tried again
   */
  boolean settle(AppendBatch batch) {
    int left = 0;
    for (int i = 0; i < inFlightCount; i++) {
      switch (batch.status(i)) {
        case STORED -> {
          waiting--;
          delivered++;
        }
        case ILLEGAL -> {
          index.read(DueTimers.placeOf(inFlight[i]), entry);
          passOver(inFlight[i], batch.detail(i));
        }
        case UNAVAILABLE, FAILED -> {
          due.putBack(inFlight[i]);
          left++;
          if (notStored.due()) {
            log.warn("a message whose time has come was not stored and will be tried again slotMs={} detail={} suppressed={}",
                slotMs, batch.detail(i), notStored.takeSuppressed());
          }
        }
      }
    }
    inFlightCount = 0;
    return left == 0;
  }

  /**
   * Leaves the files so that RocketMQ, too, delivers nothing again: the slot that is open keeps only what has not been stored.
   * Nothing may be in flight.
   */
  void close() throws IOException {
    if (!open || !begun) {
      return;
    }
    Rest rest = new Rest();
    index.forEach(slotMs, entry, rest);
    if (rest.waits) {
      index.rewrite(slotMs, rest.places.build().sorted().toArray(), entry);
      open = false;
    } else {
      leave(slotMs);
    }
  }

  /** Collects the units of the open slot that are not done. */
  private final class Rest implements TimerIndex.Reader {
    private final long[] kept = due.sorted();
    private final LongStream.Builder places = LongStream.builder();
    private boolean waits;

    @Override
    public void unit(TimerEntry unit) {
      if (takesBack(unit)) {
        places.add(unit.place());
      } else if (due.holds(kept, key(unit))) {
        places.add(unit.place());
        waits = true;
      }
    }
  }

  private void passOver(long key, String fault) {
    waiting--;
    if (passedOver.due()) {
      log.error("a message whose time has come cannot be delivered and is passed over place={} phyOffset={} fault={} suppressed={}",
          DueTimers.placeOf(key), entry.phyOffset(), fault, passedOver.takeSuppressed());
    }
  }
}
