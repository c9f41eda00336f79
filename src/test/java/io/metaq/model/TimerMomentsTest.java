package io.metaq.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerMomentsTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  @ParameterizedTest
  @ValueSource(ints = {100, 200, 500, 1_000})
  void shouldBeDueAtTheMsOrOneLaterAndInTheSlotInWhichRocketmqHasIt(int slotMs) {
    for (long dueMs = NOW_MS; dueMs < NOW_MS + 2_000; dueMs++) {
      long written = TimerMoments.written(dueMs);
      long rocketmqSlot = dueMs % slotMs == 0 ? dueMs - slotMs : dueMs / slotMs * slotMs;

      assertThat(TimerMoments.due(written, slotMs)).isBetween(dueMs, dueMs + 1);
      assertThat(written / slotMs * slotMs).isEqualTo(rocketmqSlot);
    }
  }

  @Test
  void shouldDeliverWhatRocketmqWroteAtTheEndOfItsSlot() {
    assertThat(TimerMoments.due(NOW_MS, 1_000)).isEqualTo(NOW_MS + 1_000);
    assertThat(TimerMoments.due(NOW_MS, 100)).isEqualTo(NOW_MS + 100);
  }

  @Test
  void shouldCountSecondsBeforeMsBeforeTheMoment() {
    assertThat(TimerMoments.wanted("3", "5", "7", NOW_MS)).isEqualTo(NOW_MS + 3_000);
    assertThat(TimerMoments.wanted(null, "5", "7", NOW_MS)).isEqualTo(NOW_MS + 5);
    assertThat(TimerMoments.wanted(null, null, "7", NOW_MS)).isEqualTo(7);
  }

  @Test
  void shouldStayAtTheEndOfWhat64BitsHold() {
    String most = Long.toString(Long.MAX_VALUE);
    String least = Long.toString(Long.MIN_VALUE);

    assertThat(TimerMoments.wanted(most, null, null, NOW_MS)).isGreaterThan(NOW_MS + Integer.MAX_VALUE * 1_000L);
    assertThat(TimerMoments.wanted(null, most, null, NOW_MS)).isEqualTo(Long.MAX_VALUE);
    assertThat(TimerMoments.wanted(least, null, null, NOW_MS)).isNegative();
    assertThat(TimerMoments.wanted(null, least, null, NOW_MS)).isNegative();
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "1.5", " 5", "9223372036854775808", "0x10"})
  void shouldNotGuessWhatIsNoNumber(String text) {
    assertThatThrownBy(() -> TimerMoments.wanted(text, "5", null, NOW_MS)).isInstanceOf(NumberFormatException.class);
    assertThatThrownBy(() -> TimerMoments.wanted(null, text, "5", NOW_MS)).isInstanceOf(NumberFormatException.class);
    assertThatThrownBy(() -> TimerMoments.wanted(null, null, text, NOW_MS)).isInstanceOf(NumberFormatException.class);
  }
}
