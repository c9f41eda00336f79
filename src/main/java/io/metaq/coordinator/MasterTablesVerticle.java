package io.metaq.coordinator;

import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.bus.QueueBegun;
import io.metaq.coordinator.api.MasterAddress;
import io.metaq.coordinator.api.MasterState;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.model.Backoff;
import io.metaq.model.Clock;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import io.metaq.net.RemotingLink;
import io.metaq.net.RemotingLinkOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.HostAndPort;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a slave's tables in step with its master's: topics, consumer groups, consumers' progress, progress of delayed delivery. Asks for
 * them when the connection to the master stands and every {@code periodMs} from then on, and tells the master what consumers committed
 * here while it was away. Progress is taken when the copy of the log has what it rests on. Asks at once when messages of a new topic came,
 * and takes the topic from the log when the master is lost before it answers: what was acknowledged can be read here. Tells the loops
 * whether the master answers. EVENT_LOOP x1, on slaves only; deployed after the coordinators. The file {@code delayOffset.json} is its
 * own, because nobody delivers delayed messages on a slave.
 */
@OwnedBy("itself")
public final class MasterTablesVerticle extends VerticleBase {
  public static final long DEFAULT_PERIOD_MS = 3_000;

  private static final Logger log = LoggerFactory.getLogger(MasterTablesVerticle.class);

  private static final long SHORTEST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 3_000;
  /** Between two looks whether the log has come to where told progress can be taken. */
  private static final long LOOK_MS = 50;
  private static final long WARNING_INTERVAL_MS = 60_000;
  private static final RemotingLinkOptions LINK = RemotingLinkOptions.defaults();

  private final int loops;
  private final long periodMs;
  private final Clock clock;
  private final Backoff backoff;
  private final RepeatedWarning refused;

  private final BegunTopics begun = new BegunTopics();
  private final PendingProgress progress;
  private DelayOffsetsFile delays = new DelayOffsetsFile(DataVersion.INITIAL, Map.of());
  private TableSaver<DelayOffsetsFile> saver;
  private MasterState state = MasterState.UNKNOWN;
  /** Null while not connected. */
  private RemotingLink link;
  private long timer = -1;
  private long lookTimer = -1;
  private int failures;
  private boolean stopping;

  /**
   * @param loops how many broker loops hear how the master is
   * @param periodMs pause between two rounds of questions
   * @param copiedOffset up to where the log is copied
   * @param random spreads the tries of many slaves after their master's restart
   */
  public MasterTablesVerticle(int loops, long periodMs, LongSupplier copiedOffset, Clock clock, RandomGenerator random) {
    this.loops = loops;
    this.periodMs = periodMs;
    progress = new PendingProgress(copiedOffset);
    this.clock = clock;
    refused = new RepeatedWarning(clock, WARNING_INTERVAL_MS);
    backoff = new Backoff(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, random);
  }

  @Override
  public Future<?> start() {
    ConfigProxy config = new ConfigProxy(vertx);
    saver = new TableSaver<>(config, DelayOffsetsFile.FORMAT, () -> delays);
    return config.load(DelayOffsetsFile.FORMAT).compose(stored -> {
      stored.ifPresent(content -> delays = content);
      return Future.all(
          vertx.eventBus().localConsumer(BusAddress.MASTER, Guard.<MasterAddress>logged("master's address", this::masterIs)).completion(),
          vertx.eventBus().localConsumer(BusAddress.QUEUE_BEGUN, Guard.<QueueBegun>logged("begun queue", this::begun)).completion(),
          config.serve(Table.DELAYS, DelayOffsetsFile.FORMAT, () -> delays, clock.millis()));
    });
  }

  @Override
  public Future<?> stop() {
    stopping = true;
    vertx.cancelTimer(timer);
    vertx.cancelTimer(lookTimer);
    if (link != null) {
      link.close();
    }
    return saver.saveChanged();
  }

  private void masterIs(MasterAddress master) {
    if (master.broker().equals(state.address())) {
      return;
    }
    log.info("the master of this slave is known address={} before={}", master.broker(), state.address());
    vertx.cancelTimer(timer);
    RemotingLink former = link;
    link = null;
    if (former != null) {
      former.close();
    }
    failures = 0;
    backoff.reset();
    progress.drop();
    tell(new MasterState(master.broker(), false));
    connect();
  }

  private void connect() {
    String address = state.address();
    HostAndPort master = HostAndPort.parseAuthority(address, -1);
    if (master == null) {
      log.error("the master's address cannot be read, its tables are not followed address={}", address);
      return;
    }
    RemotingLink.connect(vertx, master.host(), master.port(), LINK)
        .onSuccess(connected -> connected(address, connected))
        .onFailure(failure -> {
          if (address.equals(state.address())) {
            pause(failure);
          }
        });
  }

  private void connected(String address, RemotingLink connected) {
    if (stopping || !address.equals(state.address())) {
      connected.close();
      return;
    }
    link = connected;
    connected.closeFuture().onComplete(ended -> lost(connected, new IllegalStateException("it closed the connection")));
    follow(connected);
  }

  private void begun(QueueBegun queue) {
    boolean news = begun.isNews();
    begun.note(queue.topic(), queue.queueId());
    if (failures > 0) {
      takeFromLog();
    } else if (!news && link != null && vertx.cancelTimer(timer)) {
      askSoon(link);
    }
  }

  private void askSoon(RemotingLink asked) {
    timer = vertx.setTimer(Math.min(periodMs, SHORTEST_PAUSE_MS), over -> follow(asked));
  }

  private void takeFromLog() {
    Map<String, Integer> queues = begun.take();
    if (!queues.isEmpty()) {
      new FollowProxy(vertx).begunTopics(queues);
    }
  }

  private void follow(RemotingLink asked) {
    begun.asking();
    Consumer<MasterTold> told = progressTold -> {
      if (asked == link && !stopping) {
        progress.add(progressTold);
        takeProgress();
      }
    };
    new FollowRound(new ConfigProxy(vertx), new FollowProxy(vertx), asked, told, this::timersAre, refused).run()
        .onSuccess(topicsTaken -> followed(asked, topicsTaken))
        .onFailure(failure -> lost(asked, failure));
  }

  private void followed(RemotingLink asked, boolean topicsTaken) {
    if (asked != link || stopping) {
      return;
    }
    if (!state.reachable()) {
      log.info("the master's tables are followed address={} failedBefore={}", state.address(), failures);
      failures = 0;
      backoff.reset();
      tell(new MasterState(state.address(), true));
    }
    if (topicsTaken) {
      begun.settled();
    }
    if (begun.isNews()) {
      askSoon(asked);
    } else {
      timer = vertx.setTimer(periodMs, over -> follow(asked));
    }
  }

  private void takeProgress() {
    vertx.cancelTimer(lookTimer);
    progress.take().ifPresent(told -> {
      told.offsets().ifPresent(new FollowProxy(vertx)::progress);
      told.delays().ifPresent(this::delaysAre);
    });
    if (!progress.isEmpty()) {
      lookTimer = vertx.setTimer(LOOK_MS, over -> takeProgress());
    }
  }

  private void delaysAre(DelayOffsetsFile master) {
    if (!master.equals(delays)) {
      delays = master;
      saver.save();
    }
  }

  private void timersAre(MasterTimers master) {
    vertx.eventBus().send(MasterTimers.ADDRESS, master, LocalBus.LOCAL);
  }

  private void lost(RemotingLink lost, Throwable cause) {
    if (lost == link && !stopping) {
      link = null;
      vertx.cancelTimer(timer);
      lost.close();
      pause(cause);
    }
  }

  private void pause(Throwable cause) {
    if (stopping) {
      return;
    }
    if (failures++ == 0) {
      log.warn("the master does not answer, trying again address={} reason={}", state.address(), cause.getMessage());
    }
    takeFromLog();
    if (state.reachable()) {
      tell(new MasterState(state.address(), false));
    }
    timer = vertx.setTimer(backoff.nextMs(), over -> connect());
  }

  private void tell(MasterState next) {
    state = next;
    for (int loop = 0; loop < loops; loop++) {
      vertx.eventBus().send(BusAddress.deltas(loop), next, LocalBus.LOCAL);
    }
  }
}
