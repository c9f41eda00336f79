package io.metaq.launcher;

import io.metaq.bridge.BridgeVerticle;
import io.metaq.broker.BrokerFigures;
import io.metaq.broker.BrokerServices;
import io.metaq.broker.BrokerVerticle;
import io.metaq.broker.FiguresFile;
import io.metaq.bus.Backlog;
import io.metaq.bus.Nudge;
import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.TimerProgress;
import io.metaq.coordinator.ConfigVerticle;
import io.metaq.coordinator.MasterTablesVerticle;
import io.metaq.coordinator.GroupCoordinatorVerticle;
import io.metaq.coordinator.OffsetCoordinatorVerticle;
import io.metaq.coordinator.PopVerticle;
import io.metaq.coordinator.RegistrationVerticle;
import io.metaq.coordinator.RequestModeVerticle;
import io.metaq.coordinator.ScheduleVerticle;
import io.metaq.coordinator.TimerVerticle;
import io.metaq.coordinator.TopicCoordinatorVerticle;
import io.metaq.coordinator.TransactionVerticle;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.PopProxy;
import io.metaq.coordinator.api.RegistrationProxy;
import io.metaq.coordinator.api.RequestModesProxy;
import io.metaq.coordinator.api.TablesProxy;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.coordinator.api.TransactionsProxy;
import io.metaq.model.Backoff;
import io.metaq.model.BrokerRole;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.Vigil;
import io.metaq.nameserver.NameServerVerticle;
import io.metaq.replication.FollowerVerticle;
import io.metaq.replication.ReplicationVerticle;
import io.metaq.store.MessageStore;
import io.metaq.store.RecoveryReport;
import io.metaq.store.service.CommitLogVerticle;
import io.metaq.store.service.DispatchVerticle;
import io.metaq.store.service.FlushVerticle;
import io.metaq.store.service.HousekeepingVerticle;
import io.metaq.store.service.GrowthProxy;
import io.metaq.store.service.LogCopyProxy;
import io.metaq.store.service.LogCopyVerticle;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the verticles of one process out of what several of them share: configuration, ports, store, nudges. */
@OwnedBy("the thread that starts the process")
final class Rooms {
  private static final Logger log = LoggerFactory.getLogger(Rooms.class);

  /** Between a slave's tries to follow its master. */
  private static final long SHORTEST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 5_000;
  /** Number of the pops' batches among the senders, behind the loops. */
  private static final int POP_SENDER = 3;

  private final Vertx vertx;
  private final RoomConfig config;
  private final Clock clock;
  private final Host host;
  private final int loops;
  private final Nudge dispatchNudge = new Nudge();
  private final Nudge replicateNudge = new Nudge();
  private final Nudge prepareNudge = new Nudge();
  private final ReplicaProgress replicaProgress = new ReplicaProgress();
  private final TimerProgress timerProgress = new TimerProgress();
  private final Backlog appends;
  private final long stayAwakeNs;
  private MessageStore store;
  private BrokerServices brokerServices;
  private int nextLoop;
  private RegistrationVerticle registration;

  /**
   * @param loops instances of the broker
   * @param host hears of what ends the process, and of what changes around it
   */
  Rooms(Vertx vertx, RoomConfig config, int loops, Clock clock, Host host) {
    this.vertx = vertx;
    this.config = config;
    this.loops = loops;
    this.appends = new Backlog(loops);
    this.clock = clock;
    this.host = host;
    this.stayAwakeNs = config.stayAwakeNs(Runtime.getRuntime().availableProcessors());
  }

  boolean hasStore() {
    return store != null;
  }

  /** Opens and recovers the store; takes as long as recovery does. */
  MessageStore openStore() {
    long startNs = clock.nanos();
    store = MessageStore.open(config.store(), clock, progress -> log.info("recovery: {}", progress));
    RecoveryReport report = store.report();
    report.warnings().forEach(warning -> log.warn("recovery: {}", warning));
    log.info("store is open root={} cleanExit={} scannedFrom={} logEnd={} tookMs={}", config.root(), report.cleanExit(),
        report.scannedFrom(), report.logEnd(), (clock.nanos() - startNs) / 1_000_000);
    return store;
  }

  /** A new one for each kind of wait on the way of a send. */
  private Vigil vigil() {
    return new Vigil(clock, stayAwakeNs);
  }

  Deployable nameServer() {
    return new NameServerVerticle(config.nameServer(), host::logLevel, clock);
  }

  Deployable housekeeping() {
    return new HousekeepingVerticle(store.preparer(), store.disk(), store.checkpointer(), store.retention());
  }

  Deployable flush() {
    return new FlushVerticle(store.flusher(), config.flush(), clock, dispatchNudge, replicateNudge, host::fatal);
  }

  /** Pops and timers watch queues besides the loops. */
  Deployable dispatch() {
    return new DispatchVerticle(
        store.dispatcher(), store.view(), clock, dispatchNudge, timerSender() + 1, config.queueFlushIntervalMs(), host::fatal);
  }

  /** The only writer of the log, as the broker's role wants it. */
  Deployable commitLog() {
    if (config.role() == BrokerRole.SLAVE) {
      return new LogCopyVerticle(store.logCopy(), growth());
    }
    return new CommitLogVerticle(store.log(), config.flush(), dispatchNudge, replicateNudge, prepareNudge, appends, vigil());
  }

  private GrowthProxy growth() {
    return new GrowthProxy(vertx, store.log(), config.flush().syncFlush(), dispatchNudge, prepareNudge);
  }

  /** It is the sender behind ScheduleVerticle, by number. */
  Deployable replication() {
    if (config.role() == BrokerRole.SLAVE) {
      return new FollowerVerticle(
          config.replication(), store.view(), new LogCopyProxy(vertx, store.logCopy(), growth()), replicaProgress, loops + 1, clock,
          new Backoff(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, new SplittableRandom()), host::beginAnew);
    }
    return new ReplicationVerticle(config.replication(), store.view(), replicaProgress, replicateNudge, clock);
  }

  Deployable configFiles() {
    return new ConfigVerticle(config.root().resolve("config"), clock);
  }

  Deployable topics() {
    return new TopicCoordinatorVerticle(config.coordinators().topics(), loops, clock);
  }

  Deployable groups() {
    return new GroupCoordinatorVerticle(config.coordinators().groups(), loops, clock);
  }

  Deployable offsets() {
    return new OffsetCoordinatorVerticle(config.coordinators().offsetSaveIntervalMs(), config.slave(), loops, clock);
  }

  Deployable requestModes() {
    return new RequestModeVerticle(clock);
  }

  /** It is the sender behind the loops, by number. */
  Deployable schedule() {
    refuseOnSlave("delivers delayed messages");
    return new ScheduleVerticle(
        store.view(), config.delayLevels(), loops, config.broker().storeHost(), config.coordinators().scheduleSaveIntervalMs(), clock);
  }

  /** It is the sender behind the schedule, by number. */
  Deployable transactions() {
    refuseOnSlave("ends transactions");
    return new TransactionVerticle(
        store.view(), config.transactions(), config.delayLevels(), loops + 1, config.broker().storeHost(), clock);
  }

  Deployable timers() {
    return new TimerVerticle(store.view(), config.timers(), timerSender(), config.broker().storeHost(), timerProgress, clock);
  }

  /** It is the sender behind the transactions, by number, and the last one that hears of arrivals. */
  private int timerSender() {
    return loops + 2;
  }

  /** It is the sender behind those of timers, by number, and watches queues as one loop more. */
  Deployable pops() {
    refuseOnSlave("gives messages to pops");
    return new PopVerticle(
        store.view(), config.pops(), loops, loops + POP_SENDER, config.broker().storeHost(), clock, new SplittableRandom(),
        store.flusher()::flushedOffset);
  }

  private void refuseOnSlave(String what) {
    if (config.slave()) {
      throw new StartFailure("brokerRole=SLAVE does not go with a descriptor that " + what + ", as only a master does;"
          + " use verticles/broker-slave.json, or the command broker");
    }
  }

  Deployable masterTables() {
    if (!config.slave()) {
      throw new StartFailure("a descriptor that follows a master's tables needs brokerRole=SLAVE");
    }
    return new MasterTablesVerticle(
        loops, MasterTablesVerticle.DEFAULT_PERIOD_MS, store.view()::readableOffset, clock, new SplittableRandom());
  }

  /** One of the loops; each call makes the next. */
  Deployable broker() {
    if (brokerServices == null) {
      LiveSettings live = new LiveSettings(config, permission -> new RegistrationProxy(vertx).permit(permission), host::logLevel, clock);
      brokerServices = new BrokerServices(
          config.brokerOptions(live::options),
          config.admin(live),
          config.brokerServer(),
          store.view(),
          store.disk(),
          new BrokerFigures(
              loops, clock, store.view()::counts, config.broker().cluster(), new FiguresFile(config.root().resolve("figures.json"))),
          new TopicsProxy(vertx),
          new GroupsProxy(vertx),
          new OffsetsProxy(vertx),
          new TablesProxy(vertx),
          new RegistrationProxy(vertx),
          replicaProgress,
          new TransactionsProxy(vertx),
          timerProgress,
          new PopProxy(vertx),
          config.popOptions(),
          new RequestModesProxy(vertx),
          appends,
          this::vigil,
          clock);
    }
    return new BrokerVerticle(brokerServices, nextLoop++);
  }

  Deployable registration() {
    registration = new RegistrationVerticle(config.registration(), clock, new SplittableRandom());
    return registration;
  }

  Deployable bridge() {
    return new BridgeVerticle(config.bridge(), clock);
  }

  Deployable probes() {
    return new BridgeVerticle(config.probes(), clock);
  }

  /** The one that makes the broker known; empty while there is none. */
  Optional<RegistrationVerticle> registrar() {
    return Optional.ofNullable(registration);
  }
}
