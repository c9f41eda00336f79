package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.WatchedVertx;
import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.coordinator.api.HoldEnded;
import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.ProgressHeld;
import io.metaq.model.GroupConfig;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WatchedVertx.class)
class HeldProgressTest {
  private static final int LOOP = 1;

  private final BlockingQueue<HoldEnded> ended = new LinkedBlockingQueue<>();
  private final LoopGroups groups = new LoopGroups();
  private HeldProgress held;

  @BeforeEach
  void listen(Vertx vertx) throws Exception {
    vertx.eventBus().<HoldEnded>localConsumer(OffsetsProxy.HOLD_ENDED, message -> ended.add(message.body()))
        .completion().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    held = new HeldProgress(LOOP, groups, new OffsetSink(vertx.getOrCreateContext(), new OffsetsProxy(vertx)));
  }

  @Test
  void shouldEndAHoldWithAPullInFrontOfItOnly() throws Exception {
    contradicting(true);
    held.apply(heldAt(7, 0));

    held.readFrom("g", "t", 0, 8);
    assertThat(held.at("g", "t", 0)).contains(7L);

    held.readFrom("g", "t", 0, 7);
    assertThat(held.at("g", "t", 0)).isEmpty();
    assertThat(nextEnded()).isEqualTo(new HoldEnded("g", "t", 0, 7, false));
  }

  /** A reader passed over while its members contradicted each other; they had agreed when the coordinator's word came back. */
  @Test
  void shouldEndAHoldOfItsOwnReaderThatComesBackAfterTheAgreement() throws Exception {
    contradicting(false);

    held.apply(heldAt(9, 0));
    held.apply(heldAt(7, LOOP));

    assertThat(nextEnded()).isEqualTo(new HoldEnded("g", "t", 0, 7, true));
    assertThat(ended).isEmpty();
  }

  @Test
  void shouldEndWhatIsHeldWhenTheMembersAgree() throws Exception {
    contradicting(true);
    held.apply(heldAt(7, 0));
    held.groupsChanged();
    assertThat(held.at("g", "t", 0)).contains(7L);

    contradicting(false);
    held.groupsChanged();

    assertThat(held.at("g", "t", 0)).isEmpty();
    assertThat(nextEnded()).isEqualTo(new HoldEnded("g", "t", 0, 7, true));
  }

  @Test
  void shouldFollowWhatTheCoordinatorTells() {
    contradicting(true);
    held.apply(heldAt(7, 0));
    held.apply(heldAt(9, 0));
    assertThat(held.at("g", "t", 0)).contains(7L);

    held.apply(new HoldEnded("g", "t", 0, 9, false));
    assertThat(held.at("g", "t", 0)).contains(7L);

    held.apply(new OffsetReset("g", "t", Map.of(0, 3L), true));
    assertThat(held.at("g", "t", 0)).isEmpty();
  }

  private HoldEnded nextEnded() throws InterruptedException {
    return ended.poll(60, TimeUnit.SECONDS);
  }

  private void contradicting(boolean holdsProgress) {
    groups.apply(new GroupsDelta(
        List.of(new GroupSnapshot(
            GroupConfig.of("g"), true, false, Map.of(), List.of("c1"), Set.of(), new GroupConflict(holdsProgress, List.of()))),
        List.of(), false));
  }

  private static ProgressHeld heldAt(long queueOffset, int loop) {
    return new ProgressHeld("g", "t", 0, queueOffset, loop, "remote");
  }
}
