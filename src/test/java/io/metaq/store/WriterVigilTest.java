package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.bus.AppendBatch;
import io.metaq.bus.Backlog;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.model.AppendStatus;
import io.metaq.model.QueueHandle;
import io.metaq.model.Vigil;
import io.metaq.store.service.CommitLogProxy;
import io.metaq.store.service.CommitLogVerticle;
import io.metaq.store.service.FlushOptions;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A writer whose vigils end by hand: between two batches of a loop its thread is never given back. */
class WriterVigilTest {
  private static final long LIMIT_S = 60;
  private static final long LENGTH_MS = 1_000;
  private static final int LOOPS = 1;

  @TempDir
  Path root;

  private final HandClock clock = new HandClock();
  private final Backlog backlog = new Backlog(LOOPS);
  private final BlockingQueue<AppendBatch> returned = new LinkedBlockingQueue<>();
  private Vertx vertx;
  private TestStore test;
  private String writer;

  @BeforeEach
  void setUp() throws Exception {
    vertx = Vertx.vertx();
    LocalBus.install(vertx);
    test = TestStore.open(TestStore.options(root), (segment, from, to) -> { }, new TestProbe());
    for (int sender = 0; sender <= LOOPS; sender++) {
      vertx.eventBus().<AppendBatch>localConsumer(BusAddress.appended(sender), batch -> returned.add(batch.body()));
    }
    writer = await(vertx.deployVerticle(
        new CommitLogVerticle(test.store.log(), new FlushOptions(false, 500, 4, 10_000, 0, 0), new Nudge(), new Nudge(), new Nudge(), backlog,
            new Vigil(clock, LENGTH_MS * 1_000_000)),
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName("writer").setWorkerPoolSize(1)));
  }

  @AfterEach
  void tearDown() throws Exception {
    awaitOverVigils(vertx.close());
    test.close();
  }

  @Test
  void shouldAppendEveryBatchOfALoopThoughNoVigilEnds() throws Exception {
    CommitLogProxy loop = new CommitLogProxy(vertx, backlog);

    for (int i = 0; i < 200; i++) {
      loop.append(batch(0));

      assertThat(outcome()).isEqualTo(AppendStatus.STORED);
    }
  }

  @Test
  void shouldAppendWhatOthersSendWhenItsVigilIsOver() throws Exception {
    new CommitLogProxy(vertx, backlog).append(batch(0));
    assertThat(outcome()).isEqualTo(AppendStatus.STORED);

    new CommitLogProxy(vertx).append(batch(LOOPS));

    overVigils(() -> !returned.isEmpty());
    assertThat(outcome()).isEqualTo(AppendStatus.STORED);
  }

  @Test
  void shouldStopWhenItsVigilIsOver() throws Exception {
    new CommitLogProxy(vertx, backlog).append(batch(0));
    assertThat(outcome()).isEqualTo(AppendStatus.STORED);

    awaitOverVigils(vertx.undeploy(writer));
  }

  private static AppendBatch batch(int sender) {
    TestRecords records = new TestRecords();
    records.add("orders", 0, "message");
    AppendBatch batch = new AppendBatch(sender);
    batch.reserve(records.size(0));
    batch.bytes().put(0, records.bytes(), 0, records.size(0));
    batch.add(new QueueHandle("orders", 0), records.size(0));
    return batch;
  }

  private AppendStatus outcome() throws InterruptedException {
    AppendBatch batch = returned.poll(LIMIT_S, TimeUnit.SECONDS);
    assertThat(batch).isNotNull();
    return batch.status(0);
  }

  private void awaitOverVigils(Future<?> future) throws Exception {
    overVigils(future::isComplete);
    await(future);
  }

  /** Ends vigils, those that begin meanwhile too, until it is so. */
  private void overVigils(BooleanSupplier state) {
    long giveUpNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (!state.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is over").isLessThan(giveUpNs);
      clock.advance(LENGTH_MS);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }
}
