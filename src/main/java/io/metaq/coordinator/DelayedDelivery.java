package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.model.Clock;
import io.metaq.model.DataVersion;
import io.metaq.model.DelayLevels;
import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what waits in the queues of the delay levels. In rounds: {@link #fill} collects what is due into a batch, and when the
 * batch is back from the log's writer, {@link #settle} moves the progress on over what was stored. At least once: what was stored
 * but is not yet in the progress file when the process dies is delivered again. A message that cannot be delivered is logged with
 * its place and passed over; a level whose queue cannot be read rests while the others go on.
 *
 * <p>A message is due at the time its unit names: its store time and the delay of its level. After the clock was set back that time may
 * lie too far ahead, for all messages until the clock has come again to where it was. So a message is also due when this process has
 * known of it for as long as the delay: it waits no longer for a store time in the future, but its whole delay.
 */
@OwnedBy("ScheduleVerticle")
final class DelayedDelivery {
  private static final Logger log = LoggerFactory.getLogger(DelayedDelivery.class);

  /** Levels that are served even when fewer are configured, for what an earlier configuration parked. */
  static final int LEAST_LEVELS = 18;

  /** Most units of one level in a round, so that a crowded one does not hold up the others. */
  static final int UNITS_PER_ROUND = 512;

  /** How long a level rests after its queue could not be read. */
  static final long REST_MS = 10_000;

  private static final long WARNING_INTERVAL_MS = 10_000;

  private final ScheduleLog schedule;
  private final DelayLevels delays;
  private final Clock clock;
  private final ParkedMessage message;
  private final List<LevelProgress> levels = new ArrayList<>();
  private final List<Taken> taken = new ArrayList<>();
  private final RepeatedWarning notStored;

  private DataVersion version;
  private boolean moved;
  private int firstLevel;

  /**
   * @param storeHost the broker's advertised address as a record has it
   */
  DelayedDelivery(ScheduleLog schedule, DelayLevels delays, byte[] storeHost, Clock clock, Optional<DelayOffsetsFile> stored) {
    this.schedule = schedule;
    this.delays = delays;
    this.clock = clock;
    message = new ParkedMessage(storeHost);
    notStored = new RepeatedWarning(clock, WARNING_INTERVAL_MS);
    version = stored.map(DelayOffsetsFile::version).orElse(DataVersion.INITIAL);
    Map<Integer, Long> nextByLevel = stored.map(DelayOffsetsFile::nextByLevel).orElse(Map.of());
    for (int level = 1; level <= Math.max(delays.max(), LEAST_LEVELS); level++) {
      levels.add(new LevelProgress(level, nextByLevel.getOrDefault(level, 0L)));
    }
  }

  /**
   * Collects what is due now. Afterwards either the batch holds records and must come back through {@link #settle}, or it is empty.
   *
   * @return whether there is more that is due
   */
  boolean fill(AppendBatch batch) {
    taken.clear();
    boolean more = false;
    for (int i = 0; i < levels.size(); i++) {
      LevelProgress level = levels.get((firstLevel + i) % levels.size());
      long end = schedule.maxOffset(level.level());
      if (isConfigured(level)) {
        level.seen(end, monotonicMs(), delays.delayMs(level.level()));
      }
      more |= !level.pausedAt(monotonicMs()) && fill(batch, level, end);
    }
    firstLevel = (firstLevel + 1) % levels.size();
    return more;
  }

  /**
   * Takes in what became of the records of the last {@link #fill}. Those that were not stored are collected again by the next one.
   *
   * @return whether none is left to be tried again
   */
  boolean settle(AppendBatch batch) {
    int left = 0;
    for (int i = 0; i < taken.size(); i++) {
      Taken one = taken.get(i);
      switch (batch.status(i)) {
        case STORED -> done(one.level, one.queueOffset);
        case ILLEGAL -> passOver(one.level, one.queueOffset, one.phyOffset, batch.detail(i));
        case UNAVAILABLE, FAILED -> {
          one.level.failed(one.queueOffset);
          left++;
          if (notStored.due()) {
            log.warn("a delayed message was not stored and will be tried again level={} queueOffset={} detail={} suppressed={}",
                one.level.level(), one.queueOffset, batch.detail(i), notStored.takeSuppressed());
          }
        }
      }
    }
    taken.clear();
    return left == 0;
  }

  /** Whether any progress was made since the last call. */
  boolean takeMoved() {
    boolean before = moved;
    moved = false;
    return before;
  }

  /** What goes to the file. */
  DelayOffsetsFile file() {
    Map<Integer, Long> nextByLevel = new TreeMap<>();
    for (LevelProgress level : levels) {
      if (level.next() > 0) {
        nextByLevel.put(level.level(), level.next());
      }
    }
    return new DelayOffsetsFile(version, nextByLevel);
  }

  private boolean fill(AppendBatch batch, LevelProgress level, long max) {
    if (level.next() == max) {
      return false;
    }
    LevelRound round = new LevelRound(batch, level);
    try {
      stayWithinQueue(level, max);
      schedule.forEachUnit(level.level(), level.cursor(), round);
    } catch (StoreException failure) {
      log.error("a delay level cannot be read and rests level={} queueOffset={} restMs={}",
          level.level(), level.cursor(), REST_MS, failure);
      level.pauseUntil(monotonicMs() + REST_MS);
    }
    return round.more;
  }

  private void stayWithinQueue(LevelProgress level, long max) {
    long min = schedule.minOffset(level.level());
    if (level.next() < min || level.next() > max) {
      long to = level.next() < min ? min : max;
      log.warn("the progress of a delay level is outside its queue, it goes on inside level={} queueOffset={} min={} max={} to={}",
          level.level(), level.next(), min, max, to);
      level.moveTo(to);
      changed();
    }
  }

  /** Whether the time of a message has come, or would have, had the clock not been set back. */
  private boolean due(LevelProgress level, long queueOffset, long deliverAtMs) {
    return deliverAtMs <= clock.millis()
        || isConfigured(level) && level.hasWaited(queueOffset, delays.delayMs(level.level()), monotonicMs());
  }

  /** Whether the delay of the level is known; that of a level from an earlier configuration is not. */
  private boolean isConfigured(LevelProgress level) {
    return level.level() <= delays.max();
  }

  /** Puts one message into the batch or passes it over; false when the batch is full. */
  private boolean take(AppendBatch batch, LevelProgress level, long queueOffset, long phyOffset) {
    Optional<? extends SharedBytes> record = schedule.record(phyOffset);
    if (record.isEmpty()) {
      passOver(level, queueOffset, phyOffset, "no sound record is there");
      return true;
    }
    try {
      String fault = message.read(record.get().bytes());
      if (!fault.isEmpty()) {
        passOver(level, queueOffset, phyOffset, fault);
        return true;
      }
      int size = message.size();
      if (!batch.reserve(size)) {
        return false;
      }
      message.writeTo(batch.bytes(), batch.end());
      batch.add(message.target(), size);
      taken.add(new Taken(level, queueOffset, phyOffset));
      return true;
    } finally {
      record.get().release();
    }
  }

  private void passOver(LevelProgress level, long queueOffset, long phyOffset, String fault) {
    log.error("a delayed message cannot be delivered and is passed over level={} queueOffset={} phyOffset={} fault={}",
        level.level(), queueOffset, phyOffset, fault);
    done(level, queueOffset);
  }

  private void done(LevelProgress level, long queueOffset) {
    if (level.done(queueOffset)) {
      changed();
    }
  }

  private void changed() {
    version = version.next(clock.millis());
    moved = true;
  }

  private long monotonicMs() {
    return clock.nanos() / 1_000_000;
  }

  /** A record of the batch in flight: where it was parked. */
  private record Taken(LevelProgress level, long queueOffset, long phyOffset) {}

  /** Walks over the due units of one level. */
  private final class LevelRound implements ScheduleLog.UnitReader {
    private final AppendBatch batch;
    private final LevelProgress level;
    private int units;
    private boolean more;

    LevelRound(AppendBatch batch, LevelProgress level) {
      this.batch = batch;
      this.level = level;
    }

    @Override
    public boolean unit(long queueOffset, long phyOffset, long deliverAtMs) {
      if (!level.isDone(queueOffset) && !deliver(queueOffset, phyOffset, deliverAtMs)) {
        return false;
      }
      level.taken();
      more = ++units == UNITS_PER_ROUND;
      return !more;
    }

    private boolean deliver(long queueOffset, long phyOffset, long deliverAtMs) {
      if (phyOffset < 0) {
        done(level, queueOffset);
        return true;
      }
      if (!due(level, queueOffset, deliverAtMs)) {
        return false;
      }
      more = !take(batch, level, queueOffset, phyOffset);
      return !more;
    }
  }
}
