package io.metaq.store.service;

import io.metaq.bus.BusAddress;
import io.metaq.bus.CopiedPiece;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.model.OwnedBy;
import io.metaq.store.LogCopy;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.Optional;

/**
 * Writes a slave's commit log while it is lent to it, on the worker pool that {@link CommitLogVerticle} has on a master: large pieces of
 * the master's log, and small ones where the files are not prepared ({@link LogCopyProxy}). Takes every piece that is waiting, sends each
 * straight back, and has flush, dispatch and housekeeping told once after the last one.
 */
@OwnedBy("its worker, one task at a time")
public final class LogCopyVerticle extends VerticleBase {
  private final LogCopy copy;
  private final GrowthProxy growth;

  private MessageConsumer<CopiedPiece> pieces;
  private long waiting;
  private int groupBytes;
  private boolean tailArmed;

  public LogCopyVerticle(LogCopy copy, GrowthProxy growth) {
    this.copy = copy;
    this.growth = growth;
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
    piece.outcome(fault, copy.end());
    copy.handOver();
    vertx.eventBus().send(BusAddress.COPIED, piece, LocalBus.LOCAL);
  }

  private void closeGroup() {
    tailArmed = false;
    growth.grown(waiting, groupBytes);
    waiting = 0;
    groupBytes = 0;
  }
}
