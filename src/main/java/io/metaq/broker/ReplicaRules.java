package io.metaq.broker;

/**
 * What a message that waits needs of slaves before it is answered as stored.
 *
 * @param needed slaves that must have it; 0 = none is waited for
 * @param timeoutMs after so long it is answered FLUSH_SLAVE_TIMEOUT ({@code slaveTimeout})
 * @param mostBehindBytes slaves further behind are not waited for: SLAVE_NOT_AVAILABLE at once ({@code haMaxGapNotInSync})
 */
public record ReplicaRules(int needed, long timeoutMs, long mostBehindBytes) {
  /** A broker that waits for no slave. */
  public static final ReplicaRules NONE = new ReplicaRules(0, 0, 0);

  /**
   * Whether waiting is hopeless.
   *
   * @param inSyncOffset what enough slaves have, -1 when too few are connected
   * @param endOffset log position behind the message
   */
  boolean outOfReach(long inSyncOffset, long endOffset) {
    return inSyncOffset < 0 || endOffset - inSyncOffset > mostBehindBytes;
  }
}
