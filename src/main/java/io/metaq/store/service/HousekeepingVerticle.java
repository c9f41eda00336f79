package io.metaq.store.service;

import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.Nudge;
import io.metaq.model.OwnedBy;
import io.metaq.store.Checkpointer;
import io.metaq.store.DiskSpace;
import io.metaq.store.Preparer;
import io.metaq.store.Retention;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;

/**
 * Does on a worker thread what must not hold up the writer: measures the disk, deletes old files and carries out checkpoints each
 * second, and prepares the log ahead when the writer asks for it.
 */
@OwnedBy("its worker thread")
public final class HousekeepingVerticle extends VerticleBase {

  private final Preparer preparer;
  private final DiskSpace disk;
  private final Checkpointer checkpointer;
  private final Retention retention;

  private MessageConsumer<Nudge> wishes;

  public HousekeepingVerticle(Preparer preparer, DiskSpace disk, Checkpointer checkpointer, Retention retention) {
    this.preparer = preparer;
    this.disk = disk;
    this.checkpointer = checkpointer;
    this.retention = retention;
  }

  @Override
  public Future<?> start() {
    disk.measure();
    wishes = vertx.eventBus().localConsumer(BusAddress.PREPARE, Guard.logged("prepare", this::prepare));
    vertx.setPeriodic(DiskSpace.MEASURE_EVERY_MS, timer -> round());
    return wishes.completion();
  }

  @Override
  public Future<?> stop() {
    return wishes.unregister();
  }

  private void round() {
    disk.measure();
    retention.clean();
    checkpointer.checkpoint();
  }

  private void prepare(Nudge wish) {
    wish.take();
    preparer.prepare();
  }
}
