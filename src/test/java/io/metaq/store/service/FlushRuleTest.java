package io.metaq.store.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import org.junit.jupiter.api.Test;

class FlushRuleTest {
  private static final int PAGE = 4096;

  private final HandClock clock = new HandClock();

  @Test
  void shouldForceWhenEnoughPagesAreDirty() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 4, 10_000, 0, 0), clock);

    clock.advance(500);

    assertThat(rule.isDue(4 * PAGE - 1)).isFalse();
    assertThat(rule.isDue(4 * PAGE)).isTrue();
  }

  @Test
  void shouldForceWhateverIsDirtyWhenTheThoroughIntervalIsOver() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 4, 10_000, 0, 0), clock);

    clock.advance(9_999);
    assertThat(rule.isDue(1)).isFalse();
    clock.advance(1);
    assertThat(rule.isDue(1)).isTrue();

    rule.forcing();
    clock.advance(500);
    assertThat(rule.isDue(1)).isFalse();
  }

  @Test
  void shouldNotForceWhenNothingIsDirty() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 0, 10_000, 0, 1), clock);

    clock.advance(20_000);

    assertThat(rule.isDue(0)).isFalse();
  }

  @Test
  void shouldForceAtEachLookWhenTheIntervalIsShorterThanThatOfLooks() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 1000, 10_000, 0, 50), clock);

    assertThat(rule.lookEveryMs()).isEqualTo(50);
    clock.advance(50);
    assertThat(rule.isDue(1)).isTrue();
    rule.forcing();
    clock.advance(50);
    assertThat(rule.isDue(1)).isTrue();
  }

  @Test
  void shouldForceAtTheLastLookBeforeAMessageWouldBeTooOld() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 1000, 100_000, 0, 2_000), clock);
    clock.advance(500);
    assertThat(rule.isDue(0)).isFalse();

    clock.advance(500);
    assertThat(rule.isDue(1)).isFalse();
    clock.advance(500);
    assertThat(rule.isDue(1)).isFalse();
    clock.advance(500);
    assertThat(rule.isDue(1)).isFalse();
    clock.advance(1);

    assertThat(rule.isDue(1)).as("1,501 ms after the last clean look, the next look in 500 ms").isTrue();
  }

  @Test
  void shouldCountFromTheLastForce() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 1000, 100_000, 0, 2_000), clock);
    clock.advance(1_600);
    assertThat(rule.isDue(1)).isTrue();
    rule.forcing();

    clock.advance(1_500);
    assertThat(rule.isDue(1)).isFalse();
    clock.advance(100);
    assertThat(rule.isDue(1)).isTrue();
  }

  @Test
  void shouldHaveNoBoundOfTimeWhenNoneIsSet() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 4, 1_000_000, 0, 0), clock);

    clock.advance(999_999);

    assertThat(rule.lookEveryMs()).isEqualTo(500);
    assertThat(rule.isDue(4 * PAGE - 1)).isFalse();
  }

  @Test
  void shouldTakeTheLongestIntervalForNone() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 4, 1_000_000, 0, Long.MAX_VALUE), clock);

    clock.advance(999_999);

    assertThat(rule.isDue(4 * PAGE - 1)).isFalse();
  }
}
