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
 * @param maxConnections at a time; those over it are refused
 * @param maxIncomingBytes of requests that are in hand, over all connections
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
    int maxConnections,
    long maxIncomingBytes,
    long idempotencyWindowMs) {
  private static final long SECOND_MS = 1_000;
  private static final long DAY_MS = 86_400 * SECOND_MS;
  /** Of an idle WebSocket, with what the HTTP server keeps for it: some 10 KiB. */
  private static final long CONNECTION_BYTES = 12 << 10;
  private static final int HEAP_PARTS = 4;
  private static final int INCOMING_PARTS = 8;

  /** As the contract has them. */
  public static BridgeLimits standard() {
    return new BridgeLimits(
        15 * SECOND_MS, 20 * SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, 256,
        connectionsOf(Runtime.getRuntime().maxMemory()), Runtime.getRuntime().maxMemory() / INCOMING_PARTS, DAY_MS);
  }

  /** The same with another lease. */
  public BridgeLimits withLeaseMs(long leaseMs) {
    return new BridgeLimits(commentMs, pingMs, silentMs, stalledMs, requestMs, leaseMs, maxWaitMs, maxSubscriptions, maxConnections,
        maxIncomingBytes, idempotencyWindowMs);
  }

  /** The same with another bound of connections. */
  public BridgeLimits withMaxConnections(int maxConnections) {
    return new BridgeLimits(commentMs, pingMs, silentMs, stalledMs, requestMs, leaseMs, maxWaitMs, maxSubscriptions, maxConnections,
        maxIncomingBytes, idempotencyWindowMs);
  }

  /** The same with another bound of what is in hand. */
  public BridgeLimits withMaxIncomingBytes(long maxIncomingBytes) {
    return new BridgeLimits(commentMs, pingMs, silentMs, stalledMs, requestMs, leaseMs, maxWaitMs, maxSubscriptions, maxConnections,
        maxIncomingBytes, idempotencyWindowMs);
  }

  /** As many as idle in a quarter of the heap: 1,365 for each 64 MiB. */
  static int connectionsOf(long heapBytes) {
    return (int) Math.min(Integer.MAX_VALUE, heapBytes / HEAP_PARTS / CONNECTION_BYTES);
  }
}
