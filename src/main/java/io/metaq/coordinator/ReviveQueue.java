package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/**
 * One queue of the revive log: the check points it has that are not done, by the place of their newest record, and how far it has
 * been written. Records in front of {@link #first()} are of no use any more.
 */
@OwnedBy("PopVerticle")
final class ReviveQueue {
  private Checkpoint head;
  private Checkpoint tail;
  private final ArrayDeque<Gap> gaps = new ArrayDeque<>();
  private long end;
  private long pinned = Long.MAX_VALUE;

  /** Records that somebody else wrote in between: a timer of RocketMQ that delivers what was popped before the store came here. */
  record Gap(long from, long to) {}

  /** Behind the last record that is known of. */
  long end() {
    return end;
  }

  /** Everything in front of this offset is known, or of no use. */
  void begin(long queueOffset) {
    end = queueOffset;
  }

  /** A record of ours stands at this offset. */
  void wrote(long queueOffset) {
    if (queueOffset > end) {
      gaps.add(new Gap(end, queueOffset));
    }
    end = Math.max(end, queueOffset + 1);
  }

  /** Records of others to be read next, up to {@code max} where the queue ends; null when there are none. */
  Gap takeGap(long max) {
    Gap gap = gaps.poll();
    if (gap == null && max > end) {
      gap = new Gap(end, max);
      end = max;
    }
    return gap;
  }

  /** The first record that a restart must read. */
  long first() {
    long unread = gaps.isEmpty() ? end : gaps.peek().from();
    return Math.min(Math.min(pinned, unread), head == null ? end : head.reviveOffset());
  }

  /** The check point whose newest record is the oldest; null when all are done. */
  Checkpoint head() {
    return head;
  }

  /** Puts a check point where its newest record stands: at the end, unless the record was found in a gap. */
  void add(Checkpoint checkpoint, long reviveOffset) {
    Checkpoint before = tail;
    while (before != null && before.reviveOffset() > reviveOffset) {
      before = before.before();
    }
    checkpoint.reviveOffset(reviveOffset);
    link(before, checkpoint, before == null ? head : before.behind());
  }

  private void link(Checkpoint before, Checkpoint checkpoint, Checkpoint behind) {
    checkpoint.before(before);
    checkpoint.behind(behind);
    if (before == null) {
      head = checkpoint;
    } else {
      before.behind(checkpoint);
    }
    if (behind == null) {
      tail = checkpoint;
    } else {
      behind.before(checkpoint);
    }
  }

  void remove(Checkpoint checkpoint) {
    if (checkpoint.before() == null) {
      head = checkpoint.behind();
    } else {
      checkpoint.before().behind(checkpoint.behind());
    }
    if (checkpoint.behind() == null) {
      tail = checkpoint.before();
    } else {
      checkpoint.behind().before(checkpoint.before());
    }
    checkpoint.before(null);
    checkpoint.behind(null);
  }

  /** A record that no check point stands for is needed, too, until {@link #unpin}. */
  void pin(long reviveOffset) {
    pinned = Math.min(pinned, reviveOffset);
  }

  /** What was pinned in front of this offset is not needed any more. */
  void unpin(long reviveOffset) {
    if (pinned < reviveOffset) {
      pinned = reviveOffset < end ? reviveOffset : Long.MAX_VALUE;
    }
  }
}
