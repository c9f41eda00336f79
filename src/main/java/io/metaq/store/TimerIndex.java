package io.metaq.store;

import io.metaq.codec.store.TimerSlot;
import io.metaq.codec.store.TimerUnit;
import io.metaq.model.OwnedBy;
import io.metaq.store.TimerWheel.Slot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Which messages wait for which second: the files {@code timerwheel} and {@code timerlog/}, in RocketMQ's form. Nothing of it is
 * kept in memory but what was added since the last {@link #write}; the order of writing - units, then slots - lets {@link
 * #recover} bring the wheel up to date after the end of the process at any moment, and after a power cut.
 */
@OwnedBy("TimerVerticle")
public final class TimerIndex {
  /**
   * How many units, and how many slots, a start compares: enough to see that a file is another. Each unit takes a look at its record,
   * which after a restart is mostly in memory; from a cold disk it is a read.
   */
  static final int COMPARED = 8_192;

  private final int slotMs;
  private final TimerLog log;
  private final TimerWheel wheel;
  private final Map<Long, Slot> changed = new HashMap<>();
  private final TimerEntry scanned = new TimerEntry();
  /** Set by whatever thread forces. */
  private final AtomicBoolean forceFailed = new AtomicBoolean();

  /** Takes units. */
  public interface Reader {
    void unit(TimerEntry unit);
  }

  private TimerIndex(int slotMs, TimerLog log, TimerWheel wheel) {
    this.slotMs = slotMs;
    this.log = log;
    this.wheel = wheel;
  }

  /** Whether the folder of a store has any of the files. */
  public static boolean isIn(Path root) {
    return Files.exists(wheelIn(root)) || Files.exists(logIn(root));
  }

  /**
   * Whether the files are as long as they were when something was noted of them: what is missing would be made anew, empty.
   *
   * @param logPos the place up to which the timer log was noted to be on the disk
   */
  public static boolean isWhole(Path root, long logPos) throws IOException {
    Path wheel = wheelIn(root);
    return Files.isRegularFile(wheel) && Files.size(wheel) >= TimerSlot.FILE_SIZE && TimerLog.endIn(logIn(root)) >= logPos;
  }

  /**
   * Opens the files, or makes them; {@link #recover} is next.
   *
   * @param logFileSize bytes of one file of the timer log; fixed for a store's life
   * @param slotMs width of a slot; fixed for a store's life
   * @throws StoreException when they cannot be opened, with a sentence that names what is wrong
   */
  public static TimerIndex open(Path root, int logFileSize, int slotMs, Disk disk) {
    try {
      TimerLog log = TimerLog.open(disk, logIn(root), logFileSize);
      try {
        return new TimerIndex(slotMs, log, TimerWheel.open(disk, wheelIn(root)));
      } catch (IOException | RuntimeException failure) {
        log.close();
        throw failure;
      }
    } catch (IOException failure) {
      throw new StoreException("the timers' files in " + root + " cannot be opened: " + failure.getMessage(), failure);
    }
  }

  /** Puts the files aside into the folder {@code damaged}, to be made anew. */
  public static void putAside(Path root, String mark, Disk disk) throws IOException {
    disk.makeFolder(root.resolve("damaged"));
    for (Path path : List.of(wheelIn(root), logIn(root))) {
      if (Files.exists(path)) {
        disk.move(path, aside(root, path, mark));
      }
    }
    disk.forceNames(root);
  }

  /** Whether files were put aside with a mark before. */
  public static boolean isAside(Path root, String mark) {
    return Files.exists(aside(root, wheelIn(root), mark)) || Files.exists(aside(root, logIn(root), mark));
  }

  private static Path aside(Path root, Path path, String mark) {
    return root.resolve("damaged").resolve(path.getFileName() + "." + mark);
  }

  private static Path wheelIn(Path root) {
    return root.resolve("timerwheel");
  }

  private static Path logIn(Path root) {
    return root.resolve("timerlog");
  }

  /** The beginning of the slot that a moment falls into, ms. */
  public long slotOf(long timeMs) {
    return timeMs - Math.floorMod(timeMs, (long) slotMs);
  }

  /** How far ahead of the first slot in use a moment may lie, ms: the turn of the wheel, less a margin. */
  public long spanMs() {
    return (long) (TimerSlot.COUNT - TimerSlot.COUNT / 14) * slotMs;
  }

  /**
   * Finds where the units end, and brings the wheel up to date with them. A slot that knows units which are not there, because a
   * power cut took them, gets those that are.
   *
   * @param from a place in the timer log up to which everything was on the disk
   * @param readTimeMs slots before this one are of no interest
   * @param sound whether a unit behind {@code from} belongs to a message that is there
   */
  public void recover(long from, long readTimeMs, Predicate<TimerEntry> sound) throws IOException {
    long end = log.scan(from, Long.MAX_VALUE, scanned, unit -> sound.test(unit) && known(unit));
    log.cutAt(end);
    repair(end, stepOf(readTimeMs));
    write();
  }

  /**
   * Whether what was noted to be on the disk is there, as far as a start can look: the newest units, each known to its slot, and
   * the first slots in use, each with a unit of its own as the newest. What lies deeper shows when it is read. Before {@link
   * #recover}.
   *
   * @param logPos the place up to which the timer log was noted to be on the disk
   * @param readTimeMs slots before this one are of no interest
   * @param sound whether a unit belongs to a message that is there, or was
   */
  public boolean fits(long logPos, long readTimeMs, Predicate<TimerEntry> sound) throws IOException {
    long fromStep = stepOf(readTimeMs);
    long passed = log.scan(log.before(logPos, COMPARED), logPos, scanned,
        unit -> sound.test(unit) && (unit.isCopy() || stepOf(unit.timeMs()) < fromStep || isKnown(unit)));
    return passed >= logPos && slotsFit(logPos, fromStep);
  }

  /** A slot that was emptied knows none of its units any more; one with copies names a later place. */
  private boolean isKnown(TimerEntry unit) throws IOException {
    long step = stepOf(unit.timeMs());
    Slot slot = wheel.read(step);
    return !wheel.lacks(step) && (slot.last() == TimerUnit.NONE || slot.last() >= unit.place());
  }

  private boolean slotsFit(long logPos, long fromStep) throws IOException {
    int[] compared = {0};
    boolean[] fit = {true};
    wheel.forEach(fromStep, slot -> {
      if (fit[0] && slot.last() != TimerUnit.NONE && compared[0]++ < COMPARED) {
        fit[0] = slotFits(slot, logPos);
      }
    });
    return fit[0];
  }

  /** What is in front of the log's beginning was deleted, and what is behind the note is looked at by {@link #recover}. */
  private boolean slotFits(Slot slot, long logPos) throws IOException {
    long last = slot.last();
    if (last < 0 || wheel.read(slot.step()).last() != last) {
      return false;
    }
    return last < log.begin() || last >= logPos
        || log.scan(last, last + 1, scanned, unit -> stepOf(unit.timeMs()) == slot.step()) == last + TimerUnit.SIZE;
  }

  /**
   * The beginning of the first slot that a unit behind {@code from} was added to; the greatest number when there is none. Before
   * {@link #recover}.
   *
   * @param sound as there
   */
  public long earliestBehind(long from, Predicate<TimerEntry> sound) throws IOException {
    long[] earliestMs = {Long.MAX_VALUE};
    log.scan(from, Long.MAX_VALUE, scanned, unit -> {
      boolean goesOn = sound.test(unit);
      if (goesOn && !unit.isCopy()) {
        earliestMs[0] = Math.min(earliestMs[0], slotOf(unit.timeMs()));
      }
      return goesOn;
    });
    return earliestMs[0];
  }

  /** Sees to it that the wheel has a unit which stands in the log. */
  private boolean known(TimerEntry unit) throws IOException {
    if (changed.size() >= TimerLog.PENDING_UNITS) {
      write();
    }
    Slot slot = slot(stepOf(unit.timeMs()));
    if (slot.last() < unit.place() && !unit.isCopy()) {
      slot.add(unit.place(), unit.weight());
    }
    return true;
  }

  private void repair(long end, long fromStep) throws IOException {
    Map<Long, Slot> beyond = new HashMap<>();
    long[] first = {end};
    wheel.forEach(fromStep, slot -> {
      if (slot.last() >= end) {
        beyond.put(slot.step(), slot);
        first[0] = Math.min(first[0], Math.max(log.begin(), slot.first()));
      }
    });
    if (!beyond.isEmpty()) {
      Map<Long, Slot> left = new HashMap<>();
      beyond.keySet().forEach(step -> left.put(step, Slot.empty(step)));
      log.scan(first[0], end, scanned, unit -> {
        Slot slot = left.get(stepOf(unit.timeMs()));
        if (slot != null && isNext(unit, slot, beyond.get(slot.step()).first())) {
          slot.add(unit.place(), unit.weight());
        }
        return true;
      });
      changed.putAll(left);
    }
  }

  /**
   * Whether a unit goes on with a chain that begins at {@code first}. Copies do when the slot named them; those of a rewriting that was
   * not finished are a chain of their own, and so are the units that copies took the place of.
   */
  private boolean isNext(TimerEntry unit, Slot chain, long first) {
    if (chain.last() != TimerUnit.NONE) {
      return unit.previous() == chain.last();
    }
    boolean firstDeleted = first < log.begin() && unit.previous() >= first && unit.previous() < log.begin();
    return unit.place() == first || firstDeleted;
  }

  /** Place behind the last unit. */
  public long end() {
    return log.end();
  }

  /**
   * What waits.
   *
   * @param firstMs beginning of the first slot that has units
   * @param count messages
   */
  public record Waiting(OptionalLong firstMs, long count) {}

  /** What waits in slots that begin at {@code fromMs} or later. */
  public Waiting waitingFrom(long fromMs) throws IOException {
    long[] found = {Long.MAX_VALUE, 0};
    wheel.forEach(stepOf(fromMs), slot -> {
      if (slot.last() != TimerUnit.NONE) {
        found[0] = Math.min(found[0], slot.step());
        found[1] += Math.max(0, slot.units());
      }
    });
    return new Waiting(found[0] == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(found[0] * slotMs), found[1]);
  }

  /**
   * The beginning of the first slot, from that of {@code timeMs} on, whose place in the wheel is free; {@code endMs} or a later one
   * when none before it is. When a clock was set back by weeks, units of the next turn may stand in a place, and would be lost by a
   * unit of this one.
   */
  public long firstFree(long timeMs, long endMs) throws IOException {
    long step = stepOf(timeMs);
    if (changed.containsKey(step) || wheel.firstFree(step, step + 1) == step) {
      return slotOf(timeMs);
    }
    return wheel.firstFree(step + 1, Math.max(step + 1, stepOf(endMs))) * slotMs;
  }

  /**
   * Adds a unit to the slot of its moment, which must be {@link #firstFree free}; it counts when {@link #write} has returned.
   *
   * @throws IOException when there is no room; nothing was added then
   */
  public void add(TimerEntry unit) throws IOException {
    if (log.full()) {
      write();
    }
    Slot slot = slot(stepOf(unit.timeMs()));
    log.append(unit, slot.last());
    slot.add(unit.place(), unit.weight());
  }

  /** Writes what was added, units first; when it fails it is to be called again before anything else. */
  public void write() throws IOException {
    log.write();
    while (!changed.isEmpty()) {
      Slot slot = changed.values().iterator().next();
      wheel.write(slot);
      changed.remove(slot.step());
    }
  }

  /** Whether all that was added is in the files; only then may it be noted as taken up. */
  public boolean isWritten() {
    return changed.isEmpty() && log.isWritten();
  }

  /** Empties the slots that begin in {@code [fromMs, toMs)}: what is in them is over. Before {@link #recover}, or when all is written. */
  public void clear(long fromMs, long toMs) throws IOException {
    write();
    long to = stepOf(toMs);
    wheel.forEach(stepOf(fromMs), slot -> {
      if (slot.step() < to) {
        wheel.write(Slot.empty(slot.step()));
      }
    });
  }

  /** Reads a unit that was written; false when there is none. */
  public boolean read(long place, TimerEntry unit) {
    return log.read(place, unit);
  }

  /**
   * Shows the units of a slot, the newest first; all of them written.
   *
   * @return false when the chain is damaged, so that there may be older ones which were not shown
   */
  public boolean forEach(long slotStartMs, TimerEntry unit, Reader reader) throws IOException {
    long step = stepOf(slotStartMs);
    long at = wheel.read(step).last();
    while (at != TimerUnit.NONE && log.read(at, unit) && stepOf(unit.timeMs()) == step) {
      at = unit.previous();
      reader.unit(unit);
    }
    // Units in front of the log's beginning were deleted because they were over.
    return at < log.begin();
  }

  /**
   * Gives a slot a new chain of copies of some of its units, so that whoever reads the wheel next finds only them. The copies
   * count from the moment the slot names them: until then the old chain does.
   *
   * @param places of the units, in ascending order; at least one
   * @throws IOException also when {@link #forceFailed}; no copies are added then
   */
  public void rewrite(long slotStartMs, long[] places, TimerEntry unit) throws IOException {
    throwIfForceFailed();
    write();
    Slot slot = Slot.empty(stepOf(slotStartMs));
    for (long place : places) {
      if (log.read(place, unit)) {
        if (log.full()) {
          log.write();
        }
        log.append(unit.asCopy(), slot.last());
        slot.add(unit.place(), unit.weight());
      }
    }
    log.write();
    forcing().force();
    wheel.write(slot);
  }

  /** Adds a unit that no slot has, as a mark of how far messages were taken up: RocketMQ reads that from the last unit. */
  public void addMark(TimerEntry unit) throws IOException {
    write();
    log.append(unit.asCopy(), TimerUnit.NONE);
    log.write();
  }

  /**
   * What brings all that is written now to the disk; may run on another thread. When it failed once it fails for ever: the kernel may
   * have dropped what it could not write, and a later force would not say so.
   */
  public Forcing forcing() {
    List<MappedFile> files = new ArrayList<>(log.takeUnforced());
    files.add(wheel.file());
    return () -> {
      throwIfForceFailed();
      try {
        for (MappedFile file : files) {
          file.forceChannel();
        }
      } catch (IOException failure) {
        forceFailed.set(true);
        throw failure;
      }
    };
  }

  /** Whether nothing can be brought to the disk any more, until the next start. */
  public boolean forceFailed() {
    return forceFailed.get();
  }

  private void throwIfForceFailed() throws IOException {
    if (forceFailed.get()) {
      throw new IOException(
          "an earlier force of the timers' files failed; what the disk has of them is not known until the next start");
    }
  }

  /** Brings written bytes to the disk. */
  public interface Forcing {
    void force() throws IOException;
  }

  /** Deletes the oldest file of units when all of them are for slots before {@code readTimeMs}. */
  public boolean deleteOldest(long readTimeMs) throws IOException {
    return log.deleteFirst(readTimeMs, scanned);
  }

  /**
   * The beginning of the first slot from {@code slotStartMs} on that has units, or of the slot of {@code nowMs} when that is
   * earlier.
   */
  public long firstUsed(long slotStartMs, long nowMs) throws IOException {
    return wheel.firstUsed(stepOf(slotStartMs), Math.max(stepOf(slotStartMs), stepOf(nowMs))) * slotMs;
  }

  /** How many messages wait in slots from {@code fromMs} on and before {@code toMs}. */
  public long waitingBetween(long fromMs, long toMs) throws IOException {
    return wheel.unitsBetween(stepOf(fromMs), stepOf(toMs));
  }

  /** Lets go of the files. */
  public void close() {
    log.close();
    wheel.close();
  }

  private Slot slot(long step) throws IOException {
    Slot slot = changed.get(step);
    if (slot == null) {
      slot = wheel.read(step);
      changed.put(step, slot);
    }
    return slot;
  }

  private long stepOf(long timeMs) {
    return Math.floorDiv(timeMs, (long) slotMs);
  }
}
