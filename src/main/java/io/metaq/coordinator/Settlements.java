package io.metaq.coordinator;

import io.metaq.codec.pop.PopHandle;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Carries out what clients say of messages they popped. All that comes in for one check point before the next batch leaves shares a
 * record. A message that is to stay invisible gets a check point of its own; only when that is stored the old one is rid of it.
 */
@OwnedBy("PopVerticle")
final class Settlements {
  /** No record of the revive log is longer: two names, 32 offsets, numbers. */
  static final int MAX_RECORD_BYTES = 4 * 1024;

  private final PopTable table;
  private final InFlight inFlight;
  private final PopLog log;
  private final ReviveLog reviveLog;
  private final OrderedPops ordered;
  private final Durables durables;
  private final Clock clock;
  private final int maxCheckpoints;
  private final ArrayDeque<SettleTask> waiting = new ArrayDeque<>();
  private final ArrayDeque<Note> notes = new ArrayDeque<>();

  Settlements(
      PopTable table, InFlight inFlight, PopLog log, ReviveLog reviveLog, OrderedPops ordered, Durables durables, Clock clock,
      int maxCheckpoints) {
    this.table = table;
    this.inFlight = inFlight;
    this.log = log;
    this.reviveLog = reviveLog;
    this.ordered = ordered;
    this.durables = durables;
    this.clock = clock;
    this.maxCheckpoints = maxCheckpoints;
  }

  /** Messages that are settled because a copy or another check point is stored, which the log is to say. */
  private record Note(Checkpoint checkpoint, int bits) {}

  void add(SettleTask task) {
    waiting.add(task);
  }

  /** The log is to say that these are settled; they are {@link Checkpoint#leave leaving} already. */
  void note(Checkpoint checkpoint, int bits) {
    notes.add(new Note(checkpoint, bits));
  }

  boolean isEmpty() {
    return waiting.isEmpty() && notes.isEmpty();
  }

  /**
   * Puts what there is to say into the round.
   *
   * @return false when it had no room for everything
   */
  boolean fill(PopRound round) {
    Map<Checkpoint, Acks> acks = new LinkedHashMap<>();
    while (!notes.isEmpty() && round.hasRoom((acks.size() + 1) * MAX_RECORD_BYTES)) {
      Note note = notes.poll();
      acks.computeIfAbsent(note.checkpoint, checkpoint -> new Acks()).bits |= note.bits;
    }
    while (!waiting.isEmpty() && round.hasRoom((acks.size() + 1) * MAX_RECORD_BYTES)) {
      carryOut(waiting.poll(), round, acks);
    }
    acks.forEach((checkpoint, together) -> reviveLog.addAck(round, checkpoint, together.bits, together.step(checkpoint)));
    return isEmpty();
  }

  private void carryOut(SettleTask task, PopRound round, Map<Checkpoint, Acks> acks) {
    SettleRequest request = task.request();
    if (request.reviveQueueId() == PopHandle.ORDERED) {
      ordered.settle(task);
      return;
    }
    PopQueue queue = table.find(request.group(), request.topic(), request.queueId());
    Checkpoint checkpoint = queue == null ? null : inFlight.find(queue, request.startOffset(), request.popTimeMs());
    int bits = 0;
    if (checkpoint != null) {
      for (long queueOffset : request.queueOffsets()) {
        bits |= checkpoint.bit(queueOffset);
      }
      bits &= checkpoint.open();
    }
    if (bits == 0) {
      task.done(nothingToSettle(request));
    } else if (request.ack()) {
      checkpoint.leave(bits);
      Acks together = acks.computeIfAbsent(checkpoint, first -> new Acks());
      together.bits |= bits;
      together.tasks.add(task);
    } else {
      change(task, round, checkpoint, bits);
    }
  }

  /** As RocketMQ has it, an acknowledgement of what nobody waits for is fine, unless there never was such a message. */
  private SettleOutcome nothingToSettle(SettleRequest request) {
    for (long queueOffset : request.queueOffsets()) {
      long min = log.minOffset(request.topic(), request.queueId());
      long max = log.maxOffset(request.topic(), request.queueId());
      if (queueOffset < min || queueOffset > max) {
        return SettleOutcome.refused(ResultCode.NO_MESSAGE, "offset " + queueOffset + " is outside of queue " + request.queueId()
            + " of topic " + request.topic() + ", which has " + min + " to " + max);
      }
    }
    return request.ack() ? SettleOutcome.DONE : SettleOutcome.refused(ResultCode.NO_MESSAGE,
        "the message is not popped under this handle any more: it was acknowledged, or its time was up and it waits to be popped"
            + " again");
  }

  /** A check point for each of many messages that were popped together counts as pops do: it may be one too many. */
  private void change(SettleTask task, PopRound round, Checkpoint old, int bits) {
    SettleRequest request = task.request();
    boolean oneMore = (old.open() & ~bits) != 0;
    if (oneMore && inFlight.size() >= maxCheckpoints) {
      task.done(SettleOutcome.refused(ResultCode.FLOW_CONTROL, inFlight.size() + " check points are in flight, at most "
          + maxCheckpoints + " may be (popCkMaxBufferSize); the message becomes visible when it would have been"));
      return;
    }
    long queueOffset = old.queueOffsets(bits)[0];
    boolean sameName = queueOffset == old.startOffset();
    long popTimeMs = sameName ? Math.max(clock.millis(), old.popTimeMs() + 1) : clock.millis();
    Checkpoint renewed = new Checkpoint(
        old.queue(), queueOffset, popTimeMs, request.invisibleMs(), old.reviveQueueId(), new int[] {0}, request.suspended(),
        old.movedMs());
    old.leave(bits);
    reviveLog.addCheckpoint(round, renewed, (status, detail, reviveOffset, endOffset) -> {
      if (status == AppendStatus.STORED) {
        inFlight.reviveQueue(renewed).wrote(reviveOffset);
        inFlight.add(renewed, reviveOffset);
        note(old, bits);
        SettleOutcome outcome = new SettleOutcome(ResultCode.SUCCESS, null, popTimeMs, request.invisibleMs());
        durables.when(endOffset, () -> task.done(outcome));
      } else {
        old.stay(bits);
        task.done(notStored(detail));
      }
    });
  }

  static SettleOutcome notStored(String detail) {
    return SettleOutcome.refused(ResultCode.SYSTEM_ERROR, "it could not be noted: " + detail);
  }

  /** What is said of one check point in one record. */
  @OwnedBy("PopVerticle")
  private final class Acks {
    private final List<SettleTask> tasks = new ArrayList<>(1);
    private int bits;

    PopRound.Step step(Checkpoint checkpoint) {
      return (status, detail, reviveOffset, endOffset) -> {
        checkpoint.stay(bits);
        if (status == AppendStatus.STORED) {
          inFlight.reviveQueue(checkpoint).wrote(reviveOffset);
          inFlight.ack(checkpoint, bits);
          durables.when(endOffset, () -> tasks.forEach(task -> task.done(SettleOutcome.DONE)));
        } else {
          failed(checkpoint, detail);
        }
      };
    }

    /** What nobody asked for is tried again; what was asked for may be asked for again, which does no harm to the rest. */
    private void failed(Checkpoint checkpoint, String detail) {
      checkpoint.leave(bits);
      note(checkpoint, bits);
      tasks.forEach(task -> task.done(notStored(detail)));
    }
  }
}
