package io.metaq.coordinator;

import io.metaq.codec.pop.CheckpointBody;
import io.metaq.model.OwnedBy;

/**
 * Messages of one queue that a group popped together and that are not all settled: in memory what a {@link CheckpointBody} is in
 * the revive log. Named by its queue, the offset its read began at, and the time of the pop. It is due when its messages become
 * visible.
 */
@OwnedBy("PopVerticle")
final class Checkpoint extends DueHeap.Entry {
  private final PopQueue queue;
  private final long startOffset;
  private final long popTimeMs;
  private final long invisibleMs;
  private final int reviveQueueId;
  private final boolean suspended;
  private final long movedMs;
  private final int count;
  /** Null when they are 0, 1, 2 and so on, as those of an unfiltered pop are. */
  private final int[] differences;
  // One bit for each message.
  private int acked;
  private int leaving;
  // Of the list of its revive queue, by the place of its newest record.
  private long reviveOffset;
  private Checkpoint before;
  private Checkpoint behind;

  /**
   * @param movedMs the move of the queue that the pop came after, see {@link PopQueue#movedMs}; a check point that changing the
   *     invisible time makes has that of the one before
   */
  Checkpoint(
      PopQueue queue, long startOffset, long popTimeMs, long invisibleMs, int reviveQueueId, int[] differences, boolean suspended,
      long movedMs) {
    super(popTimeMs + invisibleMs);
    this.queue = queue;
    this.startOffset = startOffset;
    this.popTimeMs = popTimeMs;
    this.invisibleMs = invisibleMs;
    this.reviveQueueId = reviveQueueId;
    this.suspended = suspended;
    this.movedMs = movedMs;
    this.count = differences.length;
    this.differences = consecutive(differences) ? null : differences;
  }

  private static boolean consecutive(int[] differences) {
    return differences.length == 0 || differences[0] == 0 && differences[differences.length - 1] == differences.length - 1;
  }

  PopQueue queue() {
    return queue;
  }

  long startOffset() {
    return startOffset;
  }

  long popTimeMs() {
    return popTimeMs;
  }

  int reviveQueueId() {
    return reviveQueueId;
  }

  boolean suspended() {
    return suspended;
  }

  long movedMs() {
    return movedMs;
  }

  int count() {
    return count;
  }

  long queueOffset(int index) {
    return startOffset + (differences == null ? index : differences[index]);
  }

  /** Queue offset behind the last message. */
  long end() {
    return count == 0 ? startOffset : queueOffset(count - 1) + 1;
  }

  /** Bit of the message at a queue offset; 0 when it is not one of these. */
  int bit(long queueOffset) {
    long difference = queueOffset - startOffset;
    if (differences == null) {
      return difference >= 0 && difference < count ? 1 << (int) difference : 0;
    }
    for (int i = 0; i < count; i++) {
      if (differences[i] == difference) {
        return 1 << i;
      }
    }
    return 0;
  }

  /** Bits of the messages that are settled. */
  int acked() {
    return acked;
  }

  void ack(int bits) {
    acked |= bits;
  }

  boolean done() {
    return (acked & all()) == all();
  }

  /** Bits of those that are neither settled nor on the way to be. */
  int open() {
    return all() & ~acked & ~leaving;
  }

  /** Whether any are on the way to be settled. */
  boolean settling() {
    return (leaving & ~acked) != 0;
  }

  /** These are on the way to be settled: nothing else is to be done with them. */
  void leave(int bits) {
    leaving |= bits;
  }

  /** These did not come to be settled. */
  void stay(int bits) {
    leaving &= ~bits;
  }

  /** The queue offsets behind some bits. */
  long[] queueOffsets(int bits) {
    long[] offsets = new long[Integer.bitCount(bits)];
    int filled = 0;
    for (int i = 0; i < count; i++) {
      if ((bits >>> i & 1) != 0) {
        offsets[filled++] = queueOffset(i);
      }
    }
    return offsets;
  }

  CheckpointBody body(String brokerName) {
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      all[i] = (int) (queueOffset(i) - startOffset);
    }
    return new CheckpointBody(
        queue.topic(), queue.group(), queue.queueId(), brokerName, startOffset, popTimeMs, invisibleMs, acked, all, suspended,
        movedMs);
  }

  private int all() {
    return count == Integer.SIZE ? -1 : (1 << count) - 1;
  }

  /** Place of its newest record in the revive log. */
  long reviveOffset() {
    return reviveOffset;
  }

  void reviveOffset(long queueOffset) {
    reviveOffset = queueOffset;
  }

  Checkpoint before() {
    return before;
  }

  Checkpoint behind() {
    return behind;
  }

  void before(Checkpoint other) {
    before = other;
  }

  void behind(Checkpoint other) {
    behind = other;
  }
}
