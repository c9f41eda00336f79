package io.metaq.coordinator;

import static io.metaq.coordinator.CoordinatorRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.WatchedVertx;
import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.HoldEnded;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.ProgressHeld;
import io.metaq.coordinator.api.ResetSettled;
import io.metaq.store.Disk;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WatchedVertx.class)
class OffsetCoordinatorVerticleTest {
  private static final long NEVER_MS = 3_600_000;

  @TempDir Path folder;

  private CoordinatorRig rig;

  @BeforeEach
  void start(Vertx vertx) {
    rig = new CoordinatorRig(vertx, folder);
    rig.startConfig();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldAnswerWithTheLastOfTheCommitsBeforeTheQuery() {
    rig.startOffsets(NEVER_MS);
    OffsetCommits commits = new OffsetCommits();
    for (int i = 0; i < 100; i++) {
      commits.add("g", "t", i % 10, i);
    }

    rig.offsets.commit(commits);

    assertThat(await(rig.offsets.query("g", "t", 3))).isEqualTo(93);
    assertThat(await(rig.offsets.query("g", "t", 10))).isEqualTo(-1);
  }

  @Test
  void shouldBringChangesToTheFileWhileItRuns() {
    rig.startOffsets(10);

    commit("g", "t", 0, 42);

    assertThat(savedEventually()).isEqualTo(Map.of("g", Map.of("t", Map.of(0, 42L))));
  }

  @Test
  void shouldBringChangesToTheFileWhenItStops() {
    String deployment = rig.startOffsets(NEVER_MS);
    commit("g", "t", 0, 42);
    assertThat(folder.resolve("consumerOffset.json")).doesNotExist();

    rig.undeploy(deployment);

    assertThat(stored()).map(OffsetsFile::progress).contains(Map.of("g", Map.of("t", Map.of(0, 42L))));
  }

  @Test
  void shouldWriteNothingWhenNothingWasCommitted() {
    String deployment = rig.startOffsets(NEVER_MS);

    rig.undeploy(deployment);

    assertThat(folder.resolve("consumerOffset.json")).doesNotExist();
  }

  @Test
  void shouldKnowItsOffsetsAfterARestart() {
    String deployment = rig.startOffsets(NEVER_MS);
    commit("g", "t", 0, 42);
    rig.undeploy(deployment);

    rig.startOffsets(NEVER_MS);

    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(42);
  }

  @Test
  void shouldStoreAMoveAndTellEveryLoopBeforeItIsAnsweredAndLeaveOutCommitsUntilItIsSettled() {
    rig.startOffsets(NEVER_MS);
    commit("g", "t", 0, 42);
    OffsetReset reset = new OffsetReset("g", "t", Map.of(0, 7L), true);

    await(rig.offsets.reset(reset));
    assertThat(stored()).map(OffsetsFile::progress).contains(Map.of("g", Map.of("t", Map.of(0, 7L))));
    commit("g", "t", 0, 43);
    commit("g", "t", 1, 5);
    assertThat(rig.heard(0, OffsetReset.class)).isEqualTo(reset);
    assertThat(rig.heard(1, OffsetReset.class)).isEqualTo(reset);
    assertThat(await(rig.offsets.progressOf("g"))).isEqualTo(Map.of("t", Map.of(0, 7L, 1, 5L)));

    ResetSettled settled = new ResetSettled("g", "t", 0, 7);
    rig.offsets.settled(settled);
    commit("g", "t", 0, 8);

    assertThat(rig.heard(1, ResetSettled.class)).isEqualTo(settled);
    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(8);
  }

  @Test
  void shouldStoreWhenAGroupThatPopsWasMovedAndTellWhoFollowsIt() {
    BlockingQueue<Object> told = new LinkedBlockingQueue<>();
    await(rig.vertx.eventBus().localConsumer(OffsetsProxy.MOVED, message -> told.add(message.body())).completion());
    String deployment = rig.startOffsets(NEVER_MS);
    commit("g", "t", 0, 42);
    long nowMs = rig.clock.millis();

    assertThat(await(rig.offsets.follow("g"))).containsExactly(new GroupPlace("g", "t", 0, 42, 0));
    await(rig.offsets.reset(new OffsetReset("g", "t", Map.of(0, 7L), true)));
    assertThat(stored()).map(OffsetsFile::moves).contains(Map.of("g", Map.of("t", Map.of(0, nowMs))));
    rig.offsets.settled(new ResetSettled("g", "t", 0, 7));
    commit("g", "t", 0, 3);

    assertThat(rig.next(told, Object.class)).isEqualTo(List.of(new GroupPlace("g", "t", 0, 7, nowMs)));
    assertThat(rig.next(told, Object.class)).isEqualTo(List.of(new GroupPlace("g", "t", 0, 3, nowMs + 1)));
    rig.undeploy(deployment);
    rig.startOffsets(NEVER_MS);
    assertThat(await(rig.offsets.follow("g"))).containsExactly(new GroupPlace("g", "t", 0, 3, nowMs + 1));
  }

  /** Seen before: whoever pops was told to go where a reader had been before the move. */
  @Test
  void shouldTellNobodyWhoPopsOfACommitThatComesFromBeforeAMove() {
    BlockingQueue<Object> told = new LinkedBlockingQueue<>();
    await(rig.vertx.eventBus().localConsumer(OffsetsProxy.MOVED, message -> told.add(message.body())).completion());
    rig.startOffsets(NEVER_MS);
    commit("g", "t", 0, 42);
    await(rig.offsets.follow("g"));
    await(rig.offsets.reset(new OffsetReset("g", "t", Map.of(0, 7L), true)));
    long nowMs = rig.clock.millis();

    OffsetCommits stale = new OffsetCommits();
    stale.add("g", "t", 0, 43);
    stale.add("g", "t", -1, 1);
    stale.add("g", "t", 1, 5);
    rig.offsets.commit(stale);

    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(7);
    assertThat(rig.next(told, Object.class)).isEqualTo(List.of(new GroupPlace("g", "t", 0, 7, nowMs)));
    assertThat(rig.next(told, Object.class)).isEqualTo(List.of(new GroupPlace("g", "t", 1, 5, nowMs)));
  }

  @Test
  void shouldTakeInWhatIsPoppedAfterTheLastMoveAlsoWhenThatWasNotStored() {
    String deployment = rig.startOffsets(NEVER_MS);
    commit("g", "t", 0, 42);

    rig.offsets.commitPopped(List.of(new GroupPlace("g", "t", 0, 7, 17), new GroupPlace("g", "t", 0, 50, 16)));

    assertThat(await(rig.offsets.follow("g"))).containsExactly(new GroupPlace("g", "t", 0, 7, 17));
    rig.undeploy(deployment);
    assertThat(stored()).map(OffsetsFile::moves).contains(Map.of("g", Map.of("t", Map.of(0, 17L))));
  }

  @Test
  void shouldNoteNoMovesOfGroupsThatDoNotPop() {
    rig.startOffsets(NEVER_MS);
    commit("g", "t", 0, 42);

    await(rig.offsets.reset(new OffsetReset("g", "t", Map.of(0, 7L), true)));

    assertThat(stored()).map(OffsetsFile::moves).contains(Map.of());
  }

  @Test
  void shouldNotTakeAnEarlierMoveForSettledWhenThereIsALaterOne() {
    rig.startOffsets(NEVER_MS);
    await(rig.offsets.reset(new OffsetReset("g", "t", Map.of(0, 7L), true)));
    await(rig.offsets.reset(new OffsetReset("g", "t", Map.of(0, 9L), true)));

    rig.offsets.settled(new ResetSettled("g", "t", 0, 7));
    commit("g", "t", 0, 50);

    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(9);
  }

  @Test
  void shouldForgetAMoveWithTheTopicOrTheGroup() {
    rig.startOffsets(NEVER_MS);
    await(rig.offsets.reset(new OffsetReset("g", "t", Map.of(0, 7L), true)));
    await(rig.offsets.reset(new OffsetReset("h", "u", Map.of(0, 7L), true)));

    await(rig.offsets.forgetTopic("t"));
    await(rig.offsets.forgetGroup("h"));
    commit("g", "t", 0, 1);
    commit("h", "u", 0, 1);

    assertThat(rig.heard(0, ResetSettled.class)).isEqualTo(new ResetSettled("g", "t", 0, 7));
    assertThat(rig.heard(0, ResetSettled.class)).isEqualTo(new ResetSettled("h", "u", 0, 7));
    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(1);
    assertThat(await(rig.offsets.query("h", "u", 0))).isEqualTo(1);
  }

  @Test
  void shouldStoreNothingBeyondWhatIsHeldWhoeverCommits() {
    rig.startOffsets(NEVER_MS);
    ProgressHeld held = held(7);

    rig.offsets.hold(held(9));
    rig.offsets.hold(held);
    rig.offsets.hold(held(8));
    commit("g", "t", 0, 42);
    commit("g", "t", 1, 42);
    assertThat(rig.heard(1, ProgressHeld.class)).isEqualTo(held(9));
    assertThat(rig.heard(1, ProgressHeld.class)).isEqualTo(held);
    assertThat(await(rig.offsets.progressOf("g"))).isEqualTo(Map.of("t", Map.of(0, 7L, 1, 42L)));

    commit("g", "t", 0, 5);
    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(5);
  }

  /** A process that is killed saves nothing at its end. */
  @Test
  void shouldHaveAHoldInItsFileBeforeItIsAnsweredAndKnowItAfterARestart() {
    String deployment = rig.startOffsets(NEVER_MS);
    commit("g", "t", 0, 3);

    await(rig.offsets.hold(held(7)));
    assertThat(stored()).map(OffsetsFile::holds).contains(Map.of("g", Map.of("t", Map.of(0, 7L))));
    assertThat(stored()).map(OffsetsFile::progress).contains(Map.of("g", Map.of("t", Map.of(0, 3L))));
    rig.undeploy(deployment);
    deployment = rig.startOffsets(NEVER_MS);

    assertThat(await(rig.offsets.holds())).containsExactly(new ProgressHeld("g", "t", 0, 7, ProgressHeld.NO_LOOP, ""));
    commit("g", "t", 0, 42);
    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(7);
    rig.offsets.holdEnded(new HoldEnded("g", "t", 0, 7, false));
    rig.undeploy(deployment);
    assertThat(stored()).map(OffsetsFile::holds).contains(Map.of());
  }

  @Test
  void shouldLetProgressGetOnWhenTheHoldEndsAndNotWhenAnEarlierOneDid() {
    rig.startOffsets(NEVER_MS);
    rig.offsets.hold(held(7));

    rig.offsets.holdEnded(new HoldEnded("g", "t", 0, 9, true));
    commit("g", "t", 0, 42);
    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(7);

    HoldEnded ended = new HoldEnded("g", "t", 0, 7, true);
    rig.offsets.holdEnded(ended);
    commit("g", "t", 0, 42);
    assertThat(rig.heard(0, HoldEnded.class)).isEqualTo(ended);
    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(42);
  }

  @Test
  void shouldHoldNothingThatWasPassedOverBeforeAMove() {
    rig.startOffsets(NEVER_MS);
    rig.offsets.hold(held(7));

    await(rig.offsets.reset(new OffsetReset("g", "t", Map.of(0, 20L), true)));
    rig.offsets.hold(held(8));
    assertThat(rig.heard(1, HoldEnded.class)).isEqualTo(new HoldEnded("g", "t", 0, 8, false));
    rig.offsets.settled(new ResetSettled("g", "t", 0, 20));
    commit("g", "t", 0, 42);

    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(42);
  }

  @Test
  void shouldForgetHoldsWithTheTopicOrTheGroup() {
    rig.startOffsets(NEVER_MS);
    rig.offsets.hold(held(7));
    await(rig.offsets.forgetTopic("t"));
    commit("g", "t", 0, 42);
    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(42);

    rig.offsets.hold(held(7));
    await(rig.offsets.forgetGroup("g"));
    commit("g", "t", 0, 42);
    assertThat(await(rig.offsets.query("g", "t", 0))).isEqualTo(42);
  }

  @Test
  void shouldTouchNoFileWhenLoadingFails() throws IOException {
    Files.writeString(folder.resolve("consumerOffset.json"), "{\"offsetTable\":");

    assertThatThrownBy(() -> rig.startOffsets(1)).cause().isInstanceOf(ConfigFileException.class);

    assertThat(Files.readString(folder.resolve("consumerOffset.json"))).isEqualTo("{\"offsetTable\":");
  }

  private static ProgressHeld held(long queueOffset) {
    return new ProgressHeld("g", "t", 0, queueOffset, 1, "remote");
  }

  private void commit(String group, String topic, int queueId, long queueOffset) {
    OffsetCommits commits = new OffsetCommits();
    commits.add(group, topic, queueId, queueOffset);
    rig.offsets.commit(commits);
    await(rig.offsets.query(group, topic, queueId));
  }

  private Map<String, Map<String, Map<Integer, Long>>> savedEventually() {
    long deadlineNs = System.nanoTime() + 60_000_000_000L;
    while (!Files.exists(folder.resolve("consumerOffset.json"))) {
      assertThat(System.nanoTime()).as("waited long enough").isLessThan(deadlineNs);
      Thread.yield();
    }
    return stored().orElseThrow().progress();
  }

  private Optional<OffsetsFile> stored() {
    return new ConfigFiles(folder, Disk.real(), rig.clock).load(OffsetsFile.FORMAT);
  }
}
