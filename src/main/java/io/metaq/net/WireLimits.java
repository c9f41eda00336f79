package io.metaq.net;

import java.util.concurrent.TimeUnit;

/** What one connection may hold and for how long; the same for both directions. See {@link RemotingServerOptions}. */
record WireLimits(int maxFrameBytes, long idleTimeoutMs, int unsentLimitBytes, long stalledTimeoutMs) {
  static final int MAX_FRAME_BYTES = 16 * 1024 * 1024;
  static final long IDLE_TIMEOUT_MS = 120_000;

  long idleTimeoutNs() {
    return TimeUnit.MILLISECONDS.toNanos(idleTimeoutMs);
  }

  long stalledTimeoutNs() {
    return TimeUnit.MILLISECONDS.toNanos(stalledTimeoutMs);
  }
}
