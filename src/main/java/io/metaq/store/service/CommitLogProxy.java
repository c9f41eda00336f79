package io.metaq.store.service;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.Backlog;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.model.AppendStatus;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageProducer;

/** The way to the commit log's writer. Each sender has one of its own. */
public final class CommitLogProxy {
  private final MessageProducer<AppendBatch> writer;
  private final Vertx vertx;
  private final Backlog backlog;

  /** For senders whose batches are not counted. */
  public CommitLogProxy(Vertx vertx) {
    this(vertx, new Backlog(0));
  }

  /** @param backlog shared with the writer, which sees by it that batches wait */
  public CommitLogProxy(Vertx vertx, Backlog backlog) {
    this.vertx = vertx;
    this.backlog = backlog;
    this.writer = vertx.eventBus().sender(BusAddress.APPEND, LocalBus.LOCAL);
  }

  /**
   * Gives the batch to the writer. It comes back once, at {@link BusAddress#appended(int)} of its sender, with every outcome set: also
   * when no writer is there.
   */
  public void append(AppendBatch batch) {
    writer.write(batch).onFailure(noWriter -> {
      batch.refuseRest(AppendStatus.UNAVAILABLE, "the commit log is not running");
      vertx.eventBus().send(BusAddress.appended(batch.sender()), batch, LocalBus.LOCAL);
    });
    backlog.handed();
  }
}
