package io.metaq.coordinator;

import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.model.OwnedBy;

/**
 * One queue as one group pops it: where the next pop begins to read and, when the group pops in order, what blocks it.
 */
@OwnedBy("PopVerticle")
final class PopQueue {
  private final String group;
  private final String topic;
  private final int queueId;
  private long next = UNKNOWN;
  private long noted = UNKNOWN;
  private long seen;
  private long movedMs;
  private OrderBlock block;

  /** {@link #next} of a queue the group has no progress in. */
  static final long UNKNOWN = -1;

  PopQueue(String group, String topic, int queueId) {
    this.group = group;
    this.topic = topic;
    this.queueId = queueId;
  }

  String group() {
    return group;
  }

  /** The topic the queue belongs to: the group's retry topic perhaps. */
  String topic() {
    return topic;
  }

  int queueId() {
    return queueId;
  }

  /** Queue offset the next pop begins at. */
  long next() {
    return next;
  }

  void next(long queueOffset) {
    next = queueOffset;
    noted = Math.min(noted, next);
  }

  /** Where the last look at the queue ended, whether it moved it or not: what comes there or behind it was not seen yet. */
  long seen() {
    return seen;
  }

  void seen(long queueOffset) {
    seen = queueOffset;
  }

  /** How far the group has come when it is there. */
  GroupPlace place(long queueOffset) {
    return new GroupPlace(group, topic, queueId, queueOffset, movedMs);
  }

  /** Names the last move of the group by somebody else that is known of; 0 when there is none. */
  long movedMs() {
    return movedMs;
  }

  /** Somebody else put the group there, and has noted it. */
  void moved(long moveMs, long queueOffset) {
    begin(moveMs, queueOffset);
    noted = queueOffset;
  }

  /** What was popped in order before a move does not block any more. */
  private void begin(long moveMs, long queueOffset) {
    movedMs = moveMs;
    next(queueOffset);
    if (block != null && block.movedMs() < moveMs) {
      block = null;
    }
  }

  /**
   * Takes in, from a file or the log, how far the group had come after a move. The last move counts, whatever was reached before
   * it; of what was reached after it, the farthest.
   */
  void reached(long moveMs, long queueOffset) {
    if (moveMs > movedMs) {
      begin(moveMs, queueOffset);
    } else if (moveMs == movedMs) {
      next(Math.max(next, queueOffset));
    }
  }

  /** Whether it is known where the group stands: after a look it is, until the group or the topic is deleted. */
  boolean isKnown() {
    return next != UNKNOWN;
  }

  /** Nobody knows any more where the group stands. */
  void forget() {
    next(UNKNOWN);
    movedMs = 0;
    block = null;
  }

  /**
   * Takes a place to note as the group's progress; false when a later one is noted already, or somebody went back behind it since.
   */
  boolean note(long queueOffset) {
    if (queueOffset <= noted || queueOffset > next) {
      return false;
    }
    noted = queueOffset;
    return true;
  }

  /** What was popped in order last; null when nothing was. */
  OrderBlock block() {
    return block;
  }

  void block(OrderBlock popped) {
    block = popped;
  }

  /**
   * Whether this request gets nothing of the queue now: somebody has messages of it in order. One that does not ask in order gets
   * nothing either, for the queue still stands in front of those messages. Only the same attempt of an ordered pop gets them again.
   */
  boolean blockedFor(PopRequest request, long nowMs) {
    return block != null && block.blocks(request.ordered() ? request.attemptId() : OrderBlock.NO_ATTEMPT, nowMs);
  }

  /** Whether messages that were popped in order and not settled are visible again, and nobody has got them since. */
  boolean isFreeAgain(long nowMs) {
    return block != null && block.freeAtMs() != 0 && next <= block.last() && !block.blocks(OrderBlock.NO_ATTEMPT, nowMs);
  }

  /**
   * Goes on behind what was popped in order and is settled. Not when the queue was put back in front of it meanwhile: what lies
   * there was given to nobody.
   */
  void settledTo(long queueOffset) {
    if (block != null && next >= block.first()) {
      next(Math.max(next, queueOffset));
    }
  }

  /** Undoes a change: the queue goes back, but never forward over what others gave back since. */
  void undo(long queueOffset, OrderBlock former) {
    next(Math.min(next, queueOffset));
    block = former;
  }

  @Override
  public String toString() {
    return topic + "@" + group + "/" + queueId;
  }
}
