package io.metaq.store;

import io.metaq.codec.store.TimerUnit;
import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;

/** A unit of the timer log, copied out or to be added. Reusable. */
@OwnedBy("whoever made it")
public final class TimerEntry {
  private long place;
  private long previous;
  private int flags;
  private long writeTimeMs;
  private long timeMs;
  private long phyOffset;
  private int recordSize;
  private int topicHash;
  private boolean copy;

  /**
   * Becomes a unit to be added.
   *
   * @param timeMs decides which slot has it; at most 24 days behind {@code writeTimeMs}
   * @param flags bits of {@link TimerUnit#ROLLED} and {@link TimerUnit#RECALLING}
   */
  public TimerEntry set(long timeMs, long writeTimeMs, int flags, long phyOffset, int recordSize, int topicHash) {
    this.timeMs = timeMs;
    this.writeTimeMs = writeTimeMs;
    this.flags = flags | TimerUnit.KEPT;
    this.phyOffset = phyOffset;
    this.recordSize = recordSize;
    this.topicHash = topicHash;
    copy = false;
    return this;
  }

  /** Becomes a copy of the unit it is, which counts only when its slot names it. */
  TimerEntry asCopy() {
    copy = true;
    return this;
  }

  /** Place in the timer log. */
  public long place() {
    return place;
  }

  /** The moment whose slot has it. */
  public long timeMs() {
    return timeMs;
  }

  public long phyOffset() {
    return phyOffset;
  }

  public int recordSize() {
    return recordSize;
  }

  /** Whether it is stored anew at its moment. */
  public boolean rolled() {
    return (flags & TimerUnit.ROLLED) != 0;
  }

  /** Whether it takes another one back. */
  public boolean recalling() {
    return (flags & TimerUnit.RECALLING) != 0;
  }

  /** By how many it changes what its slot counts. */
  int weight() {
    return recalling() ? -1 : 1;
  }

  long previous() {
    return previous;
  }

  /** Whether it counts only when its slot names it. */
  public boolean isCopy() {
    return copy;
  }

  /** Reads the unit at {@code at}; false when none stands there. */
  boolean read(ByteBuffer bytes, int at, long unitPlace) {
    place = unitPlace;
    previous = bytes.getLong(at + TimerUnit.PREVIOUS);
    flags = bytes.getInt(at + TimerUnit.FLAGS);
    writeTimeMs = bytes.getLong(at + TimerUnit.WRITE_TIME);
    timeMs = writeTimeMs + bytes.getInt(at + TimerUnit.DELAY);
    phyOffset = bytes.getLong(at + TimerUnit.PHY_OFFSET);
    recordSize = bytes.getInt(at + TimerUnit.RECORD_SIZE);
    topicHash = bytes.getInt(at + TimerUnit.TOPIC_HASH);
    copy = bytes.getLong(at + TimerUnit.COPY) != 0;
    return bytes.getInt(at) == TimerUnit.SIZE && (flags | TimerUnit.ANY_FLAG) == TimerUnit.ANY_FLAG && flags != 0
        && previous >= TimerUnit.NONE && previous < place && timeMs > 0 && phyOffset >= 0;
  }

  /** Takes its place in the log and in a chain, and appends its bytes. */
  void append(ByteBuffer bytes, long unitPlace, long previousPlace) {
    place = unitPlace;
    previous = previousPlace;
    bytes.putInt(TimerUnit.SIZE)
        .putLong(previous)
        .putInt(flags)
        .putLong(writeTimeMs)
        .putInt((int) (timeMs - writeTimeMs))
        .putLong(phyOffset)
        .putInt(recordSize)
        .putInt(topicHash)
        .putLong(copy ? 1 : 0);
  }
}
