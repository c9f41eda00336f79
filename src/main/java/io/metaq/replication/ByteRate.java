package io.metaq.replication;

import io.metaq.model.OwnedBy;

/** How many bytes a second went by, over the last second or a little more. */
@OwnedBy("its session")
final class ByteRate {
  private static final long WINDOW_NS = 1_000_000_000;

  private long sinceNs;
  private long sincePosition;
  private long bytesPerSecond;

  ByteRate(long nowNs, long position) {
    sinceNs = nowNs;
    sincePosition = position;
  }

  /** Looks at the position, now and then. */
  void look(long nowNs, long position) {
    if (nowNs - sinceNs >= WINDOW_NS) {
      // A new beginning may lie anywhere.
      bytesPerSecond = Math.max(0, position - sincePosition) * 1_000_000_000 / (nowNs - sinceNs);
      sinceNs = nowNs;
      sincePosition = position;
    }
  }

  long bytesPerSecond() {
    return bytesPerSecond;
  }
}
