package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.bus.AppendBatch;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import io.metaq.model.DataVersion;
import io.metaq.model.DelayLevels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DelayedDeliveryTest {
  private static final byte[] STORE_HOST = {127, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};

  private final HandClock clock = new HandClock();
  private final FakeSchedule schedule = new FakeSchedule();
  private final AppendBatch batch = new AppendBatch(0);
  private DelayedDelivery delivery = deliveryAfter(Map.of());

  @AfterEach
  void everyRecordIsGivenBack() {
    assertThat(schedule.lent()).isZero();
  }

  @Test
  void shouldDeliverAMessageWhenItsTimeHasCome() {
    schedule.park(3, clock.millis() + 10_000, "t", 1, "a");
    clock.advance(9_999);
    assertThat(round()).isEmpty();

    clock.advance(1);

    assertThat(round()).containsExactly("t/1 a");
    assertThat(next()).isEqualTo(Map.of(3, 1L));
    assertThat(round()).isEmpty();
  }

  @Test
  void shouldDeliverWhatIsDueOfEveryLevel() {
    for (int level = 1; level <= 18; level++) {
      schedule.park(level, clock.millis(), "t", level, "m" + level);
    }

    assertThat(round()).hasSize(18).contains("t/1 m1", "t/18 m18");
    assertThat(next()).hasSize(18).containsEntry(18, 1L);
  }

  @Test
  void shouldKeepTheOrderOfALevel() {
    for (int i = 0; i < 100; i++) {
      schedule.park(2, clock.millis() - 100 + i, "t", 0, "m" + i);
    }

    List<String> delivered = round();

    assertThat(delivered).hasSize(100).startsWith("t/0 m0", "t/0 m1").endsWith("t/0 m99");
  }

  @Test
  void shouldGoOnWhereItsFileSays() {
    schedule.park(1, clock.millis(), "t", 0, "a");
    schedule.park(1, clock.millis(), "t", 0, "b");
    delivery = deliveryAfter(Map.of(1, 1L));

    assertThat(round()).containsExactly("t/0 b");
  }

  @Test
  void shouldGoOnInsideTheQueueWhenItsFileSaysOtherwise() {
    schedule.park(1, clock.millis(), "t", 0, "gone");
    schedule.park(1, clock.millis(), "t", 0, "b");
    schedule.minOffset(1, 1);
    schedule.park(2, clock.millis() + 5_000, "t", 0, "c");
    delivery = deliveryAfter(Map.of(2, 7L));

    assertThat(round()).containsExactly("t/0 b");
    assertThat(next()).isEqualTo(Map.of(1, 2L, 2, 1L));
    assertThat(delivery.takeMoved()).isTrue();
    assertThat(delivery.takeMoved()).isFalse();
  }

  @Test
  void shouldLetAMessageWaitItsDelayWhenItsStoreTimeLiesInTheFuture() {
    long storedAt = clock.millis() + 7_200_000;
    schedule.park(1, clock.millis() + 1_000, "t", 0, "in time");
    schedule.park(2, storedAt + 5_000, "t", 0, "from the future");
    schedule.park(18, storedAt + 7_200_000, "t", 0, "from the far future");
    assertThat(round()).isEmpty();
    clock.advance(4_000);
    schedule.park(2, storedAt + 5_000, "t", 0, "its neighbour");
    assertThat(round()).containsExactly("t/0 in time");
    clock.advance(999);
    assertThat(round()).isEmpty();

    clock.advance(1 + 5_000 / LevelProgress.MOST_SIGHTINGS);
    assertThat(round()).containsExactly("t/0 from the future");
    clock.advance(3_900);
    assertThat(round()).isEmpty();
    clock.advance(100 + 5_000 / LevelProgress.MOST_SIGHTINGS);
    assertThat(round()).containsExactly("t/0 its neighbour");
    clock.advance(7_200_000 + 7_200_000 / LevelProgress.MOST_SIGHTINGS);
    assertThat(round()).containsExactly("t/0 from the far future");
  }

  @Test
  void shouldCountTheDelayFromItsStartForWhatIsParkedInTheFuture() {
    schedule.park(2, clock.millis() + 7_205_000, "t", 0, "a");
    round();
    clock.advance(4_000);
    delivery = deliveryAfter(Map.of());

    assertThat(round()).isEmpty();
    clock.advance(4_999);
    assertThat(round()).isEmpty();
    clock.advance(1 + 5_000 / LevelProgress.MOST_SIGHTINGS);
    assertThat(round()).containsExactly("t/0 a");
  }

  @Test
  void shouldDeliverOnTimeWhatWasParkedBeforeTheClockWasSetBack() {
    schedule.park(2, clock.millis() + 5_000, "t", 0, "a");
    assertThat(round()).isEmpty();
    clock.advance(2_000);
    clock.setBack(3_000);

    assertThat(round()).isEmpty();
    clock.advance(2_999);
    assertThat(round()).isEmpty();
    clock.advance(1 + 5_000 / LevelProgress.MOST_SIGHTINGS);
    assertThat(round()).containsExactly("t/0 a");
  }

  @Test
  void shouldBoundWhatItRemembersOfACrowdThatCannotBeDelivered() {
    LevelProgress level = new LevelProgress(18, 0);
    for (int i = 1; i <= 10 * LevelProgress.MOST_SIGHTINGS; i++) {
      level.seen(i, i * 1_000L, 256);
    }

    assertThat(level.sightings()).isEqualTo(LevelProgress.MOST_SIGHTINGS);
    assertThat(level.hasWaited(0, 256, 1_255)).isFalse();
    assertThat(level.hasWaited(0, 256, 1_256)).isTrue();
    assertThat(level.hasWaited(LevelProgress.MOST_SIGHTINGS, 256, 2_559_000)).isFalse();
    assertThat(level.hasWaited(LevelProgress.MOST_SIGHTINGS, 256, 2_560_256)).isTrue();
  }

  @Test
  void shouldServeTheEighteenLevelsOfAnEarlierConfiguration() {
    delivery = new DelayedDelivery(schedule, DelayLevels.parse("1s 2s"), STORE_HOST, clock, Optional.empty());
    schedule.park(18, clock.millis() + 7_200_000, "t", 0, "late");
    assertThat(round()).isEmpty();

    clock.advance(7_200_000);

    assertThat(round()).containsExactly("t/0 late");
  }

  @Test
  void shouldPassOverAMessageThatCannotBeDelivered() {
    schedule.parkAs(1, clock.millis(), Map.of("DELAY", "1"), new byte[0]);
    schedule.parkUnit(1, clock.millis(), 999_999);
    schedule.parkUnit(1, 0, -1);
    schedule.park(1, clock.millis(), "t", 0, "good");

    assertThat(round()).containsExactly("t/0 good");
    assertThat(next()).isEqualTo(Map.of(1, 4L));
  }

  @Test
  void shouldPassOverAMessageThatTheStoreWillNeverTake() {
    schedule.park(1, clock.millis(), "t", 0, "illegal");
    schedule.park(1, clock.millis(), "t", 0, "good");
    delivery.fill(batch);
    batch.refused(0, AppendStatus.ILLEGAL, "too long");
    batch.stored(1, 0, 0);

    assertThat(delivery.settle(batch)).isTrue();
    assertThat(next()).isEqualTo(Map.of(1, 2L));
  }

  @ParameterizedTest
  @EnumSource(value = AppendStatus.class, names = {"UNAVAILABLE", "FAILED"})
  void shouldTryAgainOnlyWhatWasNotStored(AppendStatus refusal) {
    for (String body : List.of("a", "b", "c", "d")) {
      schedule.park(1, clock.millis(), "t", 0, body);
    }
    delivery.fill(batch);
    batch.stored(0, 0, 0);
    batch.refused(1, refusal, "disk full");
    batch.stored(2, 0, 0);
    batch.refused(3, refusal, "disk full");

    assertThat(delivery.settle(batch)).isFalse();
    assertThat(next()).isEqualTo(Map.of(1, 1L));

    assertThat(round()).containsExactly("t/0 b", "t/0 d");
    assertThat(next()).isEqualTo(Map.of(1, 4L));
  }

  @Test
  void shouldLetALevelRestThatCannotBeReadWhileOthersGoOn() {
    schedule.park(1, clock.millis(), "t", 0, "a");
    schedule.park(2, clock.millis(), "t", 0, "b");
    schedule.unreadable(1);
    assertThat(round()).containsExactly("t/0 b");
    schedule.unreadable(0);

    clock.advance(DelayedDelivery.REST_MS - 1);
    assertThat(round()).isEmpty();

    clock.advance(1);
    assertThat(round()).containsExactly("t/0 a");
  }

  @Test
  void shouldGiveEachLevelItsShareOfARound() {
    for (int i = 0; i <= DelayedDelivery.UNITS_PER_ROUND; i++) {
      schedule.park(1, clock.millis(), "t", 0, "crowd");
    }
    schedule.park(2, clock.millis(), "t", 1, "other");

    batch.clear();
    assertThat(delivery.fill(batch)).isTrue();
    assertThat(bodies()).hasSize(DelayedDelivery.UNITS_PER_ROUND + 1).contains("t/1 other");
    storeAll();

    batch.clear();
    assertThat(delivery.fill(batch)).isFalse();
    assertThat(bodies()).containsExactly("t/0 crowd");
    storeAll();
  }

  @Test
  void shouldLeaveForTheNextRoundWhatDoesNotFitTheBatch() {
    String half = "x".repeat(AppendBatch.CAPACITY / 2);
    schedule.park(1, clock.millis(), "t", 0, half);
    schedule.park(1, clock.millis(), "t", 1, half);

    batch.clear();
    assertThat(delivery.fill(batch)).isTrue();
    assertThat(batch.count()).isEqualTo(1);
    storeAll();

    assertThat(round()).containsExactly("t/1 " + half);
  }

  @Test
  void shouldDeliverAMessageLargerThanABatch() {
    String giant = "x".repeat(AppendBatch.CAPACITY * 3);
    schedule.park(1, clock.millis(), "t", 0, "small");
    schedule.park(1, clock.millis(), "t", 0, giant);
    schedule.park(1, clock.millis(), "t", 0, "small again");

    assertThat(round()).containsExactly("t/0 small");
    assertThat(round()).containsExactly("t/0 " + giant);
    assertThat(round()).containsExactly("t/0 small again");
  }

  @Test
  void shouldMoveTheVersionOfItsFileWithItsProgress() {
    schedule.park(1, clock.millis(), "t", 0, "a");
    assertThat(delivery.file().version()).isEqualTo(DataVersion.INITIAL);

    round();

    assertThat(delivery.file().version()).isEqualTo(new DataVersion(0, clock.millis(), 1));
  }

  /** One round in which everything is stored; what was delivered, as "topic/queue body". */
  private List<String> round() {
    batch.clear();
    delivery.fill(batch);
    List<String> delivered = bodies();
    storeAll();
    return delivered;
  }

  private List<String> bodies() {
    List<String> bodies = new ArrayList<>();
    for (int i = 0; i < batch.count(); i++) {
      StoredMessage message = StoredMessage.decode(batch.bytes(), batch.start(i));
      bodies.add(batch.queue(i) + " " + new String(message.body(), StandardCharsets.UTF_8));
    }
    return bodies;
  }

  private void storeAll() {
    for (int i = 0; i < batch.count(); i++) {
      batch.stored(i, i * 100L, i);
    }
    assertThat(delivery.settle(batch)).isTrue();
  }

  private Map<Integer, Long> next() {
    return delivery.file().nextByLevel();
  }

  private DelayedDelivery deliveryAfter(Map<Integer, Long> nextByLevel) {
    return new DelayedDelivery(
        schedule, DelayLevels.DEFAULT, STORE_HOST, clock, Optional.of(new DelayOffsetsFile(DataVersion.INITIAL, nextByLevel)));
  }
}
