package io.metaq.bridge;

/**
 * Times and bounds of a bridge.
 *
 * @param commentMs between comment lines of an event stream
 * @param pingMs between pings of a WebSocket
 * @param silentMs a WebSocket that says nothing for so long is dropped
 * @param stalledMs a reader that takes nothing of what was written for so long is dropped
 * @param requestMs a request that has not come whole for so long, or none, ends its connection
 * @param leaseMs a message that is neither acknowledged nor sent back for so long is given to another
 * @param maxWaitMs longest wait of a pull
 * @param maxSubscriptions of one WebSocket
 * @param idempotencyWindowMs how long an Idempotency-Key is remembered
 */
public record BridgeLimits(
    long commentMs,
    long pingMs,
    long silentMs,
    long stalledMs,
    long requestMs,
    long leaseMs,
    long maxWaitMs,
    int maxSubscriptions,
    long idempotencyWindowMs) {
  private static final long SECOND_MS = 1_000;
  private static final long DAY_MS = 86_400 * SECOND_MS;

  /** As the contract has them. */
  public static BridgeLimits standard() {
    return new BridgeLimits(
        15 * SECOND_MS, 20 * SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, 256, DAY_MS);
  }

  /** The same with another lease. */
  public BridgeLimits withLeaseMs(long leaseMs) {
    return new BridgeLimits(commentMs, pingMs, silentMs, stalledMs, requestMs, leaseMs, maxWaitMs, maxSubscriptions, idempotencyWindowMs);
  }
}
