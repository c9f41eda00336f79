package io.metaq.coordinator;

import io.metaq.codec.store.TimerCheckLayout.TimerCheck;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.store.Disk;
import io.metaq.store.StoreException;
import io.metaq.store.TimerCheckFile;
import io.metaq.store.TimerEntry;
import io.metaq.store.TimerIndex;
import io.metaq.store.TimerIndex.Waiting;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out at a start which timers wait. The index is brought up to date with the log, and what was delivered since progress was
 * last written down is read from the log itself. Without such a note, or without the files of the index, everything is made again
 * from the queue of the timer topic. A store that RocketMQ has written to is taken over as RocketMQ would go on with it.
 */
@OwnedBy("TimerVerticle, at its start")
final class TimerRecovery {
  private static final Logger log = LoggerFactory.getLogger(TimerRecovery.class);

  private final TimerTopic topic;
  private final TimerRules rules;
  private final byte[] storeHost;
  private final Clock clock;
  private final Disk disk;
  private final TimerCheckFile checks;
  private final TimerMessage message;
  /** Offset in the queue behind the last message that has a sound unit. */
  private long behindUnits;

  TimerRecovery(TimerTopic topic, TimerRules rules, byte[] storeHost, Clock clock, Disk disk) {
    this.topic = topic;
    this.rules = rules;
    this.storeHost = storeHost.clone();
    this.clock = clock;
    this.disk = disk;
    checks = new TimerCheckFile(rules.root(), disk);
    message = new TimerMessage(storeHost);
  }

  /** Whether there ever was a timer in this store. */
  boolean isNeeded() {
    return topic.maxOffset() > 0 || TimerIndex.isIn(rules.root());
  }

  /**
   * Opens the index and brings it up to date.
   *
   * @throws StoreException when it cannot be opened
   */
  Timers run() {
    try {
      Optional<TimerCheck> check = checks.read(topic.appendedOffset());
      if (check.isPresent() && check.get().logPos() > 0 && !TimerIndex.isWhole(rules.root(), check.get().logPos())) {
        log.warn("files of timerwheel and timerlog are gone or too short, they are made again from the commit log");
        check = Optional.empty();
      } else if (check.isEmpty() && TimerIndex.isIn(rules.root())) {
        log.warn("there is no sound file config/timercheck, timers are made again from the commit log");
      }
      if (check.isEmpty() && TimerIndex.isIn(rules.root())) {
        TimerIndex.putAside(rules.root(), Long.toString(clock.millis()), disk);
      }
      TimerIndex index = TimerIndex.open(rules.root(), rules.logFileBytes(), rules.slotMs(), disk);
      try {
        return recover(index, check);
      } catch (IOException | RuntimeException failure) {
        index.close();
        throw failure;
      }
    } catch (IOException failure) {
      throw new StoreException("the timers' files in " + rules.root() + " cannot be used: " + failure.getMessage(), failure);
    }
  }

  private Timers recover(TimerIndex index, Optional<TimerCheck> check) throws IOException {
    long readTimeMs = goBack(index, index.slotOf(check.map(TimerCheck::readTimeMs).orElseGet(this::firstReadTimeMs)));
    index.recover(check.map(TimerCheck::logPos).orElse(0L), readTimeMs, this::isSound);
    long next = Math.max(check.map(TimerCheck::queueOffset).orElse(0L), behindUnits);
    next = Math.min(topic.maxOffset(), Math.max(topic.minOffset(), next));
    long end = topic.appendedOffset();
    long fromPhy = Math.min(end, check.map(noted -> noted.fromPhy().orElse(end)).orElseGet(this::firstPhyOffset));
    DoneTimers done = new DoneTimers();
    done.readFrom(topic, fromPhy);
    Waiting waiting = index.waitingFrom(readTimeMs);
    long slotMs = rules.slave() ? readTimeMs : firstSlot(index, readTimeMs, waiting);
    TimerParts parts = new TimerParts(topic, index, done, new TimerMessage(storeHost), rules, clock);
    log.info("timers were found waiting={} nextQueueOffset={} doneLately={} behindMs={}", waiting.count(), next, done.count(),
        Math.max(0, clock.millis() - slotMs));
    return new Timers(parts, new TimerDelivery(parts, slotMs, fromPhy, waiting.count()), next);
  }

  /**
   * As {@link TimerDelivery#goBack}: what has a unit in the slots that are emptied was done when progress was written down, and units
   * that came later are added again.
   */
  private long goBack(TimerIndex index, long readTimeMs) throws IOException {
    long nowMs = index.slotOf(clock.millis());
    if (rules.slave() || readTimeMs - nowMs <= TimerDelivery.SHORT_BACK_MS) {
      return readTimeMs;
    }
    log.warn("the clock is behind the time when timers were delivered last, they go on from now fromMs={} toMs={}", readTimeMs, nowMs);
    index.clear(nowMs, readTimeMs);
    return nowMs;
  }

  /** Slots without units need not be passed one by one; but none is skipped that a unit may yet come into. */
  private long firstSlot(TimerIndex index, long readTimeMs, Waiting waiting) {
    long nowMs = index.slotOf(clock.millis());
    return Math.max(readTimeMs, Math.min(nowMs, waiting.firstMs().orElse(nowMs)));
  }

  /**
   * Where to begin when nothing is noted. A slave leaves all that its master may have delivered in slots of its own, to be passed
   * when it hears how far the master is.
   */
  private long firstReadTimeMs() {
    long longAgoMs = rules.windowMs() * 2;
    return clock.millis() - (rules.slave() ? longAgoMs : 0);
  }

  private long firstPhyOffset() {
    long[] first = {topic.appendedOffset()};
    topic.forEachUnit(topic.minOffset(), (queueOffset, phyOffset, size) -> {
      first[0] = phyOffset >= 0 ? phyOffset : first[0];
      return phyOffset < 0;
    });
    return first[0];
  }

  /** Whether the record of a unit is there, and follows the one of the unit before it. */
  private boolean isSound(TimerEntry unit) {
    Optional<? extends SharedBytes> record = topic.record(unit.phyOffset());
    if (record.isEmpty()) {
      return false;
    }
    try {
      message.read(record.get().bytes());
      boolean follows = message.isTimer() && (unit.isCopy() || message.queueOffset() >= behindUnits);
      if (follows && !unit.isCopy()) {
        behindUnits = message.queueOffset() + 1;
      }
      return follows;
    } finally {
      record.get().release();
    }
  }
}
