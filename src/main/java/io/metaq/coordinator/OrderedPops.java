package io.metaq.coordinator;

import io.metaq.coordinator.PopReads.Piece;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Ordered pops: a queue of which a group has messages that are neither settled nor visible again is blocked. Where each queue
 * stands is noted in the revive log, one record for all that happens to a queue before the next batch leaves, and now and then in a
 * file, so that a restart need not read far. What could not be noted did not happen.
 */
@OwnedBy("PopVerticle")
final class OrderedPops {
  /** What was popped so long ago is forgotten, as RocketMQ does: its messages have long been visible again. */
  private static final long KEPT_MS = 24 * 3_600_000L;

  private final PopTable table;
  private final InFlight inFlight;
  private final ReviveLog reviveLog;
  private final Durables durables;
  private final Clock clock;
  private final Consumer<PopQueue> settled;
  private final Consumer<PopQueue> undone;
  private final Map<PopQueue, Change> changes = new LinkedHashMap<>();
  private boolean changedSinceSave;

  /**
   * @param settled hears of a queue whose progress changed
   * @param undone hears of a queue that stands where it stood, because what changed could not be noted
   */
  OrderedPops(
      PopTable table, InFlight inFlight, ReviveLog reviveLog, Durables durables, Clock clock, Consumer<PopQueue> settled,
      Consumer<PopQueue> undone) {
    this.table = table;
    this.inFlight = inFlight;
    this.reviveLog = reviveLog;
    this.durables = durables;
    this.clock = clock;
    this.settled = settled;
    this.undone = undone;
  }

  /** Hears what became of something that was to be noted: {@code fault} is null when it is. */
  interface Listener {
    void noted(String fault);
  }

  /** Blocks the queue of a piece by its messages. */
  void popped(Piece piece, String attemptId, long popTimeMs, long invisibleMs, Listener listener) {
    PopQueue queue = piece.queue();
    queue.next(piece.before());
    Change change = change(queue);
    queue.next(piece.queueOffsets()[0]);
    queue.block(OrderBlock.popped(queue.block(), attemptId, popTimeMs, invisibleMs, piece.queueOffsets(), queue.movedMs()));
    change.listeners.add(listener);
  }

  /**
   * How often the messages of a pop were delivered before: for each that was, and for the queue the least of all, as the wire has
   * it.
   */
  static void appendCounts(Piece piece, StringBuilder counts) {
    OrderBlock block = piece.queue().block();
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < block.queueOffsets().length; i++) {
      int deliveries = block.deliveries()[i];
      least = Math.min(least, deliveries);
      if (deliveries > 0) {
        separate(counts).append("0 qo").append(piece.queue().queueId()).append('%').append(block.queueOffsets()[i]).append(' ')
            .append(deliveries);
      }
    }
    separate(counts).append("0 ").append(piece.queue().queueId()).append(' ').append(least);
  }

  private static StringBuilder separate(StringBuilder counts) {
    return counts.length() == 0 ? counts : counts.append(';');
  }

  /** Carries out what a client says of messages it popped in order. What is said of an older pop has no effect. */
  void settle(SettleTask task) {
    SettleRequest request = task.request();
    PopQueue queue = table.find(request.group(), request.topic(), request.queueId());
    OrderBlock block = queue == null ? null : queue.block();
    if (block == null || block.popTimeMs() != request.popTimeMs()) {
      task.done(request.ack() ? SettleOutcome.DONE : unchanged(request));
      return;
    }
    OrderBlock after = block;
    for (long queueOffset : request.queueOffsets()) {
      int index = block.indexOf(queueOffset);
      if (index != OrderBlock.NOT_IN_IT) {
        after = request.ack() ? after.withAcked(index) : after.withVisibleAt(index, clock.millis() + request.invisibleMs());
      } else if (queueOffset >= queue.next()) {
        task.done(SettleOutcome.refused(ResultCode.MESSAGE_ILLEGAL,
            "offset " + queueOffset + " is not among those popped in order from queue " + queue.queueId() + " of topic "
                + queue.topic()));
        return;
      }
    }
    Change change = change(queue);
    queue.block(after);
    queue.settledTo(after.next());
    SettleOutcome outcome = request.ack() ? SettleOutcome.DONE : unchanged(request);
    change.listeners.add(fault -> task.done(fault == null ? outcome : Settlements.notStored(fault)));
  }

  /** An ordered message keeps the time of its pop; for how long it is invisible counts from there. */
  private SettleOutcome unchanged(SettleRequest request) {
    return new SettleOutcome(
        ResultCode.SUCCESS, null, request.popTimeMs(), clock.millis() + request.invisibleMs() - request.popTimeMs());
  }

  private Change change(PopQueue queue) {
    return changes.computeIfAbsent(queue, first -> new Change(queue));
  }

  /**
   * Puts what changed into the round.
   *
   * @return false when it had no room for everything
   */
  boolean fill(PopRound round) {
    var left = changes.values().iterator();
    while (left.hasNext()) {
      Change change = left.next();
      PopQueue queue = change.queue;
      int reviveQueueId = Math.floorMod(OrderFile.key(queue).hashCode() + queue.queueId(), inFlight.reviveQueues().size());
      PopRound.Step step = change.step(inFlight.reviveQueues().get(reviveQueueId));
      if (!reviveLog.addOrder(round, reviveQueueId, OrderEntry.of(queue).encode(), step)) {
        return false;
      }
      left.remove();
    }
    return true;
  }

  /** What goes to the file, when anything changed since the last time; null when nothing did. */
  OrderFile takeChanged() {
    if (!changedSinceSave) {
      return null;
    }
    changedSinceSave = false;
    long oldest = clock.millis() - KEPT_MS;
    Map<String, Map<Integer, OrderBlock>> blocks = new TreeMap<>();
    for (PopQueue queue : table.queues()) {
      if (queue.block() != null && queue.block().lastMs() >= oldest) {
        blocks.computeIfAbsent(OrderFile.key(queue), key -> new TreeMap<>()).put(queue.queueId(), queue.block());
      }
    }
    return new OrderFile(blocks);
  }

  /** The file could not be written: it is to be tried again. */
  void notSaved() {
    changedSinceSave = true;
  }

  /** What happens to one queue before the next batch leaves. */
  @OwnedBy("PopVerticle")
  private final class Change {
    private final PopQueue queue;
    private final long movedBeforeMs;
    private final long nextBefore;
    private final OrderBlock blockBefore;
    private final List<Listener> listeners = new ArrayList<>(1);

    Change(PopQueue queue) {
      this.queue = queue;
      movedBeforeMs = queue.movedMs();
      nextBefore = queue.next();
      blockBefore = queue.block();
    }

    PopRound.Step step(ReviveQueue reviveQueue) {
      return (status, detail, reviveOffset, endOffset) -> {
        if (status == AppendStatus.STORED) {
          reviveQueue.wrote(reviveOffset);
          reviveQueue.pin(reviveOffset);
          changedSinceSave = true;
          durables.when(endOffset, () -> {
            settled.accept(queue);
            listeners.forEach(listener -> listener.noted(null));
          });
        } else {
          if (queue.movedMs() == movedBeforeMs) {
            queue.undo(nextBefore, blockBefore);
          }
          undone.accept(queue);
          listeners.forEach(listener -> listener.noted(detail));
        }
      };
    }
  }
}
