package io.metaq.store.service;

import io.metaq.bus.BusAddress;
import io.metaq.bus.FlushNudge;
import io.metaq.bus.Guard;
import io.metaq.bus.Nudge;
import io.metaq.bus.Watermark;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.Flusher;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces the log, on a pool of two threads that it shares with the writer: the one that appended a group is free next, and forces it;
 * meanwhile the other appends. Under SYNC_FLUSH once for each group of nudges: while one force runs, the next group piles up, so the
 * group's size follows the device. Under ASYNC_FLUSH by the clock, as {@link FlushRule} says, and when the writer asks for it after a
 * number of messages.
 *
 * <p>A failed force is final: nothing is acknowledged any more and the process is told to end.
 */
@OwnedBy("its worker, one task at a time")
public final class FlushVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(FlushVerticle.class);

  private final Flusher flusher;
  private final FlushOptions options;
  private final FlushRule rule;
  private final Nudge dispatch;
  private final Nudge replicate;
  private final Consumer<Throwable> fatal;

  private MessageConsumer<FlushNudge> nudges;
  private long clockTimer = -1;
  private long waiting;
  private boolean forceArmed;
  private boolean failed;

  /**
   * @param dispatch shared with DispatchVerticle, which follows the flushed offset under SYNC_FLUSH
   * @param replicate the same for ReplicationVerticle
   * @param fatal hears of a failed force; expected to end the process
   */
  public FlushVerticle(Flusher flusher, FlushOptions options, Clock clock, Nudge dispatch, Nudge replicate, Consumer<Throwable> fatal) {
    this.flusher = flusher;
    this.options = options;
    this.rule = new FlushRule(options, clock);
    this.dispatch = dispatch;
    this.replicate = replicate;
    this.fatal = fatal;
  }

  @Override
  public Future<?> start() {
    nudges = vertx.eventBus().localConsumer(BusAddress.FLUSH, Guard.logged("flush", this::nudged));
    clockTimer = vertx.setPeriodic(rule.lookEveryMs(), tick -> flushByClock());
    return nudges.completion();
  }

  @Override
  public Future<?> stop() {
    // Its pool is closed next, and would be given one more round.
    vertx.cancelTimer(clockTimer);
    return nudges.unregister().onComplete(done -> force());
  }

  private void nudged(FlushNudge nudge) {
    waiting |= nudge.waiting();
    if (!forceArmed) {
      forceArmed = true;
      context.runOnContext(none -> {
        forceArmed = false;
        force();
      });
    }
  }

  private void flushByClock() {
    if (rule.isDue(flusher.dirtyBytes())) {
      force();
    }
  }

  private void force() {
    if (failed) {
      return;
    }
    rule.forcing();
    long flushedOffset;
    try {
      flushedOffset = flusher.flush();
      flusher.handOver();
    } catch (RuntimeException | Error failure) {
      failed = true;
      log.error("forcing the commit log failed; no write is acknowledged any more and the process ends", failure);
      fatal.accept(failure);
      return;
    }
    long told = waiting;
    waiting = 0;
    new Watermark(Watermark.Kind.FLUSHED, flushedOffset).tell(vertx, told);
    if (options.syncFlush()) {
      replicate.send(vertx, BusAddress.REPLICATE);
      dispatch.send(vertx, BusAddress.DISPATCH);
    }
  }
}
