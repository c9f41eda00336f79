package io.metaq.coordinator;

import static io.metaq.coordinator.CoordinatorRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.WatchedVertx;
import io.metaq.bus.AppendBatch;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.model.AppendStatus;
import io.metaq.model.DelayLevels;
import io.metaq.store.Disk;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WatchedVertx.class)
class ScheduleVerticleTest {
  private static final int SENDER = CoordinatorRig.LOOPS;
  private static final long NEVER_MS = 3_600_000;
  private static final byte[] STORE_HOST = {127, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};

  @TempDir Path folder;

  private final FakeSchedule schedule = new FakeSchedule();
  private final BlockingQueue<Object> writer = new LinkedBlockingQueue<>();
  private CoordinatorRig rig;

  @BeforeEach
  void start(Vertx vertx) {
    rig = new CoordinatorRig(vertx, folder);
    rig.startConfig();
    await(rig.vertx.eventBus().localConsumer(BusAddress.APPEND, message -> writer.add(message.body())).completion());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldSendWhatIsDueAsOneBatchAndSaveItsProgressWhenItStops() {
    schedule.park(1, 0, "t", 0, "a");
    schedule.park(2, 0, "t", 0, "b");
    String deployment = deploy();

    AppendBatch batch = rig.next(writer, AppendBatch.class);
    assertThat(batch.sender()).isEqualTo(SENDER);
    assertThat(batch.count()).isEqualTo(2);
    giveBack(batch, AppendStatus.STORED);
    rig.undeploy(deployment);

    assertThat(stored()).isEqualTo(Map.of(1, 1L, 2, 1L));
  }

  @Test
  void shouldGoOnAtOnceWhenThereIsMoreAndTryAgainLaterWhatWasRefused() {
    for (int i = 0; i <= DelayedDelivery.UNITS_PER_ROUND; i++) {
      schedule.park(1, 0, "t", 0, "m");
    }
    deploy();

    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);
    AppendBatch second = rig.next(writer, AppendBatch.class);
    assertThat(second.count()).isEqualTo(1);
    giveBack(second, AppendStatus.UNAVAILABLE);

    assertThat(rig.next(writer, AppendBatch.class).count()).isEqualTo(1);
    giveBack(second, AppendStatus.STORED);
  }

  @Test
  void shouldWaitForTheBatchInFlightWhenItStops() {
    schedule.park(1, 0, "t", 0, "a");
    String deployment = deploy();
    AppendBatch batch = rig.next(writer, AppendBatch.class);

    Future<Void> stopped = rig.beginUndeploy(deployment);
    assertThat(stopped.isComplete()).isFalse();
    giveBack(batch, AppendStatus.STORED);
    await(stopped);

    assertThat(stored()).isEqualTo(Map.of(1, 1L));
  }

  @Test
  void shouldNotDeliverAgainAfterARestart() {
    schedule.park(1, 0, "t", 0, "a");
    String deployment = deploy();
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);
    rig.undeploy(deployment);
    schedule.park(2, 0, "t", 0, "b");

    deploy();

    AppendBatch batch = rig.next(writer, AppendBatch.class);
    assertThat(batch.count()).isEqualTo(1);
    giveBack(batch, AppendStatus.STORED);
  }

  private String deploy() {
    return rig.deployWorker(
        new ScheduleVerticle(schedule, DelayLevels.DEFAULT, SENDER, STORE_HOST, NEVER_MS, rig.clock), "metaq-schedule");
  }

  private void giveBack(AppendBatch batch, AppendStatus status) {
    for (int i = 0; i < batch.count(); i++) {
      if (status == AppendStatus.STORED) {
        batch.stored(i, i, i);
      } else {
        batch.refused(i, status, "not now");
      }
    }
    rig.vertx.eventBus().send(BusAddress.appended(batch.sender()), batch, LocalBus.LOCAL);
  }

  private Map<Integer, Long> stored() {
    return new ConfigFiles(folder, Disk.real(), rig.clock).load(DelayOffsetsFile.FORMAT).orElseThrow().nextByLevel();
  }
}
