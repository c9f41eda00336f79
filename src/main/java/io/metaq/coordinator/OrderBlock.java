package io.metaq.coordinator;

/**
 * What a group popped in order from one queue last. While a message of it is neither settled nor visible again, the queue gives
 * nothing to another attempt.
 *
 * @param attemptId who may read it again at once; empty: nobody
 * @param queueOffsets the messages, ascending; at most 64
 * @param visibleAtMs for each message when it becomes visible, where that was changed; 0 where it was not
 * @param deliveries for each message how often it was delivered before
 * @param acked a bit for each message that is settled
 * @param lastMs when it was popped
 * @param movedMs the move of the queue that the pop came after, see {@link PopQueue#movedMs}
 */
record OrderBlock(
    String attemptId, long popTimeMs, long invisibleMs, long[] queueOffsets, long[] visibleAtMs, int[] deliveries, long acked,
        long lastMs, long movedMs) {

  /** Answer to {@link #indexOf} for a message that is not in it. */
  static final int NOT_IN_IT = -1;

  /** The attempt of whoever names none. */
  static final String NO_ATTEMPT = "";

  /**
   * The block of a new pop.
   *
   * @param before what was popped last, null when nothing was: what is delivered again counts one delivery more, unless it is the
   *     same attempt
   */
  static OrderBlock popped(
      OrderBlock before, String attemptId, long popTimeMs, long invisibleMs, long[] queueOffsets, long movedMs) {
    int[] deliveries = new int[queueOffsets.length];
    if (before != null) {
      int more = before.isAttempt(attemptId) ? 0 : 1;
      for (int i = 0; i < queueOffsets.length; i++) {
        int index = before.indexOf(queueOffsets[i]);
        deliveries[i] = index == NOT_IN_IT ? 0 : before.deliveries[index] + more;
      }
    }
    return new OrderBlock(
        attemptId, popTimeMs, invisibleMs, queueOffsets, new long[queueOffsets.length], deliveries, 0, popTimeMs, movedMs);
  }

  boolean blocks(String attempt, long nowMs) {
    return !isAttempt(attempt) && nowMs < freeAtMs();
  }

  /** When the last message that is not settled becomes visible; 0 when all are settled. */
  long freeAtMs() {
    long freeAtMs = 0;
    for (int i = 0; i < queueOffsets.length; i++) {
      if (!isAcked(i)) {
        freeAtMs = Math.max(freeAtMs, visibleAtMs[i] == 0 ? popTimeMs + invisibleMs : visibleAtMs[i]);
      }
    }
    return freeAtMs;
  }

  int indexOf(long queueOffset) {
    for (int i = 0; i < queueOffsets.length; i++) {
      if (queueOffsets[i] == queueOffset) {
        return i;
      }
    }
    return NOT_IN_IT;
  }

  boolean isAcked(int index) {
    return (acked >>> index & 1) != 0;
  }

  /** Where the group stands: at the first message that is not settled, or behind the last. */
  long next() {
    for (int i = 0; i < queueOffsets.length; i++) {
      if (!isAcked(i)) {
        return queueOffsets[i];
      }
    }
    return last() + 1;
  }

  long first() {
    return queueOffsets[0];
  }

  long last() {
    return queueOffsets[queueOffsets.length - 1];
  }

  OrderBlock withAcked(int index) {
    return new OrderBlock(
        attemptId, popTimeMs, invisibleMs, queueOffsets, visibleAtMs, deliveries, acked | 1L << index, lastMs, movedMs);
  }

  OrderBlock withVisibleAt(int index, long timeMs) {
    long[] changed = visibleAtMs.clone();
    changed[index] = timeMs;
    return new OrderBlock(attemptId, popTimeMs, invisibleMs, queueOffsets, changed, deliveries, acked, lastMs, movedMs);
  }

  private boolean isAttempt(String attempt) {
    return !attemptId.isEmpty() && attemptId.equals(attempt);
  }
}
