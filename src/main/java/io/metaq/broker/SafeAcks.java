package io.metaq.broker;

import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.Watermark;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import java.util.function.Consumer;

/**
 * What is stored and is answered when it is safe: on the disk under {@code SYNC_FLUSH}, on slaves as {@code SYNC_MASTER}. What is not
 * safe in time, or cannot be, is answered with the code that says so.
 *
 * <p>Units come in the order of the log; one of these for each way they come.
 */
@OwnedBy("its event loop")
final class SafeAcks<U extends Unanswered<U>> {
  private final boolean syncFlush;
  private final ReplicaRules rules;
  private final ReplicaProgress replicas;
  private final int loop;
  private final Consumer<U> answer;
  private final WaitingAcks<U> waitingForFlush;
  private final WaitingAcks<U> waitingForReplicas;
  private long flushedOffset;
  private long replicatedOffset;
  private boolean asked;

  /**
   * @param loop number of this loop
   * @param answer takes each unit once, with its code
   */
  SafeAcks(BrokerOptions options, ReplicaProgress replicas, int loop, Consumer<U> answer) {
    this.syncFlush = options.syncFlush();
    this.rules = options.replicas();
    this.replicas = replicas;
    this.loop = loop;
    this.answer = answer;
    this.waitingForFlush = new WaitingAcks<>(options.flushTimeoutMs(), this::flushed);
    this.waitingForReplicas = new WaitingAcks<>(rules.timeoutMs(), this::replicated);
  }

  int count() {
    return waitingForFlush.count() + waitingForReplicas.count();
  }

  /** The waits for disk and slaves run side by side: that for slaves is looked at when that for the disk is over. */
  void await(U unit) {
    if (rules.needed() > 0 && rules.outOfReach(replicas.inSyncOffset(), unit.endOffset())) {
      answer.accept(unit.with(ResultCode.SLAVE_NOT_AVAILABLE));
    } else if (syncFlush && unit.endOffset() > flushedOffset) {
      waitingForFlush.add(unit);
    } else {
      flushed(unit, false);
    }
  }

  void watermark(Watermark watermark) {
    switch (watermark.kind()) {
      case FLUSHED -> {
        flushedOffset = Math.max(flushedOffset, watermark.phyOffset());
        waitingForFlush.reached(flushedOffset);
      }
      case REPLICATED -> {
        asked = false;
        reached(watermark.phyOffset());
        ask();
      }
    }
  }

  /** Answers whatever has waited too long. */
  void expire(long nowNs) {
    waitingForFlush.expire(nowNs);
    waitingForReplicas.expire(nowNs);
  }

  private void flushed(U unit, boolean timedOut) {
    U onDisk = timedOut ? unit.with(ResultCode.FLUSH_DISK_TIMEOUT) : unit;
    if (rules.needed() > 0 && unit.endOffset() > replicatedOffset) {
      waitingForReplicas.add(onDisk);
      ask();
    } else {
      answer.accept(onDisk);
    }
  }

  /** Replication tells only those that ask. What it reached before it could see that we do, it says at once. */
  private void ask() {
    if (!asked && waitingForReplicas.count() > 0) {
      asked = true;
      reached(replicas.await(loop));
    }
  }

  private void reached(long phyOffset) {
    replicatedOffset = Math.max(replicatedOffset, phyOffset);
    waitingForReplicas.reached(replicatedOffset);
  }

  /** Of two waits that failed, the one for slaves is told. */
  private void replicated(U unit, boolean timedOut) {
    answer.accept(timedOut ? unit.with(ResultCode.FLUSH_SLAVE_TIMEOUT) : unit);
  }
}
