package io.metaq.store;

import io.metaq.codec.store.TimerSlot;
import io.metaq.codec.store.TimerUnit;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The file {@code timerwheel}: where the chain of each slot begins and ends. Read and written by channel, so that a slot that was
 * never used costs no memory and a full disk is an {@link IOException}.
 */
@OwnedBy("TimerVerticle")
final class TimerWheel {
  private static final int BUFFER_SLOTS = 2048;

  private final MappedFile file;
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(TimerSlot.SIZE);
  private final ByteBuffer many = ByteBuffer.allocateDirect(BUFFER_SLOTS * TimerSlot.SIZE);

  /** The chain of one step. */
  @OwnedBy("TimerVerticle")
  static final class Slot {
    private final long step;
    private long first;
    private long last;
    private int units;

    Slot(long step, long first, long last, int units) {
      this.step = step;
      this.first = first;
      this.last = last;
      this.units = units;
    }

    static Slot empty(long step) {
      return new Slot(step, TimerUnit.NONE, TimerUnit.NONE, 0);
    }

    long step() {
      return step;
    }

    long first() {
      return first;
    }

    /** Place of the chain's newest unit; {@link TimerUnit#NONE} when it has none. */
    long last() {
      return last;
    }

    /** How many units, fewer by one for each that takes another back. */
    int units() {
      return units;
    }

    /** A unit is the newest of the chain. */
    void add(long place, int weight) {
      first = first == TimerUnit.NONE ? place : first;
      last = place;
      units += weight;
    }
  }

  /** Takes slots that are in use. */
  interface Reader {
    void slot(Slot slot) throws IOException;
  }

  private TimerWheel(MappedFile file) {
    this.file = file;
  }

  static TimerWheel open(Disk disk, Path path) throws IOException {
    return new TimerWheel(MappedFile.open(disk, path, TimerSlot.FILE_SIZE));
  }

  /** The slot of a step, empty when nothing or another step stands in its place. */
  Slot read(long step) throws IOException {
    bytes.clear();
    file.read(placeOf(step), bytes);
    Slot slot = slotAt(bytes, 0);
    return slot.step == step ? slot : Slot.empty(step);
  }

  /** Whether the place of a step knows nothing of it: none, or an earlier one, stands there. */
  boolean lacks(long step) throws IOException {
    bytes.clear();
    file.read(placeOf(step), bytes);
    return slotAt(bytes, 0).step < step;
  }

  void write(Slot slot) throws IOException {
    bytes.clear();
    bytes.putLong(slot.step).putLong(slot.first).putLong(slot.last).putInt(slot.units).putInt(0);
    file.write(placeOf(slot.step), bytes, 0, TimerSlot.SIZE);
  }

  /** The first step of {@code [from, to)} whose slot has units, {@code to} when none has. */
  long firstUsed(long from, long to) throws IOException {
    return firstOf(from, to, (step, slot) -> slot.step == step && slot.last != TimerUnit.NONE);
  }

  /** The first step of {@code [from, to)} in whose place no later step has units, {@code to} when there is none. */
  long firstFree(long from, long to) throws IOException {
    return firstOf(from, to, (step, slot) -> slot.step <= step || slot.last == TimerUnit.NONE);
  }

  /** How many messages wait in the slots of {@code [from, to)}. */
  long unitsBetween(long from, long to) throws IOException {
    long[] sum = new long[1];
    firstOf(from, to, (step, slot) -> {
      sum[0] += slot.step == step ? Math.max(0, slot.units) : 0;
      return false;
    });
    return sum[0];
  }

  /** Says whether a step is wanted by what stands in its place, which may be of another step. */
  private interface Wish {
    boolean wants(long step, Slot inItsPlace);
  }

  /** The first step of {@code [from, to)} that is wanted, {@code to} when none is. */
  private long firstOf(long from, long to, Wish wish) throws IOException {
    long step = from;
    while (step < to) {
      int place = placeOf(step);
      int slots = (int) Math.min(Math.min(BUFFER_SLOTS, to - step), (TimerSlot.FILE_SIZE - place) / TimerSlot.SIZE);
      many.clear().limit(slots * TimerSlot.SIZE);
      file.read(place, many);
      for (int i = 0; i < slots; i++) {
        if (wish.wants(step + i, slotAt(many, i * TimerSlot.SIZE))) {
          return step + i;
        }
      }
      step += slots;
    }
    return to;
  }

  /** Shows every slot whose step is {@code fromStep} or later. */
  void forEach(long fromStep, Reader reader) throws IOException {
    for (int at = 0; at < TimerSlot.FILE_SIZE; at += many.capacity()) {
      many.clear().limit(Math.min(many.capacity(), TimerSlot.FILE_SIZE - at));
      file.read(at, many);
      for (int i = 0; i + TimerSlot.SIZE <= many.position(); i += TimerSlot.SIZE) {
        if (many.getLong(i) >= Math.max(1, fromStep)) {
          reader.slot(slotAt(many, i));
        }
      }
    }
  }

  private static Slot slotAt(ByteBuffer from, int at) {
    return new Slot(
        from.getLong(at), from.getLong(at + TimerSlot.FIRST), from.getLong(at + TimerSlot.LAST), from.getInt(at + TimerSlot.UNITS));
  }

  private static int placeOf(long step) {
    return (int) (step % TimerSlot.COUNT) * TimerSlot.SIZE;
  }

  MappedFile file() {
    return file;
  }

  void close() {
    file.release();
  }
}
