package io.metaq.replication;

import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.Nudge;
import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.Watermark;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.net.ByteStreams;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.MessageConsumer;

/**
 * Sends the commit log to the slaves of this broker and tells the loops how far enough of them have it. EVENT_LOOP x1; deployed after
 * CommitLogVerticle, before whatever acknowledges messages.
 */
@OwnedBy("itself")
public final class ReplicationVerticle extends VerticleBase {
  private static final long SWEEP_MS = 100;
  /** How long a stop waits for slaves to have the last messages. */
  private static final long HAND_OVER_LIMIT_MS = 1_000;
  private static final int READERS = 2;

  private final ReplicationOptions options;
  private final StoreView store;
  private final ReplicaProgress progress;
  private final Nudge nudge;
  private final Clock clock;

  private WorkerExecutor readers;
  private ByteStreams streams;
  private LogSource source;
  private SlaveSessions slaves;
  private MessageConsumer<Nudge> nudges;
  private long sweepTimer = -1;

  /**
   * @param nudge shared with whoever moves the end of what slaves may have: CommitLogVerticle, under SYNC_FLUSH FlushVerticle
   */
  public ReplicationVerticle(
      ReplicationOptions options, StoreView store, ReplicaProgress progress, Nudge nudge, Clock clock) {
    this.options = options;
    this.store = store;
    this.progress = progress;
    this.nudge = nudge;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    readers = vertx.createSharedWorkerExecutor("metaq-replication-read", READERS);
    streams = new ByteStreams(vertx, clock);
    source = new LogSource(store, readers);
    slaves = new SlaveSessions(source, options, context, clock, progress, this::tellLoops);
    nudges = vertx.eventBus().localConsumer(BusAddress.REPLICATE, Guard.logged("replicate", this::nudged));
    sweepTimer = vertx.setPeriodic(SWEEP_MS, timer -> slaves.sweep());
    return streams.listen(options.host(), options.port(), stream -> {
      // Raised while nobody wanted to hear of it.
      nudge.take();
      return slaves.accept(stream);
    });
  }

  /** Gives connected slaves a moment to get the last messages. */
  @Override
  public Future<?> stop() {
    return upToDate()
        .eventually(() -> {
          vertx.cancelTimer(sweepTimer);
          slaves.close();
          return nudges.unregister();
        })
        .eventually(streams::close)
        .eventually(source::close)
        .eventually(readers::close);
  }

  /** Left raised while there is no slave, so that the writer sends no further one. */
  private void nudged(Nudge raised) {
    if (!slaves.isEmpty()) {
      raised.take();
      slaves.send();
    }
  }

  /** Those that wait: to wake one for nothing costs the others time. */
  private void tellLoops(long replicatedOffset) {
    new Watermark(Watermark.Kind.REPLICATED, replicatedOffset).tell(vertx, progress.replicated(replicatedOffset));
  }

  private Future<Void> upToDate() {
    if (slaves.areUpToDate()) {
      return Future.succeededFuture();
    }
    Promise<Void> reached = Promise.promise();
    long deadlineNs = clock.nanos() + HAND_OVER_LIMIT_MS * 1_000_000;
    vertx.setPeriodic(10, timer -> {
      slaves.send();
      if (slaves.areUpToDate() || clock.nanos() - deadlineNs >= 0) {
        vertx.cancelTimer(timer);
        reached.complete();
      }
    });
    return reached.future();
  }
}
