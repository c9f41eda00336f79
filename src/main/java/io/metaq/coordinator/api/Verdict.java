package io.metaq.coordinator.api;

/**
 * What a producer says of one of its half messages, as it reached a loop; nothing of it is checked yet.
 *
 * @param halfQueueOffset of the half message it means
 * @param halfPhyOffset place of that half message in the commit log
 * @param commit true to deliver the message, false to drop it
 * @param answersCheck whether the broker asked for it
 * @param messageId unique key of the message, or the id made of its place
 * @param waitingLoop loop that waits for disk or slaves before it answers; {@link #NOBODY} when none does
 */
public record Verdict(
    String group, long halfQueueOffset, long halfPhyOffset, boolean commit, boolean answersCheck, String messageId, int waitingLoop) {
  public static final int NOBODY = -1;

  /** Whether its answer has to wait until the stored message is safe. */
  public boolean waits() {
    return waitingLoop != NOBODY;
  }
}
