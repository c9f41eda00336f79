package io.metaq.broker;

import io.metaq.FreePorts;
import io.metaq.bus.Backlog;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.TimerProgress;
import io.metaq.bus.Watermark;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.ConfigVerticle;
import io.metaq.coordinator.ConflictRule;
import io.metaq.coordinator.CoordinatorOptions;
import io.metaq.coordinator.CoordinatorOptions.GroupRules;
import io.metaq.coordinator.GroupCoordinatorVerticle;
import io.metaq.coordinator.OffsetCoordinatorVerticle;
import io.metaq.coordinator.PopRules;
import io.metaq.coordinator.PopVerticle;
import io.metaq.coordinator.RequestModeVerticle;
import io.metaq.coordinator.TopicCoordinatorVerticle;
import io.metaq.coordinator.TransactionRules;
import io.metaq.coordinator.TransactionVerticle;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.MasterState;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.PopProxy;
import io.metaq.coordinator.api.RegistrationProxy;
import io.metaq.coordinator.api.RequestModesProxy;
import io.metaq.coordinator.api.TableBody;
import io.metaq.coordinator.api.TablesProxy;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.coordinator.api.TransactionsProxy;
import io.metaq.model.AddressRanges;
import io.metaq.model.Clock;
import io.metaq.model.DelayLevels;
import io.metaq.model.Perm;
import io.metaq.model.RequestCode;
import io.metaq.model.Topics;
import io.metaq.model.Vigil;
import io.metaq.net.RemotingLink;
import io.metaq.net.RemotingLinkOptions;
import io.metaq.net.RemotingServerOptions;
import io.metaq.store.FlushMode;
import io.metaq.store.GetResult;
import io.metaq.store.MessageStore;
import io.metaq.store.StoreOptions;
import io.metaq.store.service.CommitLogVerticle;
import io.metaq.store.service.DispatchVerticle;
import io.metaq.store.service.FlushOptions;
import io.metaq.store.service.FlushVerticle;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A whole broker on two loops in this process, with a real store, real coordinators and a link to it. */
final class TestBroker implements AutoCloseable {
  /** Of append and force together, as in a broker. */
  static final String LOG_POOL = "log";
  static final int LOG_THREADS = 2;

  /** For what is to be waited for in vain. */
  private static final long SHORT_MS = 300;
  /** For what comes, whenever a machine that stands still for a moment lets it. */
  private static final long PATIENT_MS = 50_000;
  /** Readers farther from the end of the log than this are far behind. */
  static final int HOT_WINDOW_BYTES = 8 << 20;
  static final long MOST_BEHIND_BYTES = 1 << 20;
  private static final byte[] STORE_HOST = {127, 0, 0, 1, 0, 0, 0x2a, (byte) 0x9f};
  private static final long NEVER_MS = 3_600_000;
  /** Longest time a popped message may be invisible. */
  static final long MAX_INVISIBLE_MS = 3_600_000;
  private static final PopOptions POPS = new PopOptions(MAX_INVISIBLE_MS, true, false, -1);
  private static final int LOOPS = 2;
  private static final long STAY_AWAKE_NS = 50_000;
  private static final long ANSWER_LIMIT_MS = 60_000;

  static final TimerOptions TIMERS = new TimerOptions(true, 259_200_000, true);

  final ReplicaProgress replicas = new ReplicaProgress();
  final TimerProgress timers = new TimerProgress();
  private final Vertx vertx;
  private final MessageStore store;
  /** In the order of their start, as in a broker's process: they are stopped the other way round, since the last save needs the first. */
  private final Deque<String> deployments = new ArrayDeque<>();
  private final int port = FreePorts.next();
  private String flusher;
  private final String writer;
  private final String broker;
  private final Context linkLoop;
  private final RemotingLink link;

  TestBroker(Path folder, boolean syncFlush, boolean withFlush) throws Exception {
    this(folder, syncFlush, withFlush, options(syncFlush, 0, false, withFlush ? PATIENT_MS : SHORT_MS));
  }

  /** One that soon gives up waiting for its disk. */
  static TestBroker impatient(Path folder) throws Exception {
    return new TestBroker(folder, true, true, options(true, 0, false, SHORT_MS));
  }

  /** A slave with the id 1 over whatever the folder has; it hears of its master by {@link #masterIs}. */
  static TestBroker slave(Path folder, boolean slaveReads) throws Exception {
    return new TestBroker(folder, false, true, options(false, 1, slaveReads, PATIENT_MS));
  }

  /** One that waits for a slave, which is played by {@link #replicas} and {@link #replicated}. */
  static TestBroker syncMaster(Path folder, boolean syncFlush, boolean withFlush) throws Exception {
    return syncMaster(folder, syncFlush, withFlush, PATIENT_MS);
  }

  /** One that soon gives up waiting for its slave. */
  static TestBroker impatientSyncMaster(Path folder, boolean syncFlush, boolean withFlush) throws Exception {
    return syncMaster(folder, syncFlush, withFlush, SHORT_MS);
  }

  private static TestBroker syncMaster(Path folder, boolean syncFlush, boolean withFlush, long slaveTimeoutMs) throws Exception {
    return new TestBroker(folder, syncFlush, withFlush, options(
        syncFlush, 0, false, new ReplicaRules(1, slaveTimeoutMs, MOST_BEHIND_BYTES), true, 300_000, withFlush ? PATIENT_MS : SHORT_MS,
        TIMERS));
  }

  /** One that takes timers so. */
  static TestBroker withTimers(Path folder, TimerOptions timers) throws Exception {
    return new TestBroker(folder, false, true, options(false, 0, false, ReplicaRules.NONE, true, 300_000, PATIENT_MS, timers));
  }

  static TestBroker masterWithReadableSlave(Path folder) throws Exception {
    return new TestBroker(folder, false, true, options(false, 0, true, PATIENT_MS));
  }

  /** One that takes administrative requests from nobody here. */
  static TestBroker administeredFromElsewhere(Path folder) throws Exception {
    return new TestBroker(folder, false, true, options(false, 0, false, PATIENT_MS), AddressRanges.parse("192.0.2.0/24"));
  }

  /** One that is impatient with groups that stand still, and tells members to move rather than sending their readers. */
  static TestBroker withGroupsMovedByTheirMembers(Path folder, long standstillMs) throws Exception {
    return new TestBroker(folder, false, true, options(false, 0, false, ReplicaRules.NONE, false, standstillMs, PATIENT_MS, TIMERS));
  }

  /** One that takes no member into a group that contradicts the others. */
  static TestBroker refusingContradictions(Path folder) throws Exception {
    return new TestBroker(folder, false, true, options(false, 0, false, PATIENT_MS), AddressRanges.LOOPBACK,
        new GroupRules(true, true, 120_000, 10_000, ConflictRule.REFUSE), HOT_WINDOW_BYTES);
  }

  /** One that reads everything on its loops, for it is in memory. */
  static TestBroker withAllInMemory(Path folder) throws Exception {
    return new TestBroker(
        folder, false, true, options(false, 0, false, PATIENT_MS), AddressRanges.LOOPBACK, GroupRules.defaults(), Integer.MAX_VALUE);
  }

  private TestBroker(Path folder, boolean syncFlush, boolean withFlush, BrokerOptions brokerOptions) throws Exception {
    this(folder, syncFlush, withFlush, brokerOptions, AddressRanges.LOOPBACK);
  }

  private TestBroker(Path folder, boolean syncFlush, boolean withFlush, BrokerOptions brokerOptions, AddressRanges administrators)
      throws Exception {
    this(folder, syncFlush, withFlush, brokerOptions, administrators, GroupRules.defaults(), HOT_WINDOW_BYTES);
  }

  private TestBroker(
      Path folder, boolean syncFlush, boolean withFlush, BrokerOptions brokerOptions, AddressRanges administrators, GroupRules groups,
      int hotWindowBytes) throws Exception {
    vertx = Vertx.vertx();
    LocalBus.install(vertx);
    Clock clock = Clock.system();
    FlushMode mode = syncFlush ? FlushMode.SYNC_FLUSH : FlushMode.ASYNC_FLUSH;
    store = MessageStore.open(
        StoreOptions.of(folder).withSizes(16 << 20, 6000, 1000, 10_000).withFlushMode(mode).withHotWindow(hotWindowBytes), clock,
        line -> {});
    Backlog appends = new Backlog(LOOPS);
    Nudge dispatch = new Nudge();
    Nudge replicate = new Nudge();
    FlushOptions flush = new FlushOptions(syncFlush, 500, 4, 10_000, 0, 0);
    if (withFlush) {
      flusher = deploy(new FlushVerticle(store.flusher(), flush, clock, dispatch, replicate, failure -> {}), LOG_POOL, LOG_THREADS);
    }
    deploy(new DispatchVerticle(store.dispatcher(), store.view(), clock, dispatch, LOOPS + 1, 1000, failure -> {}), "dispatch");
    writer = deploy(new CommitLogVerticle(store.log(), flush, dispatch, replicate, new Nudge(), appends, vigil()), LOG_POOL, LOG_THREADS);
    deploy(new ConfigVerticle(folder.resolve("config"), clock), "config");
    CoordinatorOptions options = CoordinatorOptions.defaults("c", "b");
    deploy(new TopicCoordinatorVerticle(options.topics(), LOOPS, clock));
    deploy(new GroupCoordinatorVerticle(groups, LOOPS, clock));
    deploy(new OffsetCoordinatorVerticle(5000, false, LOOPS, clock));
    deploy(new RequestModeVerticle(clock));
    PopRules pops = new PopRules("b", Topics.reviveOf("c"), 8, 16, 32, 20, 1_000, 256 << 10, syncFlush);
    deploy(
        new PopVerticle(
            store.view(), pops, LOOPS, LOOPS + 3, brokerOptions.storeHost(), clock, new SplittableRandom(), store.flusher()::flushedOffset),
        "pop");
    AdminOptions admin = new AdminOptions(administrators, "127.0.0.1:" + port, "MetaQ test", new FixedConfig(Map.of("brokerName", "b")));
    BrokerServices services =
        new BrokerServices(
            brokerOptions, admin, RemotingServerOptions.of("127.0.0.1", port), store.view(), store.disk(),
            new BrokerFigures(LOOPS, clock, store.view()::counts, "c", new FiguresFile(folder.resolve("figures.json"))), new TopicsProxy(vertx),
            new GroupsProxy(vertx), new OffsetsProxy(vertx), new TablesProxy(vertx), new RegistrationProxy(vertx), replicas,
            new TransactionsProxy(vertx), timers, new PopProxy(vertx), POPS, new RequestModesProxy(vertx), appends, TestBroker::vigil, clock);
    AtomicInteger loop = new AtomicInteger();
    broker = deployed(vertx.deployVerticle(
        () -> new BrokerVerticle(services, loop.getAndIncrement()), new DeploymentOptions().setInstances(LOOPS)));
    linkLoop = vertx.getOrCreateContext();
    link = connect();
  }

  private static BrokerOptions options(boolean syncFlush, long brokerId, boolean slaveReads, long flushTimeoutMs) {
    return options(syncFlush, brokerId, slaveReads, ReplicaRules.NONE, true, 300_000, flushTimeoutMs, TIMERS);
  }

  private static BrokerOptions options(
      boolean syncFlush, long brokerId, boolean slaveReads, ReplicaRules rules, boolean serverSideReset, long standstillMs,
      long flushTimeoutMs, TimerOptions timers) {
    LiveOptions live = new LiveOptions(Perm.READ_WRITE, slaveReads, true, 1000, true, 32, 256 << 10, 1, false, 32);
    return new BrokerOptions("c", "b", brokerId, STORE_HOST, "DefaultRegion", true, 4 << 20, 18, syncFlush, flushTimeoutMs, rules, true,
        true, serverSideReset, standstillMs, timers, () -> live);
  }

  int port() {
    return port;
  }

  /** Sends a request from the link's own loop; in the order of the calls. */
  Future<RemotingCommand> request(RemotingCommand request) {
    Promise<RemotingCommand> answer = Promise.promise();
    linkLoop.runOnContext(hop -> link.request(request, ANSWER_LIMIT_MS).onComplete(answer));
    return answer.future();
  }

  private RemotingLink connect() throws Exception {
    Promise<RemotingLink> connected = Promise.promise();
    linkLoop.runOnContext(
        hop -> RemotingLink.connect(vertx, "127.0.0.1", port, RemotingLinkOptions.defaults()).onComplete(connected));
    return await(connected.future());
  }

  /** Tells every loop how this slave's master is, and returns when the one that serves the link knows where. */
  void masterIs(MasterState state) throws Exception {
    for (int loop = 0; loop < LOOPS; loop++) {
      vertx.eventBus().send(BusAddress.deltas(loop), state, LocalBus.LOCAL);
    }
    while (!ask(send("T", 0, "refused")).remark().endsWith(state.address())) {
      Thread.onSpinWait();
    }
  }

  /** Begins to end transactions; nobody is asked about one. */
  void startTransactions() throws Exception {
    TransactionRules rules = new TransactionRules(NEVER_MS, NEVER_MS, 15, NEVER_MS, 4096, TransactionRules.DEFAULT_SPAN);
    deploy(new TransactionVerticle(store.view(), rules, DelayLevels.DEFAULT, LOOPS, STORE_HOST, Clock.system()), "transactions");
  }

  /** Delivers delayed messages, and has come to where this table says. */
  void delays(String json) throws Exception {
    TableBody table = new TableBody(json.getBytes(StandardCharsets.UTF_8), 0);
    await(vertx.eventBus().localConsumer(TablesProxy.Table.DELAYS.address(), message -> message.reply(table, LocalBus.LOCAL)).completion());
  }

  void stopFlush() throws Exception {
    await(undeploy(flusher));
  }

  void stopWriter() throws Exception {
    await(undeploy(writer));
  }

  /** Stops the broker's loops; the rest goes on. */
  Future<Void> stopBroker() {
    return undeploy(broker);
  }

  /** A slave acknowledges the log up to here. */
  void replicated(long phyOffset) {
    replicas.inSync(phyOffset);
    for (int loop = 0; loop < LOOPS; loop++) {
      vertx.eventBus().send(BusAddress.watermark(loop), new Watermark(Watermark.Kind.REPLICATED, phyOffset), LocalBus.LOCAL);
    }
  }

  long appendedMessages() {
    return store.log().appendedMessages();
  }

  long appendedOffset() {
    return store.log().appendedOffset();
  }

  /** Next offset of a queue. */
  long maxOffset(String topic, int queueId) {
    return store.view().maxOffset(topic, queueId);
  }

  /** The message at an offset of a queue, when consumers can read it there. */
  StoredMessage stored(String topic, int queueId, long queueOffset) {
    awaitDispatched(topic, queueId, queueOffset + 1);
    GetResult found = store.view().get(topic, queueId, queueOffset, 1, 1 << 20, tagsCode -> true);
    StoredMessage message = StoredMessage.decode(found.slices().get(0).bytes(), 0);
    found.release();
    return message;
  }

  /** How many answers there is memory for that are copied from queue 0 of the topic, where another topic's messages lie in between. */
  int spareCopies(String topic) {
    List<GetResult> taken = new ArrayList<>();
    GetResult next = cold(topic);
    while (next.slices().size() == 1) {
      taken.add(next);
      next = cold(topic);
    }
    next.release();
    taken.forEach(GetResult::release);
    return taken.size();
  }

  private GetResult cold(String topic) {
    return store.view().getCold(topic, 0, 0, 2, 1 << 20, tagsCode -> true);
  }

  /** Sends into queue 0 and returns when consumers can read it there. */
  void sendAndDispatch(String topic, String body) throws Exception {
    awaitDispatched(topic, 0, ask(send(topic, 0, body)).requireLong("queueOffset") + 1);
  }

  /** Returns when consumers can read so many messages of a queue. */
  void awaitDispatched(String topic, int queueId, long messages) {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_LIMIT_MS);
    while (maxOffset(topic, queueId) < messages) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("the message was never dispatched");
      }
      Thread.onSpinWait();
    }
  }

  /** Holds the thread of the {@code writer} or of {@code config} until the latch opens; returns when it is held. */
  void hold(String pool, CountDownLatch latch) throws Exception {
    hold(pool, 1, latch);
  }

  /** The same of a pool of so many threads. */
  void hold(String pool, int threads, CountDownLatch latch) throws Exception {
    CountDownLatch held = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      vertx.createSharedWorkerExecutor(pool).executeBlocking(() -> {
        held.countDown();
        return latch.await(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
      }, false);
    }
    if (!held.await(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("the thread of " + pool + " is busy");
    }
  }

  static RemotingCommand send(String topic, int queueId, String body) {
    return RemotingCommand.request(RequestCode.SEND_MESSAGE_V2)
        .ext("a", "pg").ext("b", topic).ext("c", "TBW102").ext("d", 4).ext("e", queueId).ext("f", 0).ext("g", 1).ext("h", 0)
        .ext("i", "TAGS\u0001a\u0002").ext("j", 0).body(body.getBytes(StandardCharsets.UTF_8));
  }

  static RemotingCommand pull(String topic, int queueId, long queueOffset, long holdMs) {
    return RemotingCommand.request(RequestCode.PULL_MESSAGE)
        .ext("consumerGroup", "g").ext("topic", topic).ext("queueId", queueId).ext("queueOffset", queueOffset).ext("maxMsgNums", 32)
        .ext("sysFlag", 0x2 | 0x4).ext("commitOffset", 0).ext("suspendTimeoutMillis", holdMs).ext("subscription", "*").ext("subVersion", 0);
  }

  RemotingCommand ask(RemotingCommand request) throws Exception {
    return await(request(request));
  }

  static <T> T await(Future<T> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new AssertionError("nothing happened in " + ANSWER_LIMIT_MS + " ms", late);
    }
  }

  @Override
  public void close() throws Exception {
    linkLoop.runOnContext(hop -> link.close());
    while (!deployments.isEmpty()) {
      await(undeploy(deployments.getLast()));
    }
    await(vertx.close());
    store.close();
  }

  private void deploy(Deployable verticle) throws Exception {
    deployed(vertx.deployVerticle(verticle));
  }

  /** Threads stay awake here as they do in a broker. */
  private static Vigil vigil() {
    return new Vigil(Clock.system(), STAY_AWAKE_NS);
  }

  private String deploy(Deployable verticle, String pool) throws Exception {
    return deploy(verticle, pool, 1);
  }

  private String deploy(Deployable verticle, String pool, int threads) throws Exception {
    return deployed(vertx.deployVerticle(
        verticle,
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName(pool).setWorkerPoolSize(threads)));
  }

  private String deployed(Future<String> deployment) throws Exception {
    String id = await(deployment);
    deployments.add(id);
    return id;
  }

  private Future<Void> undeploy(String id) {
    deployments.remove(id);
    return vertx.undeploy(id);
  }
}
