package io.metaq.replication;

import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.bus.ReplicaProgress;
import io.metaq.coordinator.api.MasterAddress;
import io.metaq.model.Backoff;
import io.metaq.model.BrokerRole;
import io.metaq.model.Clock;
import io.metaq.store.FlushMode;
import io.metaq.store.MessageStore;
import io.metaq.store.StoreOptions;
import io.metaq.store.service.DispatchVerticle;
import io.metaq.store.service.FlushVerticle;
import io.metaq.store.service.GrowthProxy;
import io.metaq.store.service.LogCopyProxy;
import io.metaq.store.service.LogCopyVerticle;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.Queue;

/** The store and the replication of one slave. */
final class TestSlave implements AutoCloseable {
  static final long SILENCE_MS = 3_000;
  private static final int SENDER = 2;

  final Vertx vertx = Vertx.vertx();
  final MessageStore store;
  final ReplicaProgress progress = new ReplicaProgress();
  final Queue<Long> beginnings = new ConcurrentLinkedQueue<>();
  private final Deployments deployed = new Deployments(vertx);

  TestSlave(Path folder, boolean syncFlush) throws Exception {
    LocalBus.install(vertx);
    Clock clock = Clock.system();
    store = MessageStore.open(options(folder).withFlushMode(syncFlush ? FlushMode.SYNC_FLUSH : FlushMode.ASYNC_FLUSH), clock, line -> { });
    Nudge dispatch = new Nudge();
    deployed.worker(new FlushVerticle(store.flusher(), TestNode.flush(syncFlush), clock, dispatch, new Nudge(), failure -> { }), "flush");
    deployed.worker(new DispatchVerticle(store.dispatcher(), store.view(), clock, dispatch, 1, 1000, failure -> { }), "dispatch");
    GrowthProxy growth = new GrowthProxy(vertx, store.log(), syncFlush, dispatch, new Nudge());
    deployed.worker(new LogCopyVerticle(store.logCopy(), growth), "writer");
    ReplicationOptions options = new ReplicationOptions(
        BrokerRole.SLAVE, "127.0.0.1", 0, 200, SILENCE_MS, 32 * 1024, 0, 0, Optional.empty());
    LogCopyProxy copy = new LogCopyProxy(vertx, store.logCopy(), growth);
    deployed.eventLoop(new FollowerVerticle(options, store.view(), copy, progress, SENDER, clock,
        new Backoff(1, 50, new Random(1)), beginnings::add));
  }

  static StoreOptions options(Path folder) {
    return StoreOptions.of(folder).withSizes(TestNode.LOG_FILE, 6000, 1000, 10_000);
  }

  TestSlave follow(int brokerPort, int haPort) {
    vertx.eventBus().send(BusAddress.MASTER, new MasterAddress("127.0.0.1:" + brokerPort, "127.0.0.1:" + haPort), LocalBus.LOCAL);
    return this;
  }

  TestSlave follow(TestMaster master) {
    return follow(master.brokerPort, master.port);
  }

  long end() {
    return store.log().appendedOffset();
  }

  void awaitEnd(long end) throws InterruptedException {
    TestNode.until("the slave has the log up to " + end, () -> end() >= end);
  }

  void awaitState(String part) throws InterruptedException {
    TestNode.until("state " + part, () -> progress.states().toString().contains(part));
  }

  byte[] bytes(long from, long to) {
    return TestNode.bytes(store, from, to);
  }

  @Override
  public void close() throws Exception {
    deployed.stopAll();
    TestNode.await(vertx.close());
    store.close();
  }
}
