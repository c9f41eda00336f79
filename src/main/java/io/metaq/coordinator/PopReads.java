package io.metaq.coordinator;

import io.metaq.codec.record.RecordLayout;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import io.metaq.store.GetResult;
import io.metaq.store.RecordSlice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Takes messages out of queues for one pop after the other: from a queue at random on, and from the group's retry topic first or
 * last. What is taken moves the queue's place on at once, so that nobody else gets it; whoever cannot note it gives it back.
 */
@OwnedBy("PopVerticle")
final class PopReads {
  /** Reads of one queue that find nothing but what the filter does not want, before others get their turn. */
  private static final int MAX_LOOKS = 16;

  private static final int PERCENT = 100;
  private static final RecordFilter ALL = tagsCode -> true;

  private final PopLog log;
  private final PopRules rules;
  private final RandomGenerator random;

  PopReads(PopLog log, PopRules rules, RandomGenerator random) {
    this.log = log;
    this.rules = rules;
    this.random = random;
  }

  /** Where a queue stands behind what the filter does not want. */
  record Passed(PopQueue queue, long next) {}

  /** Messages of one queue. {@code before} is where the queue stood, {@code movedMs} after which move of the group. */
  record Piece(PopQueue queue, boolean retry, long before, long movedMs, long[] queueOffsets, GetResult result) {
    /** Where the queue stands behind them. */
    long next() {
      return result.nextOffset();
    }

    /** What is to be added to the start for each message. */
    int[] differences() {
      int[] differences = new int[queueOffsets.length];
      for (int i = 0; i < differences.length; i++) {
        differences[i] = (int) (queueOffsets[i] - before);
      }
      return differences;
    }
  }

  /**
   * What was found.
   *
   * @param rest about how many messages more there are
   * @param passed queues whose place moved, but not over messages that were found
   * @param unfinished whether another look may find something, although nothing arrives
   */
  record Found(List<Piece> pieces, long rest, List<Passed> passed, boolean unfinished) {
    boolean isEmpty() {
      return pieces.isEmpty();
    }

    void release() {
      pieces.forEach(piece -> piece.result().release());
    }
  }

  /**
   * Looks for messages.
   *
   * @throws io.metaq.store.StoreException when a queue cannot be read; nothing was taken then
   */
  Found read(PopRequest request, PopTarget target, long nowMs) {
    Look look = new Look(request, nowMs);
    try {
      boolean retryFirst = !request.ordered() && random.nextInt(PERCENT) < rules.retryFirstPercent();
      if (retryFirst) {
        look.all(target.retryQueues(), true);
      }
      if (request.anyQueue()) {
        look.all(target.queues().subList(0, request.readQueues()), false);
      } else {
        look.one(target.queues().get(request.queueId()), false);
      }
      if (!retryFirst && !request.ordered()) {
        look.all(target.retryQueues(), true);
      }
    } catch (RuntimeException | Error failure) {
      look.giveBack();
      throw failure;
    }
    return new Found(look.pieces, look.rest, look.passed, look.unfinished);
  }

  /**
   * Puts a queue back to where it stood before a piece was taken, unless it stands before that already, or the group was moved
   * since: who moved it decided what is popped next.
   */
  static void giveBack(Piece piece) {
    piece.result.release();
    if (piece.queue.movedMs() == piece.movedMs) {
      piece.queue.next(Math.min(piece.queue.next(), piece.before));
    }
  }

  /** Where a group without progress begins. */
  private long firstOffset(PopQueue queue, boolean retry, boolean fromFirst) {
    long min = log.minOffset(queue.topic(), queue.queueId());
    if (fromFirst || retry) {
      return min;
    }
    boolean young = min <= 0 && log.isRecent(queue.topic(), queue.queueId(), 0);
    return young ? 0 : Math.max(min, log.maxOffset(queue.topic(), queue.queueId()) - 1);
  }

  /** The queue offsets of records that lie back to back in slices. */
  private static long[] queueOffsets(GetResult result) {
    long[] offsets = new long[result.count()];
    int filled = 0;
    for (RecordSlice slice : result.slices()) {
      ByteBuffer bytes = slice.bytes();
      for (int at = 0; at < slice.size(); at += bytes.getInt(at + RecordLayout.TOTAL_SIZE)) {
        offsets[filled++] = bytes.getLong(at + RecordLayout.QUEUE_OFFSET);
      }
    }
    return offsets;
  }

  /** One pop's walk over queues. */
  @OwnedBy("the call that made it")
  private final class Look {
    private final PopRequest request;
    private final long nowMs;
    private final boolean moves;
    private final int wanted;
    private final List<Piece> pieces = new ArrayList<>(2);
    private final List<Passed> passed = new ArrayList<>(0);
    private int count;
    private int bytes;
    private long rest;
    private boolean unfinished;

    Look(PopRequest request, long nowMs) {
      this.request = request;
      this.nowMs = nowMs;
      moves = request.kind() == Kind.POP;
      wanted = request.kind() == Kind.NOTICE ? 1 : request.maxMessages();
    }

    void all(List<PopQueue> queues, boolean retry) {
      int first = random.nextInt(queues.size());
      for (int i = 0; i < queues.size(); i++) {
        one(queues.get((first + i) % queues.size()), retry);
      }
    }

    void one(PopQueue queue, boolean retry) {
      if (queue.blockedFor(request, nowMs)) {
        return;
      }
      long known = queue.next();
      if (known == PopQueue.UNKNOWN) {
        pass(queue, firstOffset(queue, retry, request.fromFirst()));
      }
      if (count < wanted && bytes < rules.maxBytes()) {
        take(queue, retry);
      }
      rest += Math.max(0, log.maxOffset(queue.topic(), queue.queueId()) - queue.next());
      queue.seen(queue.next());
      if (!moves) {
        queue.next(known);
      }
    }

    private void take(PopQueue queue, boolean retry) {
      RecordFilter filter = retry || request.kind() == Kind.NOTICE ? ALL : request.filter().get();
      for (int looks = 0; looks < MAX_LOOKS; looks++) {
        long from = queue.next();
        GetResult result = log.get(queue.topic(), queue.queueId(), from, wanted - count, rules.maxBytes() - bytes, filter);
        switch (result.status()) {
          case FOUND -> {
            pieces.add(new Piece(queue, retry, from, queue.movedMs(), queueOffsets(result), result));
            queue.next(result.nextOffset());
            count += result.count();
            bytes += result.bytes();
            return;
          }
          case OFFSET_OVERFLOW_ONE -> {
            return;
          }
          case NO_MATCHED_LOGIC_QUEUE, NO_MESSAGE_IN_QUEUE -> {
            pass(queue, 0);
            return;
          }
          case NO_MATCHED_MESSAGE, MESSAGE_WAS_REMOVING, OFFSET_FOUND_NULL, OFFSET_TOO_SMALL, OFFSET_OVERFLOW_BADLY ->
              pass(queue, result.nextOffset());
        }
      }
      unfinished = true;
    }

    private void pass(PopQueue queue, long next) {
      if (queue.next() != next) {
        queue.next(next);
        passed.add(new Passed(queue, next));
      }
    }

    private void giveBack() {
      pieces.forEach(PopReads::giveBack);
    }
  }
}
