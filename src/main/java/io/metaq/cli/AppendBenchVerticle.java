package io.metaq.cli;

import io.metaq.bus.BusAddress;
import io.metaq.bus.FlushNudge;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.MessageStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/**
 * The writer of a bench, in the place of CommitLogVerticle: it appends by its own schedule, times each append, and nudges flush,
 * dispatch and housekeeping as that does. It may wait, for nobody sends to it.
 */
@OwnedBy("its worker, one task at a time")
final class AppendBenchVerticle extends VerticleBase {
  private static final long MOST_BEHIND_BYTES = 64L << 20;
  private static final long PAUSE_NS = 1_000_000;
  private static final int BATCHES_A_GROUP = 8;

  private final MessageStore store;
  private final BenchRecords records;
  private final double periodNs;
  private final boolean syncFlush;
  private final Clock clock;
  private final Recorder appends;
  private final Recorder fromDue;
  private final Nudge dispatch;
  private final Nudge prepare;

  private long beginNs;
  private long batches;
  private Promise<Void> stopping;
  // For the thread that shows the progress.
  private volatile long messages;
  private volatile String refusal;

  /**
   * @param rate messages a second; 0 for as many as dispatch and flush keep up with
   * @param appends hears what each append took, in ns
   * @param fromDue hears the time from when each was due to its end, in ns
   */
  AppendBenchVerticle(MessageStore store, BenchRecords records, double rate, boolean syncFlush, Clock clock, Recorder appends,
      Recorder fromDue, Nudge dispatch, Nudge prepare) {
    this.store = store;
    this.records = records;
    this.periodNs = rate > 0 ? records.count() * 1e9 / rate : 0;
    this.syncFlush = syncFlush;
    this.clock = clock;
    this.appends = appends;
    this.fromDue = fromDue;
    this.dispatch = dispatch;
    this.prepare = prepare;
  }

  /** Messages appended so far. For any thread. */
  long messages() {
    return messages;
  }

  /** Why an append was refused, which ends the run; null when none was. For any thread. */
  String refusal() {
    return refusal;
  }

  @Override
  public Future<?> start() {
    beginNs = clock.nanos();
    context.runOnContext(none -> round());
    return Future.succeededFuture();
  }

  /** Ends behind the last round: one that came later would append to a store that closes. */
  @Override
  public Future<?> stop() {
    stopping = Promise.promise();
    return refusal == null ? stopping.future() : Future.succeededFuture();
  }

  /** Appends what is due, some batches at most, as one group; then lets other tasks of this context in. */
  private void round() {
    if (stopping != null) {
      stopping.complete();
      return;
    }
    if (refusal != null) {
      return;
    }
    int group = 0;
    while (group < BATCHES_A_GROUP && isDue()) {
      append();
      group++;
    }
    if (group > 0) {
      closeGroup();
    } else {
      LockSupport.parkNanos(pauseNs());
    }
    context.runOnContext(none -> round());
  }

  private boolean isDue() {
    return refusal == null && (periodNs > 0 ? clock.nanos() - dueNs() >= 0 : behindBytes() < MOST_BEHIND_BYTES);
  }

  private long behindBytes() {
    return store.log().appendedOffset() - Math.min(store.dispatcher().dispatchedOffset(), store.flusher().flushedOffset());
  }

  private long dueNs() {
    return beginNs + (long) (batches * periodNs);
  }

  private long pauseNs() {
    return periodNs > 0 ? Math.min(PAUSE_NS, Math.max(0, dueNs() - clock.nanos())) : PAUSE_NS;
  }

  private void append() {
    long startNs = clock.nanos();
    long dueNs = periodNs > 0 ? dueNs() : startNs;
    store.log().append(records.next());
    long endNs = clock.nanos();
    store.log().handOver();
    appends.recordValue(endNs - startNs);
    fromDue.recordValue(endNs - dueNs);
    batches++;
    messages = batches * records.count();
    refusal = records.refusal();
  }

  private void closeGroup() {
    if (syncFlush) {
      vertx.eventBus().send(BusAddress.FLUSH, new FlushNudge(0), LocalBus.LOCAL);
    } else {
      dispatch.send(vertx, BusAddress.DISPATCH);
    }
    if (store.log().preparationWanted()) {
      prepare.send(vertx, BusAddress.PREPARE);
    }
  }
}
