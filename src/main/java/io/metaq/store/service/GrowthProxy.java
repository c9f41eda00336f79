package io.metaq.store.service;

import io.metaq.bus.BusAddress;
import io.metaq.bus.FlushNudge;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.store.CommitLog;
import io.vertx.core.Vertx;

/** Tells flush, dispatch and housekeeping that a slave's log has grown. Safe from any thread. */
public final class GrowthProxy {
  /** So many bytes in a group come while the slave catches up: to fill files with zeros ahead of them would write everything twice. */
  private static final int BULK_BYTES = 32 * 1024;

  private final Vertx vertx;
  private final CommitLog log;
  private final boolean syncFlush;
  private final Nudge dispatch;
  private final Nudge prepare;

  /**
   * @param syncFlush whether flush is nudged after each group; otherwise it runs by its own clock, and dispatch follows the appends
   * @param dispatch shared with DispatchVerticle
   * @param prepare shared with HousekeepingVerticle
   */
  public GrowthProxy(Vertx vertx, CommitLog log, boolean syncFlush, Nudge dispatch, Nudge prepare) {
    this.vertx = vertx;
    this.log = log;
    this.syncFlush = syncFlush;
    this.dispatch = dispatch;
    this.prepare = prepare;
  }

  /**
   * Called once for each group of pieces.
   *
   * @param waiting who is to hear of the flush, one bit for each
   * @param bytes size of the group
   */
  void grown(long waiting, int bytes) {
    if (syncFlush) {
      vertx.eventBus().send(BusAddress.FLUSH, new FlushNudge(waiting), LocalBus.LOCAL);
    } else {
      dispatch.send(vertx, BusAddress.DISPATCH);
    }
    if (bytes < BULK_BYTES && log.preparationWanted()) {
      prepare.send(vertx, BusAddress.PREPARE);
    }
  }
}
