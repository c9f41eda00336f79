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
      Optional<TimerCheck> check = noted();
      Optional<Timers> found = use(check);
      if (found.isPresent()) {
        return found.get();
      }
      putAside("timerwheel and timerlog do not fit each other or the commit log");
      return use(Optional.empty()).orElseThrow();
    } catch (IOException failure) {
      throw new StoreException("the timers' files in " + rules.root() + " cannot be used: " + failure.getMessage(), failure);
    }
  }

  /** Empty when what is noted does not fit the files. */
  private Optional<Timers> use(Optional<TimerCheck> check) throws IOException {
    TimerIndex index = TimerIndex.open(rules.root(), rules.logFileBytes(), rules.slotMs(), disk);
    boolean used = false;
    try {
      Optional<Timers> found = check.isPresent() && !fits(index, check.get()) ? Optional.empty() : Optional.of(recover(index, check));
      used = found.isPresent();
      return found;
    } finally {
      if (!used) {
        index.close();
      }
    }
  }

  /** What is noted of files that are there; those of which nothing is known, or that are not what they were, are put aside. */
  private Optional<TimerCheck> noted() throws IOException {
    boolean damaged = checks.isDamaged();
    if (damaged) {
      checks.putAside(mark());
    }
    Optional<TimerCheck> check = checks.read(topic.appendedOffset());
    if (damaged && check.isPresent()) {
      log.warn("config/timercheck is damaged and put aside into the folder damaged, the one before it is used");
    }
    if (check.isPresent() && check.get().logPos() > 0 && !TimerIndex.isWhole(rules.root(), check.get().logPos())) {
      putAside("files of timerwheel and timerlog are gone or too short");
      return Optional.empty();
    }
    if (check.isEmpty() && TimerIndex.isIn(rules.root())) {
      putAside("there is no sound file config/timercheck");
    }
    return check;
  }

  /**
   * Puts the files of the timers into the folder {@code damaged}, so that the next {@link #run} makes them again. The note goes
   * first: it would be believed of files that are not finished when the process ends in between.
   */
  void putAside(String fault) throws IOException {
    log.warn("the timers' files are put aside into the folder damaged and made again from the commit log fault={}", fault);
    String mark = mark();
    checks.putAllAside(mark);
    TimerIndex.putAside(rules.root(), mark, disk);
  }

  /** The time, or one a little later when something has that mark already. */
  private String mark() {
    long mark = clock.millis();
    while (TimerIndex.isAside(rules.root(), Long.toString(mark))) {
      mark++;
    }
    return Long.toString(mark);
  }

  private boolean fits(TimerIndex index, TimerCheck check) throws IOException {
    long firstPhy = firstPhyOffset();
    return index.fits(check.logPos(), check.readTimeMs(), unit -> isOfTimer(unit, firstPhy));
  }

  /** Whether a unit belongs to a timer, or to a record that was deleted. */
  private boolean isOfTimer(TimerEntry unit, long firstPhy) {
    if (unit.phyOffset() < firstPhy) {
      return true;
    }
    Optional<? extends SharedBytes> record = topic.record(unit.phyOffset());
    if (record.isEmpty()) {
      // Deleted meanwhile, perhaps.
      return unit.phyOffset() < firstPhyOffset();
    }
    try {
      message.read(record.get().bytes());
      return message.isTimer();
    } finally {
      record.get().release();
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
