package io.metaq.bridge;

import io.metaq.model.OwnedBy;

/**
 * How many messages may still be brought for one subscriber: as many as it gave credit for, as long as the network takes what was written.
 * So what waits for a slow reader is bounded by a few messages.
 */
@OwnedBy("BridgeVerticle")
final class Room {
  /** Messages written and not yet taken by the network. */
  private static final int WINDOW = 16;
  private static final long WINDOW_BYTES = 256 << 10;
  /** More is the same as all. */
  private static final long MOST_CREDIT = 1L << 40;

  private long credit;
  private int unwritten;
  private long unwrittenBytes;

  Room(long credit) {
    this.credit = credit;
  }

  void add(long more) {
    credit = Math.min(MOST_CREDIT, credit + more);
  }

  /** Messages it would take now. */
  long free() {
    return unwrittenBytes >= WINDOW_BYTES ? 0 : Math.max(0, Math.min(credit, WINDOW - unwritten));
  }

  /** A message of so many bytes is being written. */
  void writing(long bytes) {
    credit--;
    unwritten++;
    unwrittenBytes += bytes;
  }

  /** The network has taken one, or never will. */
  void written(long bytes) {
    unwritten--;
    unwrittenBytes -= bytes;
  }
}
