package io.metaq.broker;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.Arrivals;
import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Watermark;
import io.metaq.codec.remoting.UniqueKeys;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.Verdict;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.net.Connection;
import io.metaq.net.RemotingServer;
import io.metaq.net.WakefulLoop;
import io.metaq.store.service.CommitLogProxy;
import io.metaq.store.service.DispatchProxy;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop of the broker: its connections, its batches in flight, its waiting acknowledgements, its parked pulls. Deployed
 * once for each loop, all on the same ports; shares nothing with its twins.
 */
@OwnedBy("its event loop")
public final class BrokerVerticle extends VerticleBase {
  /** Older clients send to the port this far below the broker's, their "VIP channel". */
  public static final int VIP_PORT_DISTANCE = 2;

  static final int READ_WORKERS = 4;

  private static final long SWEEP_MS = 100;
  private static final long DRAIN_LIMIT_MS = 3_000;
  private static final Logger log = LoggerFactory.getLogger(BrokerVerticle.class);

  private final BrokerServices services;
  private final int loop;

  private final List<MessageConsumer<?>> consumers = new ArrayList<>();
  private final List<RemotingServer> servers = new ArrayList<>();
  private WorkerExecutor readWorkers;
  private SendPipe pipe;
  private VerdictPipe verdicts;
  private PopPipe pops;
  private SettlePipe settlements;
  private PullHandler pulls;
  private ColdReads reads;
  private boolean sampling;

  /**
   * @param loop number of this instance, from 0; also its sender number at the commit log
   */
  public BrokerVerticle(BrokerServices services, int loop) {
    this.services = services;
    this.loop = loop;
  }

  @Override
  public Future<?> start() {
    readWorkers = vertx.createSharedWorkerExecutor("metaq-read", READ_WORKERS);
    LoopTopics topics = new LoopTopics();
    LoopGroups groups = new LoopGroups();
    Filters filters = new Filters(services.options().propertyFilter());
    MasterSight master = new MasterSight();
    ParkedPulls parked = new ParkedPulls(context, new DispatchProxy(vertx), loop);
    reads = new ColdReads(context, readWorkers, services.store());
    LoopFigures figures = services.figures().loop(loop);
    pipe = new SendPipe(
        context, loop, new CommitLogProxy(vertx, services.appends()), services.replicas(), services.clock(), services.options(), figures,
        new SendVigils(new WakefulLoop(context), services.vigils()));
    verdicts = new VerdictPipe(context, loop, services.transactions(), services.replicas(), services.clock(), services.options());
    pops = new PopPipe(context, services.pops(), loop);
    settlements = new SettlePipe(context, services.pops());
    OffsetSink offsets = new OffsetSink(context, services.offsets());
    LoopResets resets = new LoopResets(services.offsets());
    HeldProgress held = new HeldProgress(loop, groups, offsets);
    pulls =
        new PullHandler(
            context, services.options(), topics, groups, filters, services.groups(), offsets, resets, held, services.store(), reads,
            parked, master, services.clock(), figures);
    RequestHandler consumerOffsets =
        new ConsumerOffsetHandler(topics, groups, services.groups(), offsets, resets, held, services.store(), reads);
    LoopConnections connections = new LoopConnections(router(topics, groups, filters, consumerOffsets, master, figures), this::closed);
    Relays relays = new Relays(connections);
    Deltas deltas = new Deltas(topics, groups, held, resets, pulls, pops, connections, state -> {
      master.apply(state);
      pulls.masterChanged();
    });

    listen(BusAddress.appended(loop), "appended", (AppendBatch batch) -> pipe.returned(batch));
    listen(BusAddress.watermark(loop), "watermark", (Watermark reached) -> {
      pipe.watermark(reached);
      verdicts.watermark(reached);
    });
    listen(BusAddress.arrivals(loop), "arrivals", (Arrivals arrivals) -> pulls.arrived(arrivals));
    listen(BusAddress.popped(loop), "popped", (List<PopAnswer> answers) -> pops.answered(answers));
    listen(BusAddress.deltas(loop), "delta", deltas::apply);
    consumers.add(vertx.eventBus().localConsumer(BusAddress.relays(loop), Guard.<Relay>replying("relay", message ->
        relays.send(message.body()).onSuccess(outcome -> message.reply(outcome, LocalBus.LOCAL)))));
    vertx.setPeriodic(SWEEP_MS, timer -> {
      pipe.sweep();
      verdicts.sweep();
      pulls.sweep();
    });
    if (loop == 0) {
      GroupWatch watch = new GroupWatch(
          services.options(), topics, groups, services.groups(), services.offsets(), new MemberQueues(new RelayProxy(vertx)),
          services.store(), reads, services.figures(), services.clock());
      vertx.setPeriodic(BrokerFigures.SAMPLE_EVERY_MS, timer -> sample());
      vertx.setPeriodic(Math.min(GroupWatch.LOOK_EVERY_MS, services.options().standstillMs()), timer -> watch.look());
    }
    return Future.all(
            services.topics().snapshot().onSuccess(topics::apply),
            services.groups().snapshot().onSuccess(groups::apply).compose(known -> services.offsets().holds()).onSuccess(held::apply))
        .compose(tables -> RemotingServer.listen(vertx, services.server(), connections))
        .onSuccess(servers::add)
        .compose(listening -> listenForOlderClients(connections));
  }

  /** Ordered, so that there is one sampler at a time; one that is late is not waited for by more than one. */
  private void sample() {
    if (!sampling) {
      sampling = true;
      readWorkers.executeBlocking(() -> {
        services.figures().sample();
        return null;
      }).onComplete(done -> sampling = false).onFailure(failure -> log.warn("figures were not sampled", failure));
    }
  }

  private Future<?> lastFigures() {
    if (loop != 0) {
      return Future.succeededFuture();
    }
    return readWorkers.executeBlocking(() -> {
      services.figures().save();
      return null;
    });
  }

  /** A broker without this port still serves every client of today, so a port that is taken is only told. */
  private Future<Void> listenForOlderClients(LoopConnections connections) {
    int port = port() - VIP_PORT_DISTANCE;
    if (port <= 0) {
      return Future.succeededFuture();
    }
    return RemotingServer.listen(vertx, services.server().withPort(port), connections)
        .onSuccess(servers::add)
        .onFailure(taken ->
            log.warn("the port of older clients' VIP channel is not served port={} cause={}", port, taken.getMessage()))
        .otherwiseEmpty()
        .mapEmpty();
  }

  /**
   * Takes no connections and no requests any more, answers what is held, and completes when nothing is in flight or after {@value
   * #DRAIN_LIMIT_MS} ms.
   */
  @Override
  public Future<?> stop() {
    pulls.stop();
    pops.stop();
    servers.forEach(server -> server.connections().forEach(Connection::pauseReading));
    return ofServers(RemotingServer::stopAccepting)
        .eventually(this::drained)
        .eventually(() -> ofServers(RemotingServer::close))
        .eventually(() -> Future.all(consumers.stream().map(MessageConsumer::unregister).toList()))
        .eventually(this::lastFigures)
        .eventually(() -> readWorkers.close());
  }

  /** The port this broker listens on. */
  public int port() {
    return servers.get(0).port();
  }

  private Future<?> ofServers(Function<RemotingServer, Future<Void>> action) {
    return Future.all(servers.stream().map(action).toList());
  }

  private Future<Void> drained() {
    Promise<Void> drained = Promise.promise();
    long deadlineNs = services.clock().nanos() + DRAIN_LIMIT_MS * 1_000_000;
    vertx.setPeriodic(10, timer -> {
      pulls.stop();
      pops.stop();
      if (pipe.idle() && verdicts.idle() && pops.idle() && settlements.idle() && reads.idle() || services.clock().nanos() - deadlineNs >= 0) {
        vertx.cancelTimer(timer);
        drained.complete();
      }
    });
    return drained.future();
  }

  private void closed(Connection connection) {
    pipe.gone(connection);
    verdicts.gone(connection);
    pops.gone(connection);
    settlements.gone(connection);
    pulls.gone(connection);
    services.groups().closed(loop, connection.id());
  }

  private RequestRouter router(
      LoopTopics topics, LoopGroups groups, Filters filters, RequestHandler consumerOffsets, MasterSight master,
      LoopFigures figures) {
    BrokerOptions options = services.options();
    OwnAppends appends = new OwnAppends(options, pipe);
    RelayProxy relays = new RelayProxy(vertx);
    PendingTopics pendingTopics = new PendingTopics(services.topics(), topics);
    RetrySends retrySends = new RetrySends(services.groups(), services.topics(), topics);
    RequestHandler sends = new SendHandler(
        options, services.clock(), topics, pipe, pendingTopics, retrySends, new UniqueKeys(services.clock(), new SplittableRandom()));
    RequestHandler queueOffsets = new QueueOffsetHandler(services.store(), reads);
    RequestHandler clients = new ClientHandler(loop, groups, filters, services.groups());
    RequestHandler locks = new LockHandler(services.groups());
    RequestHandler lookUps = new LookUpHandler(options, services.store(), reads);
    RequestHandler sendBack = new SendBackHandler(
        options, topics, services.groups(), services.topics(), services.store(), reads, appends, services.figures().loop(loop));
    RequestHandler replies = new ReplyHandler(
        options, services.admin(), topics, services.topics(), services.groups(), relays, appends, services.clock());
    RequestHandler tables = new TablesHandler(services.tables(), services.timers(), services.clock());
    RequestHandler runtimeInfo = new RuntimeInfoHandler(
        services.admin(), groups, services.groups(), services.figures(), services.store(), services.disk(), services.replicas(),
        services.timers(), services.tables(), reads, services.clock());
    RequestRouter router =
        RequestRouter.of(
            sends, pulls, consumerOffsets, queueOffsets, clients, locks, lookUps, sendBack, tables, runtimeInfo,
            new EndTransactionHandler(verdicts, options.acknowledgesLater() ? loop : Verdict.NOBODY), replies)
            .with(popHandlers(topics, groups, filters, figures))
            .with(Map.of(RequestCode.RECALL_MESSAGE, new RecallHandler(options, topics, appends, services.clock())))
            .with(AdminHandlers.of(services, topics, groups, relays, reads, master));
    return options.slave() ? router.onSlave(options, master) : router;
  }

  private Map<RequestCode, RequestHandler> popHandlers(LoopTopics topics, LoopGroups groups, Filters filters, LoopFigures figures) {
    RequestHandler pop = new PopHandler(
        services.options(), services.popOptions(), topics, groups, filters, services.groups(), pops, services.clock(), figures);
    RequestHandler ack = new AckHandler(services.options(), services.popOptions(), topics, settlements);
    RequestHandler assignment = new AssignmentHandler(
        services.options(), services.popOptions(), topics, groups, services.requestModes(), services.registration());
    return Map.of(
        RequestCode.QUERY_ASSIGNMENT, assignment,
        RequestCode.POP_MESSAGE, pop,
        RequestCode.PEEK_MESSAGE, pop,
        RequestCode.NOTIFICATION, pop,
        RequestCode.ACK_MESSAGE, ack,
        RequestCode.BATCH_ACK_MESSAGE, ack,
        RequestCode.CHANGE_MESSAGE_INVISIBLE_TIME, ack,
        RequestCode.POLLING_INFO, new PollingInfoHandler(services.options(), topics, services.groups(), services.pops()));
  }

  private <T> void listen(String address, String what, Handler<T> handler) {
    consumers.add(vertx.eventBus().localConsumer(address, Guard.logged(what, handler)));
  }
}
