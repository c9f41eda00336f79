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
import java.util.function.Predicate;
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
    long logPos = check.map(TimerCheck::logPos).orElse(0L);
    long readTimeMs = goBack(index, index.slotOf(check.map(TimerCheck::readTimeMs).orElseGet(this::firstReadTimeMs)), logPos);
    SoundUnits sound = new SoundUnits();
    index.recover(logPos, readTimeMs, sound);
    long next = Math.max(check.map(TimerCheck::queueOffset).orElse(0L), sound.behind());
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
   * that came later are added again. An earlier process may have gone back and ended before it wrote that down; then the first slot
   * is the first into which it put a unit.
   */
  private long goBack(TimerIndex index, long readTimeMs, long logPos) throws IOException {
    long nowMs = index.slotOf(clock.millis());
    boolean behind = !rules.slave() && readTimeMs - nowMs > TimerDelivery.SHORT_BACK_MS;
    long firstMs = Math.min(behind ? nowMs : readTimeMs, index.earliestBehind(logPos, new SoundUnits()));
    if (firstMs < readTimeMs) {
      log.warn("the clock is or was behind the time when timers were delivered last, they go on from there fromMs={} toMs={}",
          readTimeMs, firstMs);
      index.clear(firstMs, readTimeMs);
    }
    return firstMs;
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

  /** For one walk over units: whether the record of each is there, and follows the one of the unit before it. */
  @OwnedBy("the call that made it")
  private final class SoundUnits implements Predicate<TimerEntry> {
    private long behind;

    /** Offset in the queue behind the last message that has a sound unit. */
    long behind() {
      return behind;
    }

    @Override
    public boolean test(TimerEntry unit) {
      Optional<? extends SharedBytes> record = topic.record(unit.phyOffset());
      if (record.isEmpty()) {
        return false;
      }
      try {
        message.read(record.get().bytes());
        boolean follows = message.isTimer() && (unit.isCopy() || message.queueOffset() >= behind);
        if (follows && !unit.isCopy()) {
          behind = message.queueOffset() + 1;
        }
        return follows;
      } finally {
        record.get().release();
      }
    }
  }
}
