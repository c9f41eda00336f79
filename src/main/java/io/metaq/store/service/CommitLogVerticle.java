package io.metaq.store.service;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.Backlog;
import io.metaq.bus.BusAddress;
import io.metaq.bus.FlushNudge;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.model.AppendStatus;
import io.metaq.model.OwnedBy;
import io.metaq.model.Vigil;
import io.metaq.store.CommitLog;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;

/**
 * The only writer of the commit log, on a pool that it shares with {@link FlushVerticle}. Appends every batch that is waiting, sends each
 * straight back, and after the last one nudges dispatch and housekeeping once: that tail is the commit group. Under SYNC_FLUSH flush is
 * nudged before the last batch goes back. Under ASYNC_FLUSH it runs by its own clock, and is nudged only where {@code flushMessages} asks
 * for a force after a number of messages.
 */
@OwnedBy("its worker, one task at a time")
public final class CommitLogVerticle extends VerticleBase {
  private final CommitLog log;
  private final FlushOptions flush;
  private final Nudge dispatch;
  private final Nudge replicate;
  private final Nudge prepare;
  private final Backlog backlog;
  private final Vigil vigil;

  private MessageConsumer<AppendBatch> batches;
  private long waiting;
  /** Appended, and flush not nudged since. */
  private boolean unforced;
  private boolean tailArmed;
  private long messagesAtNudge;

  /**
   * @param flush after which groups flush is nudged; under ASYNC_FLUSH dispatch follows the appends
   * @param dispatch shared with DispatchVerticle
   * @param replicate shared with ReplicationVerticle
   * @param prepare shared with HousekeepingVerticle
   * @param backlog shared with the loops
   * @param vigil kept for the next batch
   */
  public CommitLogVerticle(CommitLog log, FlushOptions flush, Nudge dispatch, Nudge replicate, Nudge prepare, Backlog backlog,
      Vigil vigil) {
    this.log = log;
    this.flush = flush;
    this.dispatch = dispatch;
    this.replicate = replicate;
    this.prepare = prepare;
    this.backlog = backlog;
    this.vigil = vigil;
  }

  @Override
  public Future<?> start() {
    batches = vertx.eventBus().localConsumer(BusAddress.APPEND, Guard.answering("append", this::append, this::refuse));
    return batches.completion();
  }

  /** Batches that arrived before are appended before this runs: they stand ahead of it in the worker's queue. */
  @Override
  public Future<?> stop() {
    return batches.unregister();
  }

  private void append(AppendBatch batch) {
    backlog.taken(batch.sender());
    joinGroup(batch);
    log.append(batch);
    if (flush.syncFlush() && !backlog.isWaiting()) {
      // Ahead of the way back, which wakes another thread first (docs/benchmarks.md, "Who forces").
      nudgeFlush();
    }
    sendBack(batch);
  }

  /** Before the append, so that the group is closed whatever becomes of it. */
  private void joinGroup(AppendBatch batch) {
    waiting |= batch.waiters();
    unforced = true;
    if (!tailArmed) {
      tailArmed = true;
      context.runOnContext(none -> closeGroup());
    }
  }

  private void refuse(AppendBatch batch, Throwable failure) {
    batch.refuseRest(AppendStatus.FAILED, "the append failed: " + failure);
    sendBack(batch);
  }

  private void sendBack(AppendBatch batch) {
    log.handOver();
    vertx.eventBus().send(BusAddress.appended(batch.sender()), batch, LocalBus.LOCAL);
  }

  private void closeGroup() {
    tailArmed = false;
    if (flush.syncFlush()) {
      if (unforced) {
        nudgeFlush();
      }
      nudgePreparation();
      // No vigil: this thread is the next that is free for the force, and is awake (ADR 0041).
    } else {
      nudgeFlushByMessages();
      // Answers may wait for slaves, and each nudge wakes a thread, which takes its time.
      replicate.send(vertx, BusAddress.REPLICATE);
      dispatch.send(vertx, BusAddress.DISPATCH);
      nudgePreparation();
      vigil.keep(backlog::isWaiting);
    }
  }

  private void nudgePreparation() {
    if (log.preparationWanted()) {
      prepare.send(vertx, BusAddress.PREPARE);
    }
  }

  private void nudgeFlush() {
    vertx.eventBus().send(BusAddress.FLUSH, new FlushNudge(waiting), LocalBus.LOCAL);
    waiting = 0;
    unforced = false;
  }

  private void nudgeFlushByMessages() {
    long messages = log.appendedMessages();
    if (flush.everyMessages() > 0 && messages - messagesAtNudge >= flush.everyMessages()) {
      messagesAtNudge = messages;
      vertx.eventBus().send(BusAddress.FLUSH, new FlushNudge(0), LocalBus.LOCAL);
    }
  }
}
