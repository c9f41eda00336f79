package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.Backlog;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
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
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writer and flush on threads of their own, under ASYNC_FLUSH: which forces are seen from outside. */
class FlushThresholdsTest {
  private static final long LIMIT_S = 60;
  private static final int NEVER_MS = 3_600_000;
  private static final int MANY_PAGES = 1 << 20;

  @TempDir
  Path root;

  private final List<Long> forcedTo = new CopyOnWriteArrayList<>();
  private final BlockingQueue<AppendBatch> returned = new LinkedBlockingQueue<>();
  private Vertx vertx;
  private TestStore test;
  private CommitLogProxy writer;

  @BeforeEach
  void setUp() {
    vertx = Vertx.vertx();
    LocalBus.install(vertx);
    test = TestStore.open(TestStore.options(root), (segment, from, to) -> forcedTo.add(to), new TestProbe());
    writer = new CommitLogProxy(vertx);
    vertx.eventBus().<AppendBatch>localConsumer(BusAddress.appended(0), batch -> returned.add(batch.body()));
  }

  @AfterEach
  void tearDown() throws Exception {
    await(vertx.close());
    test.close();
  }

  @Test
  void shouldForceAfterEveryNMessages() throws Exception {
    deploy(new FlushOptions(false, NEVER_MS, MANY_PAGES, NEVER_MS, 3, 0));

    append(1);
    append(1);
    long third = append(1);
    awaitFlushed(third);
    append(2);
    long sixth = append(1);
    awaitFlushed(sixth);

    assertThat(forcedTo).containsExactly(third, sixth);
    assertThat(test.store.log().appendedMessages()).isEqualTo(6);
  }

  @Test
  void shouldForceOnceForAGroupOfMoreThanNMessages() throws Exception {
    deploy(new FlushOptions(false, NEVER_MS, MANY_PAGES, NEVER_MS, 3, 0));

    long end = append(10);
    awaitFlushed(end);

    assertThat(forcedTo).containsExactly(end);
    assertThat(test.store.flusher().dirtyBytes()).isZero();
  }

  @Test
  void shouldForceEachGroupWhenEveryMessageCounts() throws Exception {
    deploy(new FlushOptions(false, NEVER_MS, MANY_PAGES, NEVER_MS, 1, 0));

    long first = append(1);
    awaitFlushed(first);
    long second = append(1);
    awaitFlushed(second);

    assertThat(forcedTo).containsExactly(first, second);
  }

  @Test
  void shouldForceByTime() throws Exception {
    deploy(new FlushOptions(false, NEVER_MS, MANY_PAGES, NEVER_MS, 0, 20));

    long end = append(1);

    awaitFlushed(end);
    assertThat(forcedTo).containsExactly(end);
  }

  private void deploy(FlushOptions options) throws Exception {
    Nudge dispatch = new Nudge();
    deploy(new FlushVerticle(test.store.flusher(), options, Clock.system(), dispatch, new Nudge(), failure -> { }), "flush");
    deploy(new CommitLogVerticle(test.store.log(), options, dispatch, new Nudge(), new Nudge(),
        new Backlog(0), new Vigil(Clock.system(), 0)), "writer");
  }

  private void deploy(VerticleBase verticle, String pool) throws Exception {
    DeploymentOptions worker =
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName(pool).setWorkerPoolSize(1);
    await(vertx.deployVerticle(verticle, worker));
  }

  /** Appends a batch of messages, which is a group of its own; returns the end of the log. */
  private long append(int messages) throws InterruptedException {
    TestRecords records = new TestRecords();
    AppendBatch batch = new AppendBatch(0);
    for (int i = 0; i < messages; i++) {
      int from = i == 0 ? 0 : records.start(i - 1) + records.size(i - 1);
      records.add("orders", 0, "message " + i);
      batch.reserve(records.size(i));
      batch.bytes().put(from, records.bytes(), from, records.size(i));
      batch.add(new QueueHandle("orders", 0), records.size(i));
    }
    writer.append(batch);
    AppendBatch answer = returned.poll(LIMIT_S, TimeUnit.SECONDS);
    assertThat(answer).isNotNull();
    assertThat(answer.status(messages - 1)).isEqualTo(AppendStatus.STORED);
    return answer.endOffset(messages - 1);
  }

  private void awaitFlushed(long phyOffset) {
    long giveUpNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (test.store.flusher().flushedOffset() < phyOffset) {
      assertThat(System.nanoTime()).as("flushed up to %d", test.store.flusher().flushedOffset()).isLessThan(giveUpNs);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }
}
