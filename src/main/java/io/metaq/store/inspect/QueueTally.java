package io.metaq.store.inspect;

import io.metaq.model.OwnedBy;

/** The messages of one queue as the commit log has them. */
@OwnedBy("whoever inspects")
final class QueueTally {
  private long first = -1;
  private long last = -1;
  private long count;

  /** Counts one message; returns how many numbers lie between it and the one before, below 0 when it goes back. */
  long add(long queueOffset) {
    long gap = first < 0 ? 0 : queueOffset - last - 1;
    first = first < 0 ? queueOffset : first;
    last = Math.max(last, queueOffset);
    count++;
    return gap;
  }

  /** Number of the first message; -1 when there is none. */
  long first() {
    return first;
  }

  /** The number after the last message's. */
  long next() {
    return last + 1;
  }

  /** Numbers between the first and the last that have no message. */
  long missing() {
    return first < 0 ? 0 : Math.max(0, next() - first - count);
  }
}
