package io.metaq.coordinator;

import io.metaq.codec.pop.AckBody;
import io.metaq.codec.pop.CheckpointBody;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.registry.BodyException;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.SharedBytes;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Derives what is in flight from the revive log: at a start from the noted place on, and later whatever others write there. Where
 * less is noted than there was, more is read and the outcome is the same. What was popped before somebody moved the group is in
 * flight as before, and says nothing of where the group stands.
 */
@OwnedBy("PopVerticle")
final class PopRecovery {
  /**
   * What was read is not revived sooner: RocketMQ has its timer deliver a check point a second before it is due, and its
   * acknowledgements when it is.
   */
  static final long GRACE_MS = 3_000;

  private static final Logger log = LoggerFactory.getLogger(PopRecovery.class);

  private final PopLog store;
  private final PopTable table;
  private final InFlight inFlight;
  private final String reviveTopic;
  private final Clock clock;

  PopRecovery(PopLog store, PopTable table, InFlight inFlight, String reviveTopic, Clock clock) {
    this.store = store;
    this.table = table;
    this.inFlight = inFlight;
    this.reviveTopic = reviveTopic;
    this.clock = clock;
  }

  /**
   * Reads one queue of the log up to its end.
   *
   * @param noted the last record of no use any more, negative when that was never noted
   * @return the same where the queue has it; less than {@code noted} when the end of the log was lost
   */
  long run(int reviveQueueId, long noted) {
    long min = store.minOffset(reviveTopic, reviveQueueId);
    long max = store.maxOffset(reviveTopic, reviveQueueId);
    long from = Math.min(max, Math.max(min, noted + 1));
    if (noted >= max) {
      log.warn("the progress of the revive log is behind its end, it goes on there queueId={} noted={} max={}", reviveQueueId,
          noted, max);
    }
    inFlight.reviveQueues().get(reviveQueueId).begin(max);
    read(reviveQueueId, from, max);
    return Math.min(noted, from - 1);
  }

  /** Reads what others have written since. */
  void readOn() {
    for (int queueId = 0; queueId < inFlight.reviveQueues().size(); queueId++) {
      ReviveQueue queue = inFlight.reviveQueues().get(queueId);
      long max = store.maxOffset(reviveTopic, queueId);
      for (ReviveQueue.Gap gap = queue.takeGap(max); gap != null; gap = queue.takeGap(max)) {
        read(queueId, gap.from(), gap.to());
      }
    }
  }

  private void read(int reviveQueueId, long from, long to) {
    if (from < to) {
      store.forEach(reviveTopic, reviveQueueId, from, to, (queueOffset, record) -> read(reviveQueueId, queueOffset, record));
    }
  }

  private void read(int reviveQueueId, long queueOffset, Optional<? extends SharedBytes> record) {
    if (record.isEmpty()) {
      log.error("a record of the revive log cannot be read; what it says of popped messages is lost queueId={} queueOffset={}",
          reviveQueueId, queueOffset);
      return;
    }
    StoredMessage message = StoredMessage.decode(record.get().bytes(), 0);
    try {
      switch (message.property(PropertyNames.TAGS)) {
        case ReviveLog.CHECKPOINT -> checkpoint(reviveQueueId, queueOffset, CheckpointBody.decode(message.body()));
        case ReviveLog.ACK, ReviveLog.BATCH_ACK -> ack(AckBody.decode(message.body()));
        case ReviveLog.ORDER -> order(reviveQueueId, queueOffset, OrderEntry.decode(message.body()));
        default -> { }
      }
    } catch (BodyException | IOException unreadable) {
      log.error("a record of the revive log makes no sense, it is passed over queueId={} queueOffset={} reason={}",
          reviveQueueId, queueOffset, unreadable.getMessage());
    }
  }

  private void checkpoint(int reviveQueueId, long queueOffset, CheckpointBody body) {
    if (body.differences().length == 0) {
      return;
    }
    PopQueue queue = table.queue(body.group(), body.topic(), body.queueId());
    Checkpoint known = inFlight.find(queue, body.startOffset(), body.popTimeMs());
    if (known != null) {
      inFlight.ack(known, body.acked());
      inFlight.renewed(known, queueOffset);
      return;
    }
    Checkpoint checkpoint = new Checkpoint(
        queue, body.startOffset(), body.popTimeMs(), body.invisibleMs(), reviveQueueId, body.differences(), body.suspended(),
        body.movedMs());
    inFlight.add(checkpoint, queueOffset);
    inFlight.postpone(checkpoint, Math.max(checkpoint.dueMs(), clock.millis() + GRACE_MS));
    inFlight.ack(checkpoint, body.acked());
    queue.reached(body.movedMs(), checkpoint.end());
  }

  private void ack(AckBody body) {
    PopQueue queue = table.find(body.group(), body.topic(), body.queueId());
    Checkpoint checkpoint = queue == null ? null : inFlight.find(queue, body.startOffset(), body.popTimeMs());
    if (checkpoint != null) {
      int bits = 0;
      for (long queueOffset : body.queueOffsets()) {
        bits |= checkpoint.bit(queueOffset);
      }
      inFlight.ack(checkpoint, bits);
    }
  }

  private void order(int reviveQueueId, long queueOffset, OrderEntry entry) {
    PopQueue queue = table.queue(entry.group(), entry.topic(), entry.queueId());
    if (entry.movedMs() >= queue.movedMs()) {
      queue.reached(entry.movedMs(), entry.next());
      queue.next(entry.next());
      queue.block(entry.block());
    }
    inFlight.reviveQueues().get(reviveQueueId).pin(queueOffset);
  }
}
