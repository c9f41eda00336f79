package io.metaq.store.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.Clock;
import org.junit.jupiter.api.Test;

class FlushRuleTest {
  private static final int PAGE = 4096;

  private final HandClock clock = new HandClock();

  @Test
  void shouldForceWhenEnoughPagesAreDirty() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 4, 10_000, 0, 0), clock);

    clock.ms += 500;

    assertThat(rule.isDue(4 * PAGE - 1)).isFalse();
    assertThat(rule.isDue(4 * PAGE)).isTrue();
  }

  @Test
  void shouldForceWhateverIsDirtyWhenTheThoroughIntervalIsOver() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 4, 10_000, 0, 0), clock);

    clock.ms += 9_999;
    assertThat(rule.isDue(1)).isFalse();
    clock.ms += 1;
    assertThat(rule.isDue(1)).isTrue();

    rule.forcing();
    clock.ms += 500;
    assertThat(rule.isDue(1)).isFalse();
  }

  @Test
  void shouldNotForceWhenNothingIsDirty() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 0, 10_000, 0, 1), clock);

    clock.ms += 20_000;

    assertThat(rule.isDue(0)).isFalse();
  }

  @Test
  void shouldForceAtEachLookWhenTheIntervalIsShorterThanThatOfLooks() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 1000, 10_000, 0, 50), clock);

    assertThat(rule.lookEveryMs()).isEqualTo(50);
    clock.ms += 50;
    assertThat(rule.isDue(1)).isTrue();
    rule.forcing();
    clock.ms += 50;
    assertThat(rule.isDue(1)).isTrue();
  }

  @Test
  void shouldForceAtTheLastLookBeforeAMessageWouldBeTooOld() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 1000, 100_000, 0, 2_000), clock);
    clock.ms += 500;
    assertThat(rule.isDue(0)).isFalse();

    clock.ms += 500;
    assertThat(rule.isDue(1)).isFalse();
    clock.ms += 500;
    assertThat(rule.isDue(1)).isFalse();
    clock.ms += 500;
    assertThat(rule.isDue(1)).isFalse();
    clock.ms += 1;

    assertThat(rule.isDue(1)).as("1,501 ms after the last clean look, the next look in 500 ms").isTrue();
  }

  @Test
  void shouldCountFromTheLastForce() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 1000, 100_000, 0, 2_000), clock);
    clock.ms += 1_600;
    assertThat(rule.isDue(1)).isTrue();
    rule.forcing();

    clock.ms += 1_500;
    assertThat(rule.isDue(1)).isFalse();
    clock.ms += 100;
    assertThat(rule.isDue(1)).isTrue();
  }

  @Test
  void shouldHaveNoBoundOfTimeWhenNoneIsSet() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 4, 1_000_000, 0, 0), clock);

    clock.ms += 999_999;

    assertThat(rule.lookEveryMs()).isEqualTo(500);
    assertThat(rule.isDue(4 * PAGE - 1)).isFalse();
  }

  @Test
  void shouldTakeTheLongestIntervalForNone() {
    FlushRule rule = new FlushRule(new FlushOptions(false, 500, 4, 1_000_000, 0, Long.MAX_VALUE), clock);

    clock.ms += 999_999;

    assertThat(rule.isDue(4 * PAGE - 1)).isFalse();
  }

  private static final class HandClock implements Clock {
    private long ms = 1_700_000_000_000L;

    @Override
    public long millis() {
      return ms;
    }

    @Override
    public long nanos() {
      return ms * 1_000_000;
    }
  }
}
