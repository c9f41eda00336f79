package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import org.junit.jupiter.api.Test;

class RepeatedWarningTest {
  private final HandClock clock = new HandClock();
  private final RepeatedWarning warning = new RepeatedWarning(clock, 1_000);

  @Test
  void shouldLetOneThroughInAnIntervalAndCountTheOthers() {
    assertThat(warning.due()).isTrue();
    assertThat(warning.takeSuppressed()).isZero();

    clock.advance(999);
    assertThat(warning.due()).isFalse();
    assertThat(warning.due()).isFalse();

    clock.advance(1);
    assertThat(warning.due()).isTrue();
    assertThat(warning.takeSuppressed()).isEqualTo(2);
    assertThat(warning.takeSuppressed()).isZero();
  }
}
