package io.metaq.coordinator;

import static io.metaq.coordinator.CoordinatorRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.WatchedVertx;
import io.metaq.bus.AppendBatch;
import io.metaq.bus.Arrivals;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.TimerProgress;
import io.metaq.bus.Watches;
import io.metaq.codec.store.TimerCheckLayout.TimerCheck;
import io.metaq.codec.store.TimerUnit;
import io.metaq.model.AppendStatus;
import io.metaq.model.TimerMoments;
import io.metaq.model.Topics;
import io.metaq.store.Disk;
import io.metaq.store.TimerCheckFile;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WatchedVertx.class)
class TimerVerticleTest {
  private static final int SENDER = CoordinatorRig.LOOPS;

  @TempDir Path folder;

  private final BlockingQueue<Object> writer = new LinkedBlockingQueue<>();
  private final BlockingQueue<Object> dispatcher = new LinkedBlockingQueue<>();
  private final TimerProgress progress = new TimerProgress();
  private CoordinatorRig rig;
  private FakeTimerTopic log;

  @BeforeEach
  void start(Vertx vertx) {
    rig = new CoordinatorRig(vertx, folder);
    log = new FakeTimerTopic(rig.clock);
    // The middle of a second: what is late is due 2 ms after its beginning.
    rig.clock.advance(500);
    await(vertx.eventBus().localConsumer(BusAddress.APPEND, message -> writer.add(message.body())).completion());
    await(vertx.eventBus().localConsumer(BusAddress.WATCH, message -> dispatcher.add(message.body())).completion());
    await(vertx.eventBus().localConsumer(BusAddress.FLUSH, message -> { }).completion());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldDeliverWhatIsDueAndGoOnBehindItAfterARestart() throws IOException {
    timer("a", -1_000);
    String deployment = deploy(true, false);

    AppendBatch batch = rig.next(writer, AppendBatch.class);
    assertThat(batch.sender()).isEqualTo(SENDER);
    assertThat(batch.count()).isEqualTo(1);
    giveBack(batch, AppendStatus.STORED);
    rig.undeploy(deployment);

    TimerCheck check = new TimerCheckFile(folder, Disk.real()).read(log.appendedOffset()).orElseThrow();
    assertThat(check.queueOffset()).isEqualTo(1);
    timer("b", -1_000);
    rig.clock.advance(1_000);
    deploy(true, false);
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);
    assertThat(log.queue("orders", 3)).extracting(message -> message.property("UNIQ_KEY")).containsExactly("a", "b");
  }

  @Test
  void shouldHearOfNewTimersFromTheDispatcher() {
    deploy(true, false);
    Watches watch = rig.next(dispatcher, Watches.class);
    assertThat(watch.topic(0)).isEqualTo(Topics.TIMER);
    assertThat(watch.queueOffset(0)).isZero();

    timer("a", -1_000);
    tellArrival();

    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);
    assertThat(rig.next(dispatcher, Watches.class).queueOffset(0)).isEqualTo(1);
  }

  @Test
  void shouldWakeWhenTheNextIsDueAndTryAgainWhatWasRefused() {
    timer("a", 300);
    deploy(true, false);
    rig.next(dispatcher, Watches.class);

    rig.clock.advance(400);
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.UNAVAILABLE);
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);

    assertThat(log.queue("orders", 3)).hasSize(1);
  }

  @Test
  void shouldWaitForTheBatchInFlightWhenItStops() {
    timer("a", -1_000);
    String deployment = deploy(true, false);
    AppendBatch batch = rig.next(writer, AppendBatch.class);

    Future<Void> stopped = rig.beginUndeploy(deployment);
    assertThat(stopped.isComplete()).isFalse();
    giveBack(batch, AppendStatus.STORED);
    await(stopped);

    deploy(true, false);
    rig.next(dispatcher, Watches.class);
    assertThat(writer).isEmpty();
  }

  @Test
  void shouldMakeTheIndexAgainWhenTheChainOfASecondIsBroken() throws IOException {
    timer("first", -1_000);
    timer("a", 2_100);
    timer("b", 2_100);
    deploy(true, false);
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);
    try (FileChannel file = FileChannel.open(folder.resolve("timerlog").resolve("0".repeat(20)), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(TimerUnit.SIZE), TimerUnit.SIZE);
    }

    rig.clock.advance(4_000);
    AppendBatch batch = rig.next(writer, AppendBatch.class);
    assertThat(batch.count()).isEqualTo(2);
    giveBack(batch, AppendStatus.STORED);

    assertThat(log.queue("orders", 3)).extracting(message -> message.property("UNIQ_KEY")).containsExactly("first", "a", "b");
    assertThat(folder.resolve("damaged")).isDirectoryContaining("glob:**timerlog.*");
  }

  @Test
  void shouldMakeNoFilesWhileThereIsNoTimer() {
    String deployment = deploy(true, false);
    rig.next(dispatcher, Watches.class);

    rig.undeploy(deployment);

    assertThat(folder.resolve("timerwheel")).doesNotExist();
    assertThat(folder.resolve("config")).doesNotExist();
  }

  @Test
  void shouldOnlyFollowItsMasterOnASlave() throws Exception {
    timer("a", -1_000);
    deploy(true, true);
    rig.next(dispatcher, Watches.class);
    long readTimeMs = rig.clock.millis() / 1_000 * 1_000;

    rig.vertx.eventBus().send(MasterTimers.ADDRESS, new MasterTimers(readTimeMs, log.appendedOffset()), LocalBus.LOCAL);

    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (progress.places().readTimeMs() != readTimeMs) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
    assertThat(progress.places().queueOffset()).isEqualTo(1);
    assertThat(writer).isEmpty();
  }

  @Test
  void shouldLeaveTimersAloneWhenTheyAreSwitchedOff() {
    timer("a", -1_000);

    rig.undeploy(deploy(false, false));

    assertThat(writer).isEmpty();
    assertThat(folder.resolve("timerwheel")).doesNotExist();
  }

  private void timer(String key, long delayMs) {
    log.timer(key, TimerMoments.written(rig.clock.millis() + delayMs), Map.of());
  }

  private void tellArrival() {
    Arrivals arrivals = new Arrivals();
    arrivals.add(Topics.TIMER, 0);
    rig.vertx.eventBus().send(BusAddress.arrivals(SENDER), arrivals, LocalBus.LOCAL);
  }

  private String deploy(boolean enabled, boolean slave) {
    TimerRules rules = new TimerRules(enabled, folder, TimersRig.LOG_FILE_BYTES, TimersRig.SLOT_MS, TimersRig.WINDOW_MS, 20, 500, slave);
    return rig.deployWorker(
        new TimerVerticle(log, rules, SENDER, FakeTimerTopic.STORE_HOST, progress, rig.clock), "metaq-timer");
  }

  private void giveBack(AppendBatch batch, AppendStatus status) {
    log.append(batch, status == AppendStatus.STORED ? Integer.MAX_VALUE : 0, status);
    rig.vertx.eventBus().send(BusAddress.appended(SENDER), batch, LocalBus.LOCAL);
  }
}
