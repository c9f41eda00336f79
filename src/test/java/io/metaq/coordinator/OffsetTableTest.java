package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.metaq.HandClock;
import io.metaq.coordinator.api.GroupPlace;
import io.metaq.model.DataVersion;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OffsetTableTest {
  private final HandClock clock = new HandClock();
  private final OffsetTable table = new OffsetTable(clock, Optional.empty());

  @Test
  void shouldTakeTheMastersProgressButForWhatTheMasterDoesNotKnowYet() {
    LocalCommits local = new LocalCommits();
    table.commit("g", "t", 0, 10);
    table.commit("g", "t", 1, 10);
    table.commit("g", "own", 0, 5);
    local.add("g", "t", 1, 7, 10);
    DataVersion version = new DataVersion(0, 1, 9);
    Map<String, Map<String, Map<Integer, Long>>> moves = Map.of("g", Map.of("t", Map.of(0, 17L, 1, 18L)));
    OffsetsFile master = new OffsetsFile(version, Map.of("g", Map.of("t", Map.of(0, 4L, 1, 7L))), moves, Map.of(), Map.of());

    assertThat(table.follow(master, local)).isTrue();

    assertThat(table.query("g", "t", 0)).isEqualTo(4);
    assertThat(table.query("g", "t", 1)).isEqualTo(10);
    assertThat(table.query("g", "own", 0)).isEqualTo(5);
    assertThat(table.file(new HeldOffsets(Map.of())).version()).isEqualTo(version);
    assertThat(table.file(new HeldOffsets(Map.of())).moves()).isEqualTo(Map.of("g", Map.of("t", Map.of(0, 17L))));
    assertThat(table.follow(master, local)).as("changed a second time").isFalse();
  }

  @Test
  void shouldForgetAMoveThatTheMasterDoesNotKnow() {
    table.commit("g", "t", 0, 5);
    table.moved("g", "t", 0);

    table.follow(new OffsetsFile(DataVersion.INITIAL, Map.of("g", Map.of("t", Map.of(0, 5L))), Map.of(), Map.of(), Map.of()),
        new LocalCommits());

    assertThat(table.placesOf("g")).containsExactly(new GroupPlace("g", "t", 0, 5, 0));
  }

  @Test
  void shouldKnowNothingBeforeTheFirstCommit() {
    assertThat(table.query("g", "t", 0)).isEqualTo(-1);

    table.commit("g", "t", 0, 0);

    assertThat(table.query("g", "t", 0)).isZero();
    assertThat(table.query("g", "t", 1)).isEqualTo(-1);
    assertThat(table.query("g", "u", 0)).isEqualTo(-1);
    assertThat(table.query("h", "t", 0)).isEqualTo(-1);
  }

  @Test
  void shouldTakeTheLastCommitEvenWhenItIsLower() {
    table.commit("g", "t", 0, 10);
    table.commit("g", "t", 0, 4);

    assertThat(table.query("g", "t", 0)).isEqualTo(4);
  }

  @Test
  void shouldNameEveryMoveOfAQueueByALaterTime() {
    table.commit("g", "t", 0, 10);

    assertThat(table.moved("g", "t", 0)).isEqualTo(clock.millis());
    assertThat(table.moved("g", "t", 0)).isEqualTo(clock.millis() + 1);
    clock.advance(1_000);
    assertThat(table.moved("g", "t", 0)).isEqualTo(clock.millis());
    assertThat(table.placesOf("g")).containsExactly(new GroupPlace("g", "t", 0, 10, clock.millis()));
  }

  @Test
  void shouldTakeInWhatIsPoppedAfterTheLastMoveAlsoWhenThatWasNotStored() {
    table.commit("g", "t", 0, 10);
    long lateMs = clock.millis() + 5_000;

    assertThat(table.commitPopped(new GroupPlace("g", "t", 0, 4, lateMs))).isTrue();
    assertThat(table.commitPopped(new GroupPlace("g", "t", 0, 12, lateMs - 1))).isFalse();
    assertThat(table.commitPopped(new GroupPlace("g", "t", 0, 5, lateMs))).isTrue();

    assertThat(table.query("g", "t", 0)).isEqualTo(5);
    assertThat(table.moved("g", "t", 0)).as("the next one").isEqualTo(lateMs + 1);
  }

  @Test
  void shouldForgetMovesWithTheTopicOrTheGroup() {
    table.commit("g", "t", 0, 1);
    table.moved("g", "t", 0);
    table.commit("h", "u", 0, 1);
    table.moved("h", "u", 0);

    table.forgetTopic("t");
    table.forgetGroup("h");

    table.commit("g", "t", 0, 1);
    table.commit("h", "u", 0, 1);
    assertThat(table.placesOf("g")).containsExactly(new GroupPlace("g", "t", 0, 1, 0));
    assertThat(table.placesOf("h")).containsExactly(new GroupPlace("h", "u", 0, 1, 0));
  }

  @Test
  void shouldWarnOfLowerCommitsOnceInAnInterval() {
    try (LogCapture log = new LogCapture(OffsetTable.class)) {
      table.commit("g", "t", 0, 10);
      table.commit("g", "t", 0, 10);
      assertThat(log.at(Level.WARN)).isEmpty();

      for (int i = 9; i > 0; i--) {
        table.commit("g", "t", 0, i);
      }
      assertThat(log.at(Level.WARN)).containsExactly(
          "a consumer offset goes back group=g topic=t queueId=0 queueOffset=9 before=10 suppressed=0");

      clock.advance(10_000);
      table.commit("g", "t", 0, 0);
      assertThat(log.at(Level.WARN)).last().asString().endsWith("queueOffset=0 before=1 suppressed=8");
    }
  }

  @Test
  void shouldLeaveOutWhatMakesNoSense() {
    table.commit("g", "t", -1, 10);
    table.commit("g", "t", 0, -1);

    assertThat(table.file(new HeldOffsets(Map.of())).progress()).isEmpty();
  }

  @Test
  void shouldMoveItsVersionEveryFiveHundredCommits() {
    for (int i = 0; i < 499; i++) {
      table.commit("g", "t", 0, i);
    }
    assertThat(table.file(new HeldOffsets(Map.of())).version()).isEqualTo(DataVersion.INITIAL);

    table.commit("g", "t", 0, 499);

    assertThat(table.file(new HeldOffsets(Map.of())).version()).isEqualTo(new DataVersion(0, clock.millis(), 1));
  }

  @Test
  void shouldComeBackFromItsFile() {
    table.commit("g", "t", 0, 10);
    table.commit("g", "%RETRY%g", 3, Long.MAX_VALUE);

    OffsetTable loaded = new OffsetTable(clock, Optional.of(table.file(new HeldOffsets(Map.of()))));

    assertThat(loaded.query("g", "t", 0)).isEqualTo(10);
    assertThat(loaded.query("g", "%RETRY%g", 3)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldGiveTheFileACopyThatLaterCommitsDoNotReach() {
    table.commit("g", "t", 0, 10);
    OffsetsFile file = table.file(new HeldOffsets(Map.of()));

    table.commit("g", "t", 0, 11);

    assertThat(file.progress()).isEqualTo(Map.of("g", Map.of("t", Map.of(0, 10L))));
  }
}
