package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.model.GroupConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FarPaceTest {
  private static final GroupSnapshot GROUP =
      new GroupSnapshot(GroupConfig.of("g"), true, false, Map.of(), List.of(), Set.of(), GroupConflict.NONE);
  private static final int BIG = 4 << 20;

  private final List<Integer> read = new ArrayList<>();
  private final List<Long> timers = new ArrayList<>();
  private Runnable due;
  private final HandClock clock = new HandClock();
  private long logEnd = FarPace.FAR_BYTES + 1;
  private final FarPace pace = new FarPace(() -> logEnd, clock, this::set, held -> read(held.pull().opaque()));

  @Test
  void shouldRestAfterAFarReadWhileTheLogGrows() {
    pace.answered(0, BIG);
    assertThat(pace.resting()).isTrue();

    pass(60);

    assertThat(pace.resting()).isFalse();
  }

  @Test
  void shouldNotRestWhileNothingComesIn() {
    pace.answered(0, BIG);
    pass(60);

    pace.answered(0, BIG);

    assertThat(pace.resting()).isFalse();
  }

  @Test
  void shouldNotRestAfterANearRead() {
    pace.answered(1, BIG);

    assertThat(pace.resting()).isFalse();
  }

  @Test
  void shouldAddUpShortRests() {
    int answers = 0;
    while (!pace.resting() && answers < 1000) {
      logEnd++;
      pace.answered(0, 1);
      answers++;
    }

    assertThat(answers).isBetween(2, 999);
  }

  @Test
  void shouldReadWhatWaitsOneAfterTheOtherWhenItsTimeHasCome() {
    pace.answered(0, BIG);
    hold(1);
    hold(2);
    hold(3);
    assertThat(timers).hasSize(1);
    assertThat(read).isEmpty();

    ring();
    assertThat(read).containsExactly(1);
    assertThat(pace.resting()).isTrue();
    ring();
    ring();

    assertThat(read).containsExactly(1, 2, 3);
    assertThat(pace.idle()).isTrue();
    assertThat(timers).hasSize(3);
  }

  @Test
  void shouldLetNobodyOvertakeWhoWaits() {
    pace.answered(0, BIG);
    hold(1);

    pass(1000);

    assertThat(pace.resting()).isTrue();
    ring();
    assertThat(read).containsExactly(1);
  }

  @Test
  void shouldHandOverAllThatWaitAtTheEnd() {
    pace.answered(0, BIG);
    hold(1);
    hold(2);
    List<Integer> drained = new ArrayList<>();

    pace.drain(pull -> drained.add(pull.opaque()));
    ring();

    assertThat(drained).containsExactly(1, 2);
    assertThat(read).isEmpty();
    assertThat(pace.idle()).isTrue();
  }

  @Test
  void shouldForgetWhoseConnectionEnded() {
    pace.answered(0, BIG);
    hold(1);

    pace.gone(null);
    ring();

    assertThat(read).isEmpty();
  }

  private void hold(int opaque) {
    pace.hold(new Pull(null, opaque, SerializeType.JSON, "T", 0, 0, 32, 1 << 20, () -> null, GROUP, null, 0), true);
  }

  /** Reads as far behind as before, while messages come in. */
  private void read(int opaque) {
    read.add(opaque);
    logEnd++;
    pace.answered(0, BIG);
  }

  private void set(long ms, Runnable task) {
    timers.add(ms);
    due = task;
  }

  private void pass(long ms) {
    clock.advance(ms);
  }

  private void ring() {
    pass(timers.get(timers.size() - 1));
    due.run();
  }
}
