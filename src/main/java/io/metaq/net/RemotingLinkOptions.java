package io.metaq.net;

import io.metaq.model.Clock;

/**
 * How a {@link RemotingLink} is made.
 *
 * @param connectTimeoutMs how long the other side may take to accept
 * @param clock for all deadlines
 */
public record RemotingLinkOptions(int connectTimeoutMs, Clock clock) {
  private static final int CONNECT_TIMEOUT_MS = 3_000;
  private static final int UNSENT_LIMIT_BYTES = 4 * 1024 * 1024;
  private static final long STALLED_TIMEOUT_MS = 30_000;

  /** The protocol's limits. */
  public static RemotingLinkOptions defaults() {
    return new RemotingLinkOptions(CONNECT_TIMEOUT_MS, Clock.system());
  }

  WireLimits limits() {
    return new WireLimits(WireLimits.MAX_FRAME_BYTES, WireLimits.IDLE_TIMEOUT_MS, UNSENT_LIMIT_BYTES, STALLED_TIMEOUT_MS);
  }
}
