package io.metaq.replication;

import io.metaq.FreePorts;
import io.metaq.bus.AppendBatch;
import io.metaq.bus.Backlog;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.Watermark;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.AppendStatus;
import io.metaq.model.BrokerRole;
import io.metaq.model.Clock;
import io.metaq.model.QueueHandle;
import io.metaq.model.Vigil;
import io.metaq.store.FlushMode;
import io.metaq.store.LogRange;
import io.metaq.store.MessageStore;
import io.metaq.store.StoreOptions;
import io.metaq.store.service.CommitLogProxy;
import io.metaq.store.service.CommitLogVerticle;
import io.metaq.store.service.DispatchVerticle;
import io.metaq.store.service.FlushOptions;
import io.metaq.store.service.FlushVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The store and the replication of one broker, without its network of clients. Files of the log are small. */
class TestNode implements AutoCloseable {
  static final int LOG_FILE = 64 * 1024;
  static final long PATIENCE_MS = 60_000;
  static final String TOPIC = "orders";

  final Vertx vertx;
  final MessageStore store;
  final int port;
  final ReplicaProgress progress = new ReplicaProgress();
  final Queue<Long> replicated = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<AppendBatch> returned = new ArrayBlockingQueue<>(1);
  private final QueueHandle queue = new QueueHandle(TOPIC, 0);
  private final Deployments deployed;

  TestNode(Path folder, boolean syncFlush, ReplicationOptions options) throws Exception {
    this(storeOptions(folder, syncFlush), options, false);
  }

  TestNode(StoreOptions files, ReplicationOptions options, boolean nativeTransport) throws Exception {
    boolean syncFlush = files.flushMode() == FlushMode.SYNC_FLUSH;
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(nativeTransport));
    LocalBus.install(vertx);
    deployed = new Deployments(vertx);
    Clock clock = Clock.system();
    store = MessageStore.open(files, clock, line -> { });
    port = options.port();
    Nudge dispatch = new Nudge();
    Nudge replicate = new Nudge();
    FlushOptions flush = TestNode.flush(syncFlush);
    deployed.worker(new FlushVerticle(store.flusher(), flush, clock, dispatch, replicate, failure -> { }), "flush");
    deployed.worker(new DispatchVerticle(store.dispatcher(), store.view(), clock, dispatch, 1, 1000, failure -> { }), "dispatch");
    deployed.worker(
        new CommitLogVerticle(store.log(), flush, dispatch, replicate, new Nudge(), new Backlog(0), new Vigil(clock, 0)), "writer");
    vertx.eventBus().<AppendBatch>localConsumer(BusAddress.appended(0), message -> returned.add(message.body()));
    progress.await(0);
    vertx.eventBus().<Watermark>localConsumer(BusAddress.watermark(0), message -> {
      if (message.body().kind() == Watermark.Kind.REPLICATED) {
        replicated.add(progress.await(0));
        replicated.add(message.body().phyOffset());
      }
    });
    deployed.eventLoop(new ReplicationVerticle(options, store.view(), progress, replicate, clock));
  }

  static StoreOptions storeOptions(Path folder, boolean syncFlush) {
    return StoreOptions.of(folder).withSizes(LOG_FILE, 6000, 1000, 10_000)
        .withFlushMode(syncFlush ? FlushMode.SYNC_FLUSH : FlushMode.ASYNC_FLUSH);
  }

  static FlushOptions flush(boolean syncFlush) {
    return new FlushOptions(syncFlush, 50, 4, 10_000, 0, 0);
  }

  static ReplicationOptions master(int slavesNeeded) {
    return master(slavesNeeded, 5_000);
  }

  static ReplicationOptions master(int slavesNeeded, long heartbeatMs) {
    return new ReplicationOptions(BrokerRole.ASYNC_MASTER, "127.0.0.1", FreePorts.next(), heartbeatMs, 20_000, 32 * 1024, 0, slavesNeeded,
        Optional.empty());
  }

  /** Appends messages one batch each; gives the end of the log behind them. */
  long append(int messages, int bodyBytes) throws Exception {
    CommitLogProxy writer = new CommitLogProxy(vertx);
    byte[] topic = TOPIC.getBytes(StandardCharsets.UTF_8);
    RecordEncoder encoder = new RecordEncoder(new byte[] {127, 0, 0, 1, 0, 0, 0x2a, (byte) 0x9f});
    long end = 0;
    for (int i = 0; i < messages; i++) {
      AppendBatch batch = new AppendBatch(0);
      encoder.topic(topic, 0, topic.length).properties(new byte[0], 0, 0)
          .body(ByteBuffer.wrap(("m" + i + "x".repeat(bodyBytes)).getBytes(StandardCharsets.UTF_8), 0, bodyBytes))
          .born(new byte[] {127, 0, 0, 1, 0, 0, 0, 1}, 1_700_000_000_000L).message(0, 0, 0, 0, 0);
      int size = encoder.size();
      batch.reserve(size);
      encoder.writeTo(batch.bytes(), 0);
      batch.add(queue, size);
      writer.append(batch);
      AppendBatch back = returned.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
      if (back == null || back.status(0) != AppendStatus.STORED) {
        throw new AssertionError("not stored: " + (back == null ? "no answer" : back.detail(0)));
      }
      end = back.endOffset(0);
    }
    return end;
  }

  long end() {
    return store.log().appendedOffset();
  }

  byte[] bytes(long from, long to) {
    return bytes(store, from, to);
  }

  /** The bytes of a log from {@code from} to {@code to}. */
  static byte[] bytes(MessageStore store, long from, long to) {
    ByteBuffer all = ByteBuffer.allocate((int) (to - from));
    long at = from;
    while (at < to) {
      LogRange range = store.view().range(at, to).orElseThrow();
      all.put(range.bytes().duplicate());
      at += range.size();
      range.release();
    }
    return all.array();
  }

  void stopReplication() throws Exception {
    deployed.stopLast();
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  static void until(String what, BooleanSupplier reached) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_MS * 1_000_000;
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + PATIENCE_MS + " ms: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  @Override
  public void close() throws Exception {
    deployed.stopAll();
    await(vertx.close());
    store.close();
  }
}
