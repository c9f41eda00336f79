package io.metaq.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayLevelsTest {
  @ParameterizedTest
  @CsvSource({"1,1000", "3,10000", "5,60000", "14,600000", "18,7200000", "19,7200000"})
  void shouldKnowTheDefaultLevels(int level, long delayMs) {
    assertThat(DelayLevels.DEFAULT.delayMs(level)).isEqualTo(delayMs);
  }

  @ParameterizedTest
  @CsvSource({"-1,0", "0,0", "1,1", "18,18", "19,18", "2147483647,18"})
  void shouldCapALevel(int wished, int meant) {
    assertThat(DelayLevels.DEFAULT.cap(wished)).isEqualTo(meant);
  }

  @Test
  void shouldReadEveryUnit() {
    DelayLevels levels = DelayLevels.parse(" 2s  3m 4h 5d ");

    assertThat(levels.max()).isEqualTo(4);
    assertThat(levels.delayMs(1)).isEqualTo(2_000);
    assertThat(levels.delayMs(2)).isEqualTo(180_000);
    assertThat(levels.delayMs(3)).isEqualTo(14_400_000);
    assertThat(levels.delayMs(4)).isEqualTo(432_000_000);
  }

  @Test
  void shouldCountALevelThatIsNoneAsOneSecond() {
    assertThat(DelayLevels.parse("7s").delayMs(0)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10x", "s", "1.5s", "-1s", "10", "9223372036854775807d"})
  void shouldNameTheWordThatIsWrong(String word) {
    assertThatThrownBy(() -> DelayLevels.parse("1s " + word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("messageDelayLevel has \"" + word + "\"");
  }

  @Test
  void shouldRefuseAnEmptyText() {
    assertThatThrownBy(() -> DelayLevels.parse("  ")).hasMessageContaining("messageDelayLevel is empty");
  }
}
