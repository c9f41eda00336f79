package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.model.Clock;
import io.metaq.model.DelayLevels;
import io.metaq.model.OwnedBy;
import io.metaq.store.StoreView;
import io.metaq.store.service.CommitLogProxy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;

/**
 * Delivers delayed messages: every {@value #TICK_MS} ms it sends what is due to the commit log's writer, one batch at a time and
 * without a pause while there is more; its progress goes to {@code delayOffset.json}. Stopping waits for the batch in flight.
 * WORKER x1, pool {@code metaq-schedule}, because it reads records that may be cold; deployed after ConfigVerticle and the store's
 * services.
 */
@OwnedBy("itself")
public final class ScheduleVerticle extends VerticleBase {
  static final long TICK_MS = 100;

  private final ScheduleLog schedule;
  private final DelayLevels delays;
  private final int sender;
  private final byte[] storeHost;
  private final long saveIntervalMs;
  private final Clock clock;
  private final AppendBatch batch;

  private DelayedDelivery delivery;
  private TableSaver<DelayOffsetsFile> saver;
  private CommitLogProxy commitLog;
  private boolean more;
  private Promise<Void> inFlight;
  private boolean stopping;

  /**
   * @param sender its number among the senders of the commit log; no other has it
   * @param storeHost the broker's advertised address as a record has it: 4 or 16 bytes of IP, then the port as i32
   * @param saveIntervalMs how often changed progress goes to its file
   */
  public ScheduleVerticle(StoreView store, DelayLevels delays, int sender, byte[] storeHost, long saveIntervalMs, Clock clock) {
    this(new StoredSchedule(store), delays, sender, storeHost, saveIntervalMs, clock);
  }

  ScheduleVerticle(ScheduleLog schedule, DelayLevels delays, int sender, byte[] storeHost, long saveIntervalMs, Clock clock) {
    this.schedule = schedule;
    this.delays = delays;
    this.sender = sender;
    this.storeHost = storeHost.clone();
    this.saveIntervalMs = saveIntervalMs;
    this.clock = clock;
    batch = new AppendBatch(sender);
  }

  @Override
  public Future<?> start() {
    commitLog = new CommitLogProxy(vertx);
    ConfigProxy config = new ConfigProxy(vertx);
    return config.load(DelayOffsetsFile.FORMAT).compose(stored -> {
      delivery = new DelayedDelivery(schedule, delays, storeHost, clock, stored);
      saver = new TableSaver<>(config, DelayOffsetsFile.FORMAT, delivery::file);
      vertx.setPeriodic(TICK_MS, timer -> deliver());
      vertx.setPeriodic(saveIntervalMs, timer -> saver.saveChanged());
      return Future.all(
          vertx.eventBus()
              .localConsumer(BusAddress.appended(sender), Guard.<AppendBatch>logged("delayed delivery", this::returned))
              .completion(),
          config.serve(Table.DELAYS, DelayOffsetsFile.FORMAT, delivery::file, clock.millis()));
    });
  }

  @Override
  public Future<?> stop() {
    stopping = true;
    Future<Void> drained = inFlight == null ? Future.succeededFuture() : inFlight.future();
    return drained.compose(back -> saver.saveChanged());
  }

  private void deliver() {
    if (inFlight != null || stopping) {
      return;
    }
    batch.clear();
    more = delivery.fill(batch);
    noteProgress();
    if (batch.count() > 0) {
      inFlight = Promise.promise();
      commitLog.append(batch);
    }
  }

  private void returned(AppendBatch back) {
    Promise<Void> waiting = inFlight;
    inFlight = null;
    boolean allStored = delivery.settle(back);
    noteProgress();
    waiting.complete();
    if (more && allStored) {
      deliver();
    }
  }

  private void noteProgress() {
    if (delivery.takeMoved()) {
      saver.changed();
    }
  }
}
