package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.store.TimerCheckLayout;
import io.metaq.codec.store.TimerSlot;
import io.metaq.codec.store.TimerUnit;
import io.metaq.model.AppendStatus;
import io.metaq.model.Topics;
import io.metaq.store.Disk;
import io.metaq.store.TimerCheckFile;
import io.metaq.store.TimerIndex.Forcing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimersTest {
  private static final long HOUR_MS = 3_600_000;
  private static final long DAY_MS = 24 * HOUR_MS;

  @TempDir
  private Path root;
  private TimersRig rig;

  @BeforeEach
  void begin() {
    rig = new TimersRig(root);
  }

  @Test
  void shouldDeliverToTheMsAndNotBefore() throws IOException {
    rig.timerIn(1_234, "a");

    rig.run();
    rig.runFor(1_233, 100);
    assertThat(rig.delivered()).isEmpty();
    rig.runFor(1, 1);

    assertThat(rig.deliveredKeys()).containsExactly("a");
  }

  @Test
  void shouldDeliverTheMessageAsItWasSentWithoutWhereItWaited() throws IOException {
    StoredMessage sent = rig.log.timer("a", rig.clock.millis() + 499, Map.of("TIMER_DELAY_MS", "500", "TAGS", "t"));

    rig.runFor(600, 100);

    StoredMessage delivered = rig.delivered().get(0);
    assertThat(delivered.topic()).isEqualTo("orders");
    assertThat(delivered.queueId()).isEqualTo(3);
    assertThat(delivered.body()).isEqualTo(sent.body());
    assertThat(delivered.bornTimestamp()).isEqualTo(sent.bornTimestamp());
    assertThat(delivered.bornHost()).isEqualTo(sent.bornHost());
    assertThat(delivered.flag()).isEqualTo(sent.flag());
    assertThat(delivered.reconsumeTimes()).isEqualTo(sent.reconsumeTimes());
    assertThat(delivered.properties())
        .containsOnlyKeys("UNIQ_KEY", "TIMER_OUT_MS", "TIMER_DELAY_MS", "TAGS")
        .containsEntry("TIMER_DELAY_MS", "500");
  }

  @Test
  void shouldDeliverInTheOrderInWhichTheyAreDue() throws IOException {
    for (int delayMs : new int[] {900, 300, 2_100, 700, 301, 2_000, 300}) {
      rig.timerIn(delayMs, "due" + delayMs);
    }

    rig.run();
    rig.runFor(3_000, 1_000);

    assertThat(rig.deliveredKeys()).containsExactly("due300", "due300", "due301", "due700", "due900", "due2000", "due2100");
  }

  @Test
  void shouldDeliverAtOnceWhatIsTakenUpLate() throws IOException {
    rig.timerIn(1_500, "late");
    rig.clock.advance(10 * HOUR_MS);

    rig.run();
    rig.runFor(10, 1);

    assertThat(rig.deliveredKeys()).containsExactly("late");
  }

  @Test
  void shouldDeliverWhatComesForTheSecondThatIsOnAlready() throws IOException {
    rig.timerIn(900, "first");
    rig.run();
    rig.runFor(100, 100);
    rig.timerIn(50, "between");

    rig.runFor(60, 10);
    assertThat(rig.deliveredKeys()).containsExactly("between");
    rig.runFor(1_000, 100);

    assertThat(rig.deliveredKeys()).containsExactly("between", "first");
  }

  @Test
  void shouldDeliverAfterFortyDaysFromARecordThatIsNeverOlderThanTheWindow() throws IOException {
    rig.timerIn(40 * DAY_MS + 7, "far");
    rig.run();

    List<Long> agesMs = new ArrayList<>();
    for (int hour = 0; hour < 40 * 24; hour++) {
      rig.runFor(HOUR_MS, HOUR_MS);
      List<StoredMessage> waiting = rig.log.queue(Topics.TIMER, 0);
      agesMs.add(rig.clock.millis() - waiting.get(waiting.size() - 1).storeTimestamp());
    }
    assertThat(rig.delivered()).isEmpty();
    rig.runFor(7, 1);

    assertThat(rig.deliveredKeys()).containsExactly("far");
    assertThat(agesMs).allMatch(age -> age <= TimersRig.WINDOW_MS);
    assertThat(rig.log.queue(Topics.TIMER, 0)).hasSizeBetween(20, 22);
    assertThat(rig.delivered().get(0).property("TIMER_ROLL_TIMES"))
        .isEqualTo(Integer.toString(rig.log.queue(Topics.TIMER, 0).size() - 1));
  }

  @Test
  void shouldDeliverWhatRocketmqWroteWhenRocketmqWould() throws IOException {
    long second = rig.clock.millis() / 1_000 * 1_000 + 5_000;
    rig.log.timer("theirs", second, Map.of());
    rig.run();

    rig.clock.advance(second + 999 - rig.clock.millis());
    rig.run();
    assertThat(rig.delivered()).isEmpty();
    rig.runFor(1, 1);

    assertThat(rig.deliveredKeys()).containsExactly("theirs");
  }

  @Test
  void shouldNotDeliverWhatIsTakenBackInTime() throws IOException {
    long dueMs = rig.clock.millis() + 2_500;
    rig.timerIn(2_500, "back");
    rig.timerIn(2_500, "stays");
    rig.run();
    rig.recall(dueMs, "back");

    rig.runFor(5_000, 500);

    assertThat(rig.deliveredKeys()).containsExactly("stays");
  }

  @Test
  void shouldNotDeliverWhatIsTakenBackWithinItsSecond() throws IOException {
    long dueMs = rig.clock.millis() / 1_000 * 1_000 + 5_900;
    rig.timerIn(dueMs - rig.clock.millis(), "back");
    rig.run();
    rig.clock.advance(dueMs - 500 - rig.clock.millis());
    rig.run();
    rig.recall(dueMs, "back");

    rig.runFor(2_000, 100);

    assertThat(rig.delivered()).isEmpty();
  }

  @Test
  void shouldTakeBackWhatIsDueInFortyDays() throws IOException {
    long dueMs = rig.clock.millis() + 40 * DAY_MS;
    rig.timerIn(40 * DAY_MS, "back");
    rig.run();
    rig.runFor(3 * HOUR_MS, HOUR_MS);
    rig.recall(dueMs, "back");

    rig.runFor(41 * DAY_MS, HOUR_MS);

    assertThat(rig.delivered()).isEmpty();
  }

  @Test
  void shouldNotTakeBackForAnotherTopic() throws IOException {
    long dueMs = rig.clock.millis() + 2_500;
    rig.timerIn(2_500, "key");
    rig.log.timer("key", dueMs - 1, Map.of("TIMER_DEL_UNIQKEY", "payments+key"));

    rig.runFor(5_000, 500);

    assertThat(rig.deliveredKeys()).containsExactly("key");
  }

  @Test
  void shouldPassOverWhatCannotBeDeliveredAndGoOn() throws IOException {
    rig.timerIn(500, "before");
    rig.log.store(Topics.TIMER, 0, Map.of("UNIQ_KEY", "timeless", "REAL_TOPIC", "orders", "REAL_QID", "3"), "no time");
    rig.log.timer("nowhere", rig.clock.millis() + 499, Map.of("REAL_TOPIC", Topics.HALF));
    rig.log.timer("nan", 1, Map.of("TIMER_OUT_MS", "soon"));
    StoredMessage damaged = rig.timerIn(500, "damaged");
    rig.timerIn(500, "after");
    rig.run();
    rig.log.damage(damaged.phyOffset());

    rig.runFor(2_000, 500);

    assertThat(rig.deliveredKeys()).containsExactly("before", "after");
  }

  @Test
  void shouldTryAgainWhatWasNotStored() throws IOException {
    rig.timerIn(500, "a");
    rig.timerIn(500, "b");
    rig.timerIn(500, "c");
    rig.run();
    rig.clock.advance(700);

    rig.runOnce(1, AppendStatus.UNAVAILABLE);
    assertThat(rig.deliveredKeys()).containsExactly("a");
    rig.runFor(3_000, 1_000);

    assertThat(rig.deliveredKeys()).containsExactly("a", "b", "c");
  }

  @Test
  void shouldDeliverMoreOfOneMsThanIsKeptInMemory() throws IOException {
    int count = 4 * TimersRig.KEPT_UNITS;
    long outMs = rig.clock.millis() + 1_499;
    for (int i = 0; i < count; i++) {
      rig.log.timer("k" + i, outMs, Map.of());
    }

    rig.run();
    rig.runFor(3_000, 1_500);

    assertThat(rig.deliveredKeys()).isEqualTo(IntStream.range(0, count).mapToObj(i -> "k" + i).toList());
    assertThat(rig.timers.waiting()).isZero();
  }

  @Test
  void shouldNeitherLoseNorRepeatWhenKilledAfterABatchOfWhichItNeverHeard() throws IOException {
    for (int i = 0; i < 10; i++) {
      rig.timerIn(500 + i, "k" + i);
    }
    rig.run();
    rig.writeDown();
    rig.clock.advance(700);

    rig.dieAfter(4);
    rig.runFor(3_000, 100);

    assertThat(rig.deliveredKeys()).containsExactly("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9");
  }

  @Test
  void shouldNotRepeatWhenKilledAgainBeforeItHasCaughtUp() throws IOException {
    rig.run();
    rig.writeDown();
    for (int i = 0; i < 30; i++) {
      rig.timerIn(100 * i, "k" + i);
    }
    rig.run();
    rig.runFor(3_500, 100);

    rig.kill();
    rig.timers.take();
    rig.timers.fill(rig.batch);
    rig.writeDown();
    rig.kill();
    rig.runFor(5_000, 500);

    assertThat(rig.deliveredKeys()).hasSize(30).doesNotHaveDuplicates();
  }

  @Test
  void shouldFindEverythingInTheLogWhenItsFilesAreGone() throws IOException {
    rig.timerIn(500, "done");
    rig.timerIn(60_000, "waits");
    rig.runFor(2_000, 100);
    rig.stop();
    for (Path gone : List.of(root.resolve("timerwheel"), root.resolve("config/timercheck"), root.resolve("config/timercheck.bak"))) {
      Files.deleteIfExists(gone);
    }

    rig.start();
    rig.runFor(70_000, 1_000);

    assertThat(rig.deliveredKeys()).containsExactly("done", "waits");
  }

  @Test
  void shouldDeliverAgainWhatAPowerCutTookFromTheLog() throws IOException {
    rig.timerIn(500, "a");
    rig.run();
    rig.writeDown();
    long before = rig.log.appendedOffset();
    rig.runFor(2_000, 100);
    rig.writeDown();

    rig.log.cut(before);
    rig.kill();
    rig.runFor(3_000, 500);

    assertThat(rig.deliveredKeys()).containsExactly("a");
  }

  @Test
  void shouldNotTakeAnotherMessageForOneThatAPowerCutTook() throws IOException {
    rig.timerIn(500, "first");
    rig.run();
    rig.writeDown();
    long before = rig.log.appendedOffset();
    rig.timerIn(5_000, "lost");
    rig.run();

    rig.log.cut(before);
    rig.log.timer("other", rig.clock.millis() + 7_999, Map.of("PAD", "x"));
    rig.kill();
    rig.runFor(10_000, 100);

    assertThat(rig.deliveredKeys()).containsExactly("first", "other");
  }

  @Test
  void shouldLeaveNothingDeliveredForRocketmqToDeliverAgain() throws IOException {
    long secondMs = rig.clock.millis() / 1_000 * 1_000 + 2_000;
    rig.timerIn(secondMs + 100 - rig.clock.millis(), "done");
    rig.timerIn(secondMs + 900 - rig.clock.millis(), "waits");
    rig.run();
    rig.clock.advance(secondMs + 500 - rig.clock.millis());
    rig.run();

    rig.stop();

    TimerCheckLayout.TimerCheck check = new TimerCheckFile(root, Disk.real()).read(rig.log.appendedOffset()).orElseThrow();
    assertThat(check.readTimeMs()).isEqualTo(secondMs);
    assertThat(check.queueOffset()).isEqualTo(2);
    assertThat(new RocketmqTimers(root, TimersRig.LOG_FILE_BYTES).recordsFrom(check.readTimeMs()))
        .containsExactly(rig.log.queue(Topics.TIMER, 0).get(1).phyOffset());
    assertThat(new RocketmqTimers(root, TimersRig.LOG_FILE_BYTES).lastRecord())
        .isEqualTo(rig.log.queue(Topics.TIMER, 0).get(1).phyOffset());
  }

  @Test
  void shouldGoOnAfterARestartInTheMiddleOfASecond() throws IOException {
    long secondMs = rig.clock.millis() / 1_000 * 1_000 + 2_000;
    for (int i = 0; i < 10; i++) {
      rig.timerIn(secondMs + 50 + 100 * i - rig.clock.millis(), "k" + i);
    }
    rig.run();
    rig.clock.advance(secondMs + 500 - rig.clock.millis());
    rig.run();

    rig.restart();
    rig.timerIn(10, "new");
    rig.runFor(2_000, 10);

    assertThat(rig.deliveredKeys()).containsExactly("k0", "k1", "k2", "k3", "k4", "new", "k5", "k6", "k7", "k8", "k9");
  }

  @Test
  void shouldDeliverOnlyWhatTheMasterHasNotWhenASlaveBecomesMaster() throws IOException {
    rig.beginAsSlave();
    for (int i = 0; i < 10; i++) {
      rig.timerIn(100 + 1_000 * i, "k" + i);
    }
    rig.timers.take();
    deliverAsMaster(0, 3);
    long readTimeMs = rig.clock.millis() / 1_000 * 1_000 + 3_000;
    rig.timers.take();
    long end = rig.log.appendedOffset();
    assertThat(rig.timers.follow(new MasterProgress.Known(readTimeMs, OptionalLong.of(end), end + 1))).isFalse();
    assertThat(rig.timers.follow(new MasterProgress.Known(readTimeMs, OptionalLong.of(end), end))).isTrue();
    assertThat(rig.timers.waiting()).isEqualTo(7);
    rig.writeDown();
    deliverAsMaster(3, 5);

    rig.clock.advance(6_000);
    rig.kill();
    rig.runFor(10_000, 100);

    assertThat(rig.deliveredKeys()).containsExactly("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9");
  }

  @Test
  void shouldGoBackWithAMasterWhoseClockWasSetBack() throws IOException {
    rig.beginAsSlave();
    rig.timerIn(500, "delivered while the clock was ahead");
    rig.timers.take();
    deliverAsMaster(0, 1);
    long nowMs = rig.clock.millis() / 1_000 * 1_000;
    long end = rig.log.appendedOffset();
    rig.timers.follow(new MasterProgress.Known(nowMs + DAY_MS, OptionalLong.of(end), end));
    rig.timers.follow(new MasterProgress.Known(nowMs, OptionalLong.empty(), end));
    rig.timerIn(2_000, "later");
    rig.timers.take();
    rig.writeDown();

    rig.kill();
    rig.runFor(3_000, 100);

    assertThat(rig.deliveredKeys()).containsExactly("delivered while the clock was ahead", "later");
  }

  @Test
  void shouldDeliverNothingTwiceWhenASlaveBecomesMasterThatNeverHeardOfItsMaster() throws IOException {
    rig.beginAsSlave();
    for (int i = 0; i < 4; i++) {
      rig.timerIn(100 + 1_000 * i, "k" + i);
    }
    rig.timers.take();
    deliverAsMaster(0, 2);

    rig.clock.advance(2_500);
    rig.kill();
    rig.runFor(10_000, 100);

    assertThat(rig.deliveredKeys()).containsExactly("k0", "k1", "k2", "k3");
  }

  @Test
  void shouldDeliverWhatCameDueMeanwhileWhenAnyFileOfTheIndexIsGoneOrTooShort() throws IOException {
    List<Path> wheelOrLog = List.of(root.resolve("timerwheel"), root.resolve("timerlog/00000000000000000000"));
    List<String> expected = new ArrayList<>();
    for (Path spoilt : wheelOrLog) {
      for (boolean gone : new boolean[] {true, false}) {
        String key = (gone ? "without " : "too short ") + spoilt.getFileName();
        expected.add(key);
        rig.timerIn(2_000, key);
        rig.run();
        rig.stop();
        if (gone) {
          Files.delete(spoilt);
        } else {
          Files.write(spoilt, new byte[0]);
        }

        rig.clock.advance(5_000);
        rig.start();
        rig.runFor(2_000, 500);
      }
    }

    assertThat(rig.deliveredKeys()).isEqualTo(expected);
  }

  @Test
  void shouldNoteNoProgressWhileSlotsCannotBeWritten() throws IOException {
    int count = TimersRig.LOG_FILE_BYTES / TimerUnit.SIZE + 10;
    for (int i = 0; i < count; i++) {
      rig.timerIn(3_000, "k" + i);
    }
    Path inTheWay = root.resolve("timerlog").resolve(String.format("%020d", TimersRig.LOG_FILE_BYTES));
    Files.createDirectory(inTheWay);
    assertThatThrownBy(() -> rig.timers.take()).isInstanceOf(IOException.class);

    TimerChecks checks = new TimerChecks(rig.log, false, new TimerCheckFile(root, Disk.real()));
    Optional<Forcing> note = checks.next(rig.timers);
    if (note.isPresent()) {
      note.get().force();
    }
    Files.delete(inTheWay);
    rig.kill();
    rig.runFor(5_000, 500);

    assertThat(rig.deliveredKeys()).hasSize(count).doesNotHaveDuplicates();
  }

  @Test
  void shouldRepeatNothingWhenTheClockWasSetBackBetweenTwoKills() throws IOException {
    rig.writeDown();
    for (int i = 1; i <= 10; i++) {
      rig.timerIn(1_000 * i, "k" + i);
    }
    rig.runFor(10_500, 100);

    rig.clock.advance(-8_000);
    rig.kill();
    rig.runFor(3_000, 100);
    rig.writeDown();
    rig.kill();
    rig.runFor(10_000, 100);

    assertThat(rig.deliveredKeys()).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  void shouldKeepWhatIsTakenUpWhileTheClockIsSetBackByMoreThanAUnitCanHold() throws IOException {
    long backMs = 30 * DAY_MS;
    rig.timerIn(500, "before");
    rig.runFor(2_000, 100);
    rig.clock.advance(-backMs);
    rig.timerIn(500, "meanwhile");
    rig.run();
    rig.writeDown();

    rig.clock.advance(backMs);
    rig.kill();
    rig.runFor(3_000, 100);

    assertThat(rig.deliveredKeys()).containsExactly("before", "meanwhile");
  }

  @Test
  void shouldGoOnWhenTheClockWasSetFarForwardAndBack() throws IOException {
    rig.timerIn(1_500, "early");
    rig.timerIn(10 * DAY_MS / 8 + 300, "in the slot that is open");
    rig.timerIn(10 * DAY_MS / 8 + 900, "later in it");
    rig.timerIn(DAY_MS * 3 / 2, "late");
    rig.run();
    rig.clock.advance(10 * DAY_MS / 8 + 500);
    rig.run();
    assertThat(rig.deliveredKeys()).containsExactly("early", "in the slot that is open");

    rig.clock.advance(-10 * DAY_MS / 8);
    rig.timerIn(1_000, "soon");
    rig.timerIn(-500, "late when it came");
    rig.runFor(500, 100);
    assertThat(rig.deliveredKeys()).endsWith("in the slot that is open", "late when it came");
    rig.runFor(2_000, 100);

    assertThat(rig.deliveredKeys()).endsWith("late when it came", "soon");
    rig.runFor(2 * DAY_MS, 600_000);
    assertThat(rig.deliveredKeys())
        .containsExactly("early", "in the slot that is open", "late when it came", "soon", "later in it", "late");
  }

  /** Seen before: it tried again and again to keep only what was not done, and nothing was delivered any more. */
  @Test
  void shouldGoBackThoughTheDiskHasFailed() throws IOException {
    rig.timerIn(100_300, "done");
    rig.timerIn(100_900, "in the slot that is open");
    rig.run();
    rig.clock.advance(100_500);
    rig.run();
    rig.diskFails = true;

    rig.clock.advance(-100_000);
    rig.timerIn(1_000, "soon");
    assertThatThrownBy(() -> rig.timers.take()).hasMessage("it is broken");
    rig.runFor(102_000, 500);

    assertThat(rig.deliveredKeys()).containsExactly("done", "soon", "done", "in the slot that is open");
  }

  /** Seen before: a new timer took the place in the wheel of those that were due two weeks later, and they were lost. */
  @Test
  void shouldKeepTimersOfTheNextTurnOfTheWheelWhenTheClockIsSetBackByWeeks() throws IOException {
    long turnMs = 1_000L * TimerSlot.COUNT;
    rig.clock.advance(turnMs - DAY_MS);
    rig.run();
    rig.timerIn(DAY_MS + 10_300, "next turn");
    rig.timerIn(DAY_MS + 11_300, "a second later");
    rig.run();
    rig.clock.advance(DAY_MS - turnMs);

    try (LogCapture lines = new LogCapture(TimerIntake.class)) {
      rig.timerIn(10_200, "soon");
      rig.timerIn(11_200, "back");
      rig.recall(rig.clock.millis() + 11_200, "back");
      rig.runFor(11_900, 100);
      assertThat(rig.deliveredKeys()).isEmpty();
      rig.runFor(200, 100);
      assertThat(rig.deliveredKeys()).containsExactly("soon");
      assertThat(lines.at(Level.ERROR)).singleElement().asString().contains("set back").contains("comesMs=");
    }
    rig.runFor(turnMs, 3_600_000);

    assertThat(rig.deliveredKeys()).containsExactly("soon", "next turn", "a second later");
  }

  /** Kills at each of the moments between which notes are written: before the clock goes back, and after. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void shouldNeitherLoseNorRepeatWhenKilledWhileTheClockIsSetBack(int notes) throws IOException {
    for (int i = 1; i <= 20; i++) {
      rig.timerIn(i * 600_000L + i, "k" + i);
    }
    rig.run();
    rig.writeDown();
    rig.clock.advance(6_000_500);
    rig.run();
    note(notes, 1);

    rig.clock.advance(-6_000_000);
    rig.kill();
    rig.run();
    note(notes, 2);
    rig.timerIn(1_000, "soon");
    rig.timerIn(600_000, "with others");
    rig.run();
    note(notes, 4);
    rig.kill();
    rig.runFor(601_000, 1_000);

    assertThat(rig.deliveredKeys()).containsExactlyInAnyOrder(
        "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10", "soon", "with others");
    rig.kill();
    rig.runFor(12_000_000, 60_000);
    assertThat(rig.deliveredKeys()).hasSize(22).doesNotHaveDuplicates();
  }

  /** Seen before: the slot was never visited, for the note said that it was over. */
  @Test
  void shouldDeliverWhatCameAfterTheClockWasSetBackWhenKilledBeforeThatWasWrittenDown() throws IOException {
    rig.timerIn(65_000, "before");
    rig.run();
    rig.clock.advance(66_000);
    rig.run();
    rig.writeDown();
    rig.clock.advance(-65_000);
    rig.run();
    rig.timerIn(20_000, "after");
    rig.run();

    rig.clock.advance(6_000);
    rig.kill();
    rig.runFor(120_000, 500);

    assertThat(rig.deliveredKeys()).containsExactly("before", "after");
  }

  private void note(int notes, int bit) throws IOException {
    if ((notes & bit) != 0) {
      rig.writeDown();
    }
  }

  @Test
  void shouldNameTheRecordThatIsPassedOverAndNotAnotherOfItsBatch() throws IOException {
    StoredMessage refused = rig.timerIn(500, "refused");
    rig.timerIn(500, "another");
    rig.run();
    rig.clock.advance(700);

    try (LogCapture lines = new LogCapture(TimerDelivery.class)) {
      rig.runOnce(0, AppendStatus.ILLEGAL);

      assertThat(lines.at(Level.ERROR)).singleElement().asString().contains("phyOffset=" + refused.phyOffset() + " ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"timerwheel", "timerlog/00000000000000000000", "config/timercheck"})
  void shouldLoseNothingWhenAFileOfTheIndexIsDamagedWhileTheBrokerIsDown(String spoilt) throws IOException {
    for (int i = 0; i < 3; i++) {
      rig.timerIn(60_000 + 1_000 * i, "k" + i);
    }
    rig.run();
    rig.runFor(2_000, 500);
    rig.stop();
    spoil(root.resolve(spoilt));

    rig.clock.advance(75_000);
    try (LogCapture lines = new LogCapture(TimerRecovery.class)) {
      rig.start();

      assertThat(lines.at(Level.WARN)).singleElement().asString().contains("put aside");
    }
    rig.runFor(2_000, 500);

    assertThat(rig.deliveredKeys()).containsExactlyInAnyOrder("k0", "k1", "k2");
    assertThat(root.resolve("damaged")).isDirectoryContaining("glob:**" + spoilt.replaceAll("config/|/0*", "") + ".*");
  }

  private static void spoil(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    if (file.endsWith("timercheck")) {
      content[3] = (byte) 0xFF;
    } else if (file.endsWith("timerwheel")) {
      Arrays.fill(content, (byte) 0);
    } else {
      new Random(7).nextBytes(content);
    }
    Files.write(file, content);
  }

  @Test
  void shouldNotTakeANoteForOneOfFilesThatAreNotMadeAgainYet() throws IOException {
    for (int i = 0; i < 10; i++) {
      rig.timerIn(60_000, "k" + i);
    }
    rig.run();
    rig.stop();
    spoil(root.resolve("timerwheel"));
    rig.start();
    rig.timers.take();
    rig.kill();

    rig.clock.advance(75_000);
    rig.runFor(2_000, 500);

    assertThat(rig.deliveredKeys()).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  void shouldOpenSoundFilesWithoutPuttingThemAside() throws IOException {
    for (int i = 0; i < 200; i++) {
      rig.timerIn(1_000 + 700 * i, "k" + i);
    }
    rig.run();
    rig.runFor(3_000, 250);
    rig.writeDown();
    rig.kill();
    rig.runFor(3_000, 250);
    rig.clock.advance(-600_000);
    rig.run();
    rig.timerIn(2_000, "after");
    rig.restart();
    rig.runFor(3_000, 500);
    rig.restart();

    assertThat(root.resolve("damaged")).doesNotExist();
    assertThat(rig.deliveredKeys()).contains("after").doesNotHaveDuplicates();
  }

  @Test
  void shouldMakeTheIndexAgainWhenTheChainOfASecondIsBroken() throws IOException {
    rig.timerIn(200, "before");
    for (int i = 0; i < 3; i++) {
      rig.timerIn(2_500, "k" + i);
    }
    rig.run();
    rig.runFor(500, 500);
    try (FileChannel file = FileChannel.open(root.resolve("timerlog/00000000000000000000"), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(TimerUnit.SIZE), 2 * TimerUnit.SIZE);
    }

    try (LogCapture lines = new LogCapture(TimerRecovery.class)) {
      rig.runFor(4_000, 500);

      assertThat(lines.at(Level.WARN)).singleElement().asString().contains("made again").contains("slotMs=");
    }
    assertThat(rig.deliveredKeys()).containsExactly("before", "k0", "k1", "k2");
  }

  /** What a master would have stored, as it comes by replication. */
  private void deliverAsMaster(int from, int to) {
    List<StoredMessage> waiting = rig.log.queue(Topics.TIMER, 0);
    TimerMessage message = new TimerMessage(FakeTimerTopic.STORE_HOST);
    rig.batch.clear();
    for (StoredMessage one : waiting.subList(from, to)) {
      message.read(rig.log.record(one.phyOffset()).orElseThrow().bytes());
      message.asDelivered();
      rig.batch.reserve(message.size());
      message.writeTo(rig.batch.bytes(), rig.batch.end());
      rig.batch.add(message.target(), message.size());
    }
    rig.log.append(rig.batch, Integer.MAX_VALUE, AppendStatus.STORED);
    rig.batch.clear();
  }
}
