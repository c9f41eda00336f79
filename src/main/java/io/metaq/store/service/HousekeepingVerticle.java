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
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does on a worker thread what must not hold up the writer: measures the disk and deletes old files each second, and prepares the log
 * ahead when the writer asks for it. Checkpoints, which may force thousands of files, have a thread of their own, so that a wish to prepare
 * never waits for the disk.
 */
@OwnedBy("its worker thread; checkpoints run on a second one, one at a time")
public final class HousekeepingVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(HousekeepingVerticle.class);

  private static final String CHECKPOINT_POOL = "metaq-checkpoint";
  /** After so long Vert.x begins to warn of a thread that does not come back. */
  private static final long LONG_CHECKPOINT_MIN = 10;

  private final Preparer preparer;
  private final DiskSpace disk;
  private final Checkpointer checkpointer;
  private final Retention retention;

  private MessageConsumer<Nudge> wishes;
  private WorkerExecutor checkpoints;
  private long roundTimer = -1;
  private Future<?> lastCheckpoint = Future.succeededFuture();

  public HousekeepingVerticle(Preparer preparer, DiskSpace disk, Checkpointer checkpointer, Retention retention) {
    this.preparer = preparer;
    this.disk = disk;
    this.checkpointer = checkpointer;
    this.retention = retention;
  }

  @Override
  public Future<?> start() {
    disk.measure();
    checkpoints = vertx.createSharedWorkerExecutor(CHECKPOINT_POOL, 1, LONG_CHECKPOINT_MIN, TimeUnit.MINUTES);
    wishes = vertx.eventBus().localConsumer(BusAddress.PREPARE, Guard.logged("prepare", this::prepare));
    roundTimer = vertx.setPeriodic(DiskSpace.MEASURE_EVERY_MS, timer -> round());
    return wishes.completion();
  }

  @Override
  public Future<?> stop() {
    // No other checkpoint is begun while the last one ends.
    vertx.cancelTimer(roundTimer);
    checkpointer.hurry();
    return Future.join(wishes.unregister(), lastCheckpoint).eventually(checkpoints::close);
  }

  private void round() {
    disk.measure();
    retention.clean();
    if (lastCheckpoint.isComplete()) {
      lastCheckpoint = checkpoints.executeBlocking(this::checkpoint).onFailure(failure -> log.error("a checkpoint failed", failure));
    }
  }

  private Void checkpoint() {
    checkpointer.checkpointSlice();
    return null;
  }

  private void prepare(Nudge wish) {
    wish.take();
    preparer.prepare();
  }
}
