package io.metaq.codec.pop;

import io.metaq.codec.remoting.HeaderException;

/**
 * How a popped message is named until it is acknowledged: the {@code extraInfo} of requests, property {@code POP_CK} of a message.
 * Fields in decimal, separated by blanks; the first seven name the check point, the last the message in it. A proxy adds a ninth.
 *
 * <pre>
 *   startOffset popTime invisibleTime reviveQueueId retry brokerName queueId queueOffset
 *   100 1700000000000 60000 3 0 broker-a 2 103
 * </pre>
 *
 * <p>{@code retry} is 0 for the topic itself and 1 for the group's retry topic of it.
 *
 * @param startOffset queue offset at which the pop began to read
 * @param popTimeMs when it was popped, by the broker's clock
 * @param invisibleMs for how long nobody else gets it
 * @param reviveQueueId queue of the revive log that has its check point; {@link #ORDERED} for an ordered pop, which has none
 */
public record PopHandle(long startOffset, long popTimeMs, long invisibleMs, int reviveQueueId) {
  /** In place of a queue of the revive log: popped in order. */
  public static final int ORDERED = 999;

  /** Fields that an acknowledgement needs: it names queue and message itself. */
  private static final int NEEDED_FIELDS = 6;

  /**
   * Reads a handle; what follows the fields that count is not looked at.
   *
   * @throws HeaderException naming what is wrong
   */
  public static PopHandle parse(String text) {
    String[] fields = text.split(" ");
    if (fields.length < NEEDED_FIELDS) {
      throw new HeaderException("the handle (extraInfo) has " + fields.length + " fields, it needs " + NEEDED_FIELDS
          + " or more: '" + text + "'");
    }
    try {
      return new PopHandle(
          Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]), Integer.parseInt(fields[3]));
    } catch (NumberFormatException notOne) {
      throw new HeaderException("the handle (extraInfo) is not readable: '" + text + "'");
    }
  }

  public boolean ordered() {
    return reviveQueueId == ORDERED;
  }

  /** The handle of one message. */
  public String text(boolean retry, String brokerName, int queueId, long queueOffset) {
    return startOffset + " " + popTimeMs + " " + invisibleMs + " " + reviveQueueId + (retry ? " 1 " : " 0 ") + brokerName + " "
        + queueId
        + " " + queueOffset;
  }
}
