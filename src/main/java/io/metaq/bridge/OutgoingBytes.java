package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/**
 * How much of what is written to subscribers the network has not taken yet, over all connections. {@link Room} bounds it for each of them;
 * of large messages that would be too much for all together. A message for which there is no room waits, and its reader reads no further,
 * until those before it in the row have had theirs. Small ones need not wait for large ones: a quarter is theirs alone.
 */
@OwnedBy("BridgeVerticle")
final class OutgoingBytes {
  /** Up to here a message is a small one. */
  static final long SMALL_BYTES = 16 << 10;
  private static final int SMALL_PARTS = 4;

  private final long bound;
  private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
  private long held;
  private boolean letting;

  OutgoingBytes(long bound) {
    this.bound = bound;
  }

  /** One reading, which takes room for its messages one after the other. */
  @OwnedBy("BridgeVerticle")
  final class Turn {
    private final Runnable onRoom;
    private long wanted;
    private long reserved;

    private Turn(Runnable onRoom) {
      this.onRoom = onRoom;
    }

    /** Whether a message of it waits for room. */
    boolean waits() {
      return wanted > 0;
    }

    /**
     * Room for a message that is about to be written; {@link OutgoingBytes#release} gives it back.
     *
     * @param mayWait false for who has something unwritten: it asks again when that is taken
     * @return false when there is none; if it waits, it is told once there is, and that is kept for it
     */
    boolean take(long bytes, boolean mayWait) {
      if (waits()) {
        return false;
      }
      // What comes in its turn may be another message than the one that was refused.
      if (reserved > 0 || (bytes <= SMALL_BYTES || waiting.isEmpty()) && fits(bytes)) {
        held += bytes - reserved;
        reserved = 0;
        return true;
      }
      if (mayWait) {
        wanted = bytes;
        waiting.add(this);
      }
      return false;
    }

    /** It wants none now, and what was kept for it is for others. */
    void forgo() {
      waiting.remove(this);
      wanted = 0;
      long kept = reserved;
      reserved = 0;
      release(kept);
    }
  }

  /** @param onRoom called when there is room for the message that was refused last */
  Turn turn(Runnable onRoom) {
    return new Turn(onRoom);
  }

  /** The network has taken a message, or never will. */
  void release(long bytes) {
    held -= bytes;
    letIn();
  }

  /** Whether somebody waits. */
  boolean isShort() {
    return !waiting.isEmpty();
  }

  /** A message of any size fits where there is nothing else: else it would never come. */
  private boolean fits(long bytes) {
    return held == 0 || held + bytes <= (bytes <= SMALL_BYTES ? bound : bound - bound / SMALL_PARTS);
  }

  /** One after the other, also when those who are let in give some back at once. */
  private void letIn() {
    if (letting) {
      return;
    }
    letting = true;
    try {
      while (!waiting.isEmpty() && fits(waiting.peek().wanted)) {
        Turn first = waiting.poll();
        first.reserved = first.wanted;
        first.wanted = 0;
        held += first.reserved;
        first.onRoom.run();
      }
    } finally {
      letting = false;
    }
  }

  long bound() {
    return bound;
  }

  long held() {
    return held;
  }
}
