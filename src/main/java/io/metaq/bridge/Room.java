package io.metaq.bridge;

import io.metaq.model.OwnedBy;

/**
 * How many messages may still be brought for one subscriber: as many as it gave credit for, as long as the network takes what was
 * written. So what waits for a slow reader is bounded by a few messages; by fewer, where they have been large.
 */
@OwnedBy("BridgeVerticle")
final class Room {
  /** Messages written and not yet taken by the network. */
  private static final int WINDOW = 16;
  private static final long WINDOW_BYTES = 256 << 10;
  private static final int FORGETTING_SHIFT = 4;
  /** More is the same as all. */
  private static final long MOST_CREDIT = 1L << 40;

  private long credit;
  private int unwritten;
  private long unwrittenBytes;
  /** What the next one may have: as much as the largest before it, which is forgotten little by little. */
  private long expectedBytes = WINDOW_BYTES / WINDOW;

  Room(long credit) {
    this.credit = credit;
  }

  void add(long more) {
    credit = Math.min(MOST_CREDIT, credit + more);
  }

  /** Messages it would take now. */
  long free() {
    if (unwrittenBytes >= WINDOW_BYTES) {
      return 0;
    }
    long fitting = Math.max(1, (WINDOW_BYTES - unwrittenBytes) / expectedBytes);
    return Math.max(0, Math.min(credit, Math.min(WINDOW - unwritten, fitting)));
  }

  /** A message of so many bytes is being written. */
  void writing(long bytes) {
    credit--;
    unwritten++;
    unwrittenBytes += bytes;
    expectedBytes = Math.max(bytes, expectedBytes - (expectedBytes >> FORGETTING_SHIFT));
  }

  /** The network has taken one, or never will. */
  void written(long bytes) {
    unwritten--;
    unwrittenBytes -= bytes;
  }
}
