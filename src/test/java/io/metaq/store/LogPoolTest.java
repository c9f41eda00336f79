package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.bus.AppendBatch;
import io.metaq.bus.Backlog;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.bus.Watermark;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.QueueHandle;
import io.metaq.model.Vigil;
import io.metaq.store.service.CommitLogProxy;
import io.metaq.store.service.CommitLogVerticle;
import io.metaq.store.service.FlushOptions;
import io.metaq.store.service.FlushVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Append and force under SYNC_FLUSH on one pool of two threads, as a broker has them, over a disk whose forces wait to be
 * let through, with vigils that never end by themselves.
 */
class LogPoolTest {
  private static final long LIMIT_S = 60;
  private static final String POOL = "log";
  private static final int THREADS = 2;
  private static final long VIGIL_NS = 1_000_000_000;

  @TempDir
  Path root;

  private final Semaphore forces = new Semaphore(0);
  private final Backlog backlog = new Backlog(1);
  private final BlockingQueue<Long> flushed = new LinkedBlockingQueue<>();
  private final BlockingQueue<AppendBatch> returned = new LinkedBlockingQueue<>();
  private Vertx vertx;
  private TestStore test;
  private CommitLogProxy writer;

  @BeforeEach
  void setUp() throws Exception {
    vertx = Vertx.vertx();
    LocalBus.install(vertx);
    test = TestStore.open(TestStore.options(root), (segment, from, to) -> letThrough(), new TestProbe());
    writer = new CommitLogProxy(vertx, backlog);
    vertx.eventBus().<AppendBatch>localConsumer(BusAddress.appended(0), batch -> returned.add(batch.body()));
    vertx.eventBus().<Watermark>localConsumer(BusAddress.watermark(0), watermark -> flushed.add(watermark.body().phyOffset()));
    FlushOptions syncFlush = new FlushOptions(true, 500, 4, 10_000, 0, 0);
    Nudge dispatch = new Nudge();
    deploy(new FlushVerticle(test.store.flusher(), syncFlush, Clock.system(), dispatch, new Nudge(), failure -> { }));
    deploy(new CommitLogVerticle(
        test.store.log(), syncFlush, dispatch, new Nudge(), new Nudge(), backlog, new Vigil(new HandClock(), VIGIL_NS)));
  }

  @AfterEach
  void tearDown() throws Exception {
    forces.release(1 << 20);
    await(vertx.close());
    test.close();
  }

  @Test
  void shouldAppendWhileAForceStalls() throws Exception {
    long first = append();
    long last = first;
    for (int i = 0; i < 100; i++) {
      last = append();
    }
    assertThat(flushed).isEmpty();

    forces.release();
    assertThat(flushed.poll(LIMIT_S, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(first);

    forces.release();
    assertThat(flushed.poll(LIMIT_S, TimeUnit.SECONDS)).as("all that came while the first force stalled is one group").isEqualTo(last);
  }

  /** Where the other thread is busy; were there a vigil for the next message, the force would wait for that. */
  @Test
  void shouldForceOnTheThreadThatAppended() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    vertx.createSharedWorkerExecutor(POOL, THREADS).executeBlocking(() -> busy.await(LIMIT_S, TimeUnit.SECONDS), false);
    forces.release(3);

    for (int i = 0; i < 3; i++) {
      long end = append();

      assertThat(flushed.poll(LIMIT_S, TimeUnit.SECONDS)).isEqualTo(end);
    }
    busy.countDown();
  }

  /** Appends one message that waits for the disk; returns its end once its batch is back. */
  private long append() throws InterruptedException {
    TestRecords records = new TestRecords();
    records.add("orders", 0, "message");
    AppendBatch batch = new AppendBatch(0);
    batch.reserve(records.size(0));
    batch.bytes().put(0, records.bytes(), 0, records.size(0));
    batch.add(new QueueHandle("orders", 0), records.size(0));
    batch.waiting();
    writer.append(batch);
    AppendBatch back = returned.poll(LIMIT_S, TimeUnit.SECONDS);
    assertThat(back).isNotNull();
    assertThat(back.status(0)).isEqualTo(AppendStatus.STORED);
    return back.endOffset(0);
  }

  private void letThrough() {
    forces.acquireUninterruptibly();
  }

  private void deploy(VerticleBase verticle) throws Exception {
    await(vertx.deployVerticle(verticle,
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName(POOL).setWorkerPoolSize(THREADS)));
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }
}
