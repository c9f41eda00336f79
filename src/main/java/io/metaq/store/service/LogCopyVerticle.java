package io.metaq.store.service;

import io.metaq.bus.BusAddress;
import io.metaq.bus.CopiedPiece;
import io.metaq.bus.FlushNudge;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.model.OwnedBy;
import io.metaq.store.CommitLog;
import io.metaq.store.LogCopy;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.Optional;

/**
 * The only writer of a slave's commit log, on the worker thread that {@link CommitLogVerticle} has on a master. Takes every piece of the
 * master's log that is waiting, sends each straight back, and nudges flush, dispatch and housekeeping once after the last one.
 */
@OwnedBy("its worker thread")
public final class LogCopyVerticle extends VerticleBase {
  /** So many bytes in a group come while the slave catches up: to fill files with zeros ahead of them would write everything twice. */
  private static final int BULK_BYTES = 32 * 1024;

  private final LogCopy copy;
  private final CommitLog log;
  private final boolean syncFlush;
  private final Nudge dispatch;
  private final Nudge prepare;

  private MessageConsumer<CopiedPiece> pieces;
  private long waiting;
  private int groupBytes;
  private boolean tailArmed;

  /**
   * @param syncFlush whether flush is nudged after each group; otherwise it runs by its own clock, and dispatch follows the appends
   * @param dispatch shared with DispatchVerticle
   * @param prepare shared with HousekeepingVerticle
   */
  public LogCopyVerticle(LogCopy copy, CommitLog log, boolean syncFlush, Nudge dispatch, Nudge prepare) {
    this.copy = copy;
    this.log = log;
    this.syncFlush = syncFlush;
    this.dispatch = dispatch;
    this.prepare = prepare;
  }

  @Override
  public Future<?> start() {
    pieces = vertx.eventBus().localConsumer(BusAddress.COPY, Guard.answering("copy", this::append, this::refuse));
    return pieces.completion();
  }

  /** Pieces that arrived before are appended before this runs: they stand ahead of it in the worker's queue. */
  @Override
  public Future<?> stop() {
    return pieces.unregister().onComplete(done -> copy.stop());
  }

  private void append(CopiedPiece piece) {
    waiting |= 1L << piece.sender();
    groupBytes += piece.size();
    if (!tailArmed) {
      tailArmed = true;
      context.runOnContext(none -> closeGroup());
    }
    sendBack(piece, copy.append(piece.phyOffset(), piece.bytes(), piece.size()));
  }

  private void refuse(CopiedPiece piece, Throwable failure) {
    sendBack(piece, Optional.of("the append failed: " + failure));
  }

  private void sendBack(CopiedPiece piece, Optional<String> fault) {
    piece.outcome(fault, log.appendedOffset());
    vertx.eventBus().send(BusAddress.COPIED, piece, LocalBus.LOCAL);
  }

  private void closeGroup() {
    tailArmed = false;
    if (syncFlush) {
      vertx.eventBus().send(BusAddress.FLUSH, new FlushNudge(waiting), LocalBus.LOCAL);
      waiting = 0;
    } else {
      raise(dispatch, BusAddress.DISPATCH);
    }
    if (groupBytes < BULK_BYTES && log.preparationWanted()) {
      raise(prepare, BusAddress.PREPARE);
    }
    groupBytes = 0;
  }

  private void raise(Nudge nudge, String address) {
    if (nudge.raise()) {
      vertx.eventBus().send(address, nudge, LocalBus.LOCAL);
    }
  }
}
