package io.metaq.replication;

import io.metaq.model.OwnedBy;

/** Lets so many bytes a second pass: what a second allows, at most, is saved up. */
@OwnedBy("the session that made it")
final class FlowLimit {
  private static final double NS_PER_S = 1e9;

  private final long bytesPerS;
  private double allowedBytes;
  private long lastNs;

  /** @param bytesPerS 0 = no limit */
  FlowLimit(long bytesPerS, long nowNs) {
    this.bytesPerS = bytesPerS;
    this.allowedBytes = bytesPerS;
    this.lastNs = nowNs;
  }

  /** Whether something may be sent now. */
  boolean allows(long nowNs) {
    if (bytesPerS == 0) {
      return true;
    }
    allowedBytes = Math.min(bytesPerS, allowedBytes + (nowNs - lastNs) / NS_PER_S * bytesPerS);
    lastNs = nowNs;
    return allowedBytes > 0;
  }

  void sent(int bytes) {
    allowedBytes -= bytes;
  }
}
