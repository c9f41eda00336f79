package io.metaq.store.service;

import io.metaq.bus.Arrivals;
import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.bus.QueueBegun;
import io.metaq.bus.Watches;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.ArrivalListener;
import io.metaq.store.Dispatcher;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Derives consume queues and the key index from the log, on a worker thread of its own, and tells the loops that wait in a queue when
 * something arrived there. What nobody waits for may gather for a moment first ({@link Gathering}).
 */
@OwnedBy("its worker thread")
public final class DispatchVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(DispatchVerticle.class);

  /** Bytes of log derived before other tasks of this worker get a turn. */
  private static final int ROUND_BYTES = 4 * 1024 * 1024;

  private final Dispatcher dispatcher;
  private final Nudge nudge;
  private final long flushIntervalMs;
  private final WatchTable watches;
  private final Arrivals[] arrivals;
  private final Gathering gathering;
  private final Consumer<Throwable> fatal;
  private final ArrivalListener listener = new ArrivalListener() {
    @Override
    public void begun(String topic, int queueId) {
      vertx.eventBus().send(BusAddress.QUEUE_BEGUN, new QueueBegun(topic, queueId), LocalBus.LOCAL);
    }

    @Override
    public void arrived(String topic, int queueId, long maxOffset) {
      noteArrival(topic, queueId);
    }
  };

  private MessageConsumer<Nudge> nudges;
  private MessageConsumer<Watches> watchers;
  private long flushTimer = -1;
  private long sliceTimer = -1;
  private boolean roundArmed;
  private boolean sliceArmed;
  private boolean failed;

  /**
   * @param nudge shared with CommitLogVerticle and FlushVerticle
   * @param watchers how many may watch, by number: loops, and senders of the commit log behind them
   * @param flushIntervalMs how often pending units are written ({@code flushIntervalConsumeQueue})
   * @param fatal hears of a log that cannot be dispatched any further; expected to end the process
   */
  public DispatchVerticle(
      Dispatcher dispatcher, StoreView view, Clock clock, Nudge nudge, int watchers, long flushIntervalMs, Consumer<Throwable> fatal) {
    this.dispatcher = dispatcher;
    this.nudge = nudge;
    this.flushIntervalMs = flushIntervalMs;
    this.watches = new WatchTable(view::maxOffset);
    this.arrivals = new Arrivals[watchers];
    this.gathering = new Gathering(clock);
    this.fatal = fatal;
  }

  @Override
  public Future<?> start() {
    nudges = vertx.eventBus().localConsumer(BusAddress.DISPATCH, Guard.logged("dispatch", raised -> {
      if (!roundArmed) {
        gathering.gather();
      }
      raised.take();
      armRound();
    }));
    watchers = vertx.eventBus().localConsumer(BusAddress.WATCH, Guard.logged("watch", this::watch));
    flushTimer = vertx.setPeriodic(flushIntervalMs, timer -> flushQueues());
    armRound();
    return nudges.completion();
  }

  /** Reaches the end of the log before it completes, so that a clean end leaves nothing to rebuild. */
  @Override
  public Future<?> stop() {
    // Its pool is closed next, and would be given one more round.
    vertx.cancelTimer(flushTimer);
    vertx.cancelTimer(sliceTimer);
    return Future.all(nudges.unregister(), watchers.unregister()).onComplete(done -> {
      while (!failed && dispatcher.dispatch(ROUND_BYTES, (topic, queueId, maxOffset) -> {})) {
        // each call makes progress; the writer has stopped, so the end stands still
      }
    });
  }

  private void armRound() {
    if (!roundArmed) {
      roundArmed = true;
      context.runOnContext(none -> round());
    }
  }

  private void round() {
    roundArmed = false;
    boolean more;
    try {
      more = !failed && dispatcher.dispatch(ROUND_BYTES, listener);
    } catch (RuntimeException failure) {
      failed = true;
      more = false;
      log.error("the commit log cannot be dispatched any further; the process ends", failure);
      fatal.accept(failure);
    }
    gathering.roundEnded(tellLoops());
    if (more) {
      armRound();
    }
  }

  /** Also goes on where a full disk stopped the dispatcher: nobody nudges it then. */
  private void flushQueues() {
    if (dispatcher.flushQueues()) {
      armSlice();
    }
    if (dispatcher.isBehind()) {
      armRound();
    }
  }

  /** Behind what waits already, so that rounds have their turn between slices. */
  private void armSlice() {
    if (sliceArmed) {
      return;
    }
    sliceArmed = true;
    long restMs = dispatcher.sliceRestMs();
    if (restMs > 0) {
      sliceTimer = vertx.setTimer(restMs, timer -> slice());
    } else {
      context.runOnContext(none -> slice());
    }
  }

  private void slice() {
    sliceArmed = false;
    if (dispatcher.writeSlice()) {
      armSlice();
    }
  }

  private void watch(Watches wanted) {
    for (int i = 0; i < wanted.count(); i++) {
      if (watches.add(wanted.loop(), wanted.topic(i), wanted.queueId(i), wanted.queueOffset(i))) {
        arrivalsOf(wanted.loop()).add(wanted.topic(i), wanted.queueId(i));
      }
    }
    tellLoops();
  }

  private void noteArrival(String topic, int queueId) {
    long loops = watches.take(topic, queueId);
    while (loops != 0) {
      int loop = Long.numberOfTrailingZeros(loops);
      loops &= loops - 1;
      arrivalsOf(loop).add(topic, queueId);
    }
  }

  private Arrivals arrivalsOf(int loop) {
    if (arrivals[loop] == null) {
      arrivals[loop] = new Arrivals();
    }
    return arrivals[loop];
  }

  /** Whether there was anything to tell. */
  private boolean tellLoops() {
    boolean told = false;
    for (int loop = 0; loop < arrivals.length; loop++) {
      if (arrivals[loop] != null) {
        vertx.eventBus().send(BusAddress.arrivals(loop), arrivals[loop], LocalBus.LOCAL);
        arrivals[loop] = null;
        told = true;
      }
    }
    return told;
  }
}
