package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.Arrivals;
import io.metaq.bus.BusAddress;
import io.metaq.bus.FlushNudge;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.bus.TimerProgress;
import io.metaq.bus.Watches;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import io.metaq.store.Disk;
import io.metaq.store.StoreException;
import io.metaq.store.StoreView;
import io.metaq.store.TimerCheckFile;
import io.metaq.store.TimerIndex.Forcing;
import io.metaq.store.service.CommitLogProxy;
import io.metaq.store.service.DispatchProxy;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.Message;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers messages at the time their producers asked for. It hears of new ones from the dispatcher, wakes when the next is due,
 * and has one batch with the log's writer at a time. On a slave it only keeps the index, and follows the master's progress. In a
 * store without timers it does nothing and makes no files. WORKER x1, pool {@code metaq-timer}, because it reads records that may
 * be cold; deployed after the store's services.
 */
@OwnedBy("itself")
public final class TimerVerticle extends VerticleBase {
  /** Between two looks at what is due, so that what is due within it shares a batch. */
  static final long SHORTEST_PAUSE_MS = 5;

  /** After a failure, and between two looks when nothing is due. */
  static final long LONGEST_PAUSE_MS = 1_000;

  private static final long SAMPLE_MS = 1_000;
  private static final long WARNING_INTERVAL_MS = 10_000;
  /** How long the log may take to be on the disk when the broker stops. */
  private static final long FLUSH_LIMIT_MS = 1_000;
  private static final long FLUSH_LOOK_MS = 5;
  private static final Logger log = LoggerFactory.getLogger(TimerVerticle.class);

  private final TimerTopic topic;
  private final TimerRules rules;
  private final int sender;
  private final byte[] storeHost;
  private final TimerProgress progress;
  private final Clock clock;
  private final AppendBatch batch;
  private final MasterProgress masterProgress = new MasterProgress();
  private final RepeatedWarning notWritten;

  private CommitLogProxy commitLog;
  private DispatchProxy dispatcher;
  private WorkerExecutor forcer;
  private TimerChecks checks;
  private TimerRates rates = new TimerRates();
  /** Null until there is a timer. */
  private Timers timers;
  /** What is wrong with the index, so that it is made again; empty while nothing is. */
  private String damage = "";
  /** Where the log ended when that was seen: what was delivered is known to the new index when it can be read so far. */
  private long damagePhy;
  /** Null while there is nothing new of the master. */
  private MasterProgress.Known master;
  private Promise<Void> inFlight;
  private Future<Void> forcing = Future.succeededFuture();
  private long wakeTimer = -1;
  private boolean watching;
  private NextTurn nextTurn;
  private boolean stopping;

  /**
   * @param sender its number among the senders of the commit log, and among those that hear of arrivals; no other has it
   * @param storeHost the broker's advertised address as a record has it: 4 or 16 bytes of IP, then the port as i32
   * @param progress where it publishes how far it is
   */
  public TimerVerticle(StoreView store, TimerRules rules, int sender, byte[] storeHost, TimerProgress progress, Clock clock) {
    this(new StoredTimers(store), rules, sender, storeHost, progress, clock);
  }

  TimerVerticle(TimerTopic topic, TimerRules rules, int sender, byte[] storeHost, TimerProgress progress, Clock clock) {
    this.topic = topic;
    this.rules = rules;
    this.sender = sender;
    this.storeHost = storeHost.clone();
    this.progress = progress;
    this.clock = clock;
    batch = new AppendBatch(sender);
    checks = newChecks();
    notWritten = new RepeatedWarning(clock, WARNING_INTERVAL_MS);
  }

  @Override
  public Future<?> start() {
    if (!rules.enabled()) {
      return Future.succeededFuture();
    }
    nextTurn = new NextTurn(context, this::work);
    commitLog = new CommitLogProxy(vertx);
    dispatcher = new DispatchProxy(vertx);
    forcer = vertx.createSharedWorkerExecutor("metaq-timer-force", 1);
    vertx.setPeriodic(rules.checkIntervalMs(), timer -> writeDown());
    vertx.setPeriodic(SAMPLE_MS, timer -> sample());
    begin();
    return Future.all(
        listen(BusAddress.appended(sender), Guard.<AppendBatch>logged("timers", this::returned)),
        listen(BusAddress.arrivals(sender), Guard.<Arrivals>logged("new timers", this::arrived)),
        listen(MasterTimers.ADDRESS, Guard.<MasterTimers>logged("master's timers", this::masterIs)))
        .onSuccess(listening -> work());
  }

  private <T> Future<Void> listen(String address, Handler<Message<T>> handler) {
    return vertx.eventBus().localConsumer(address, handler).completion();
  }

  /** Waits for the batch in flight, and leaves the files so that this or another broker goes on from there. */
  @Override
  public Future<?> stop() {
    stopping = true;
    if (!rules.enabled()) {
      return Future.succeededFuture();
    }
    vertx.cancelTimer(wakeTimer);
    Future<Void> drained = inFlight == null ? Future.succeededFuture() : inFlight.future();
    return drained.eventually(() -> forcing).eventually(this::end).eventually(() -> forcer.close());
  }

  private TimerChecks newChecks() {
    return new TimerChecks(topic, rules.slave(), new TimerCheckFile(rules.root(), Disk.real()));
  }

  private TimerRecovery recovery() {
    return new TimerRecovery(topic, rules, storeHost, clock, Disk.real());
  }

  private void begin() {
    TimerRecovery recovery = recovery();
    if (recovery.isNeeded()) {
      timers = recovery.run();
      publish();
    }
  }

  private void arrived(Arrivals arrivals) {
    watching = false;
    work();
  }

  private void work() {
    if (inFlight != null || stopping) {
      return;
    }
    // Whatever goes wrong below, there is another turn.
    wakeIn(LONGEST_PAUSE_MS);
    try {
      if (!damage.isEmpty() && !putAside()) {
        return;
      }
      if (timers == null) {
        begin();
      }
      if (timers == null) {
        watch(0);
      } else {
        turn();
      }
    } catch (DamagedTimersException damaged) {
      damage = damaged.getMessage();
      damagePhy = topic.appendedOffset();
      nextTurn.arm();
    } catch (IOException | StoreException failure) {
      if (notWritten.due()) {
        log.error("timers cannot go on and try again suppressed={}", notWritten.takeSuppressed(), failure);
      }
    }
  }

  /** Lets go of damaged files, so that they are made again; false while they are forced, or the log cannot be read to its end. */
  private boolean putAside() throws IOException {
    if (!forcing.isComplete() || topic.readableOffset() < damagePhy) {
      return false;
    }
    if (timers != null) {
      timers.close();
      timers = null;
    }
    recovery().putAside(damage);
    checks = newChecks();
    rates = new TimerRates();
    damage = "";
    return true;
  }

  private void turn() throws IOException {
    boolean more = timers.take();
    if (!rules.slave()) {
      batch.clear();
      more |= timers.fill(batch);
    } else {
      follow();
    }
    publish();
    if (batch.count() > 0) {
      inFlight = Promise.promise();
      commitLog.append(batch);
    } else if (more) {
      nextTurn.arm();
    } else {
      wakeIn(rules.slave() ? LONGEST_PAUSE_MS : timers.nextMs() - clock.millis());
      if (!timers.blocked()) {
        watch(timers.next());
      }
    }
  }

  private void returned(AppendBatch back) {
    boolean allStored = timers.settle(back);
    batch.clear();
    Promise<Void> waiting = inFlight;
    inFlight = null;
    waiting.complete();
    publish();
    if (allStored) {
      work();
    } else {
      wakeIn(LONGEST_PAUSE_MS);
    }
  }

  private void wakeIn(long pauseMs) {
    vertx.cancelTimer(wakeTimer);
    wakeTimer = vertx.setTimer(Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, pauseMs)), over -> work());
  }

  private void watch(long queueOffset) {
    if (!watching) {
      watching = true;
      Watches watches = new Watches(sender);
      watches.add(Topics.TIMER, StoredTimers.QUEUE_ID, queueOffset);
      dispatcher.watch(watches);
    }
  }

  private void masterIs(MasterTimers now) {
    master = masterProgress.heard(now);
    work();
  }

  private void follow() throws IOException {
    if (master != null && timers.follow(master)) {
      master = null;
    }
  }

  private void publish() {
    progress.at(timers.places(), timers.waiting());
  }

  private void sample() {
    if (timers != null) {
      rates.sample(clock.nanos(), timers.taken(), timers.delivered(), progress);
    }
  }

  private void writeDown() {
    if (timers != null && damage.isEmpty() && !stopping && forcing.isComplete()) {
      checks.next(timers).ifPresent(this::writeDown);
    }
  }

  private void writeDown(Forcing task) {
    forcing = forcer.<Void>executeBlocking(() -> {
      task.force();
      return null;
    }).onSuccess(done -> {
      checks.done();
      deleteOld();
    }).onFailure(failure -> {
      checks.failed();
      if (notWritten.due()) {
        log.error("the progress of timers cannot be written suppressed={}", notWritten.takeSuppressed(), failure);
      }
    }).otherwiseEmpty();
  }

  private void deleteOld() {
    try {
      while (timers.deleteOldest(checks.safeMs())) {
        log.info("a file of the timer log is over and deleted");
      }
    } catch (IOException failure) {
      log.warn("a file of the timer log cannot be deleted", failure);
    }
  }

  /** The order is that of {@link TimerChecks}: the log first. What it takes too long to force, the next start reads. */
  private Future<Void> end() {
    if (timers == null) {
      return Future.succeededFuture();
    }
    Promise<Void> ended = Promise.promise();
    long endPhy = topic.appendedOffset();
    long deadlineNs = clock.nanos() + FLUSH_LIMIT_MS * 1_000_000;
    vertx.eventBus().send(BusAddress.FLUSH, new FlushNudge(0), LocalBus.LOCAL);
    vertx.setPeriodic(FLUSH_LOOK_MS, look -> {
      boolean flushed = topic.flushedOffset() >= endPhy;
      if (flushed || clock.nanos() - deadlineNs >= 0) {
        vertx.cancelTimer(look);
        end(flushed, endPhy);
        ended.complete();
      }
    });
    return ended.future();
  }

  private void end(boolean flushed, long endPhy) {
    try {
      if (flushed && damage.isEmpty()) {
        if (!rules.slave()) {
          timers.end();
        }
        checks.last(timers, endPhy);
      }
    } catch (IOException failure) {
      log.warn("the progress of timers was not written at the end, the next start reads it from the log", failure);
    } finally {
      timers.close();
    }
  }
}
