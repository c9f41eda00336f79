package io.metaq.coordinator.api;

/**
 * A client says something of messages it has popped, all of one check point.
 *
 * @param topic where they were popped, the group's retry topic perhaps
 * @param startOffset that of their handle, as are {@code popTimeMs} and {@code reviveQueueId}
 * @param queueOffsets which messages
 * @param invisibleMs {@link #ACK}: they are settled; else they are to stay invisible for so long from now on, which may be no time
 * @param suspended whether their next delivery does not count as another attempt
 */
public record SettleRequest(
    String group,
    String topic,
    int queueId,
    long startOffset,
    long popTimeMs,
    int reviveQueueId,
    long[] queueOffsets,
    long invisibleMs,
    boolean suspended) {
  /** In place of a time. */
  public static final long ACK = -1;

  public boolean ack() {
    return invisibleMs == ACK;
  }
}
