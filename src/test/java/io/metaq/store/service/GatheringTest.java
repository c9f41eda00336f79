package io.metaq.store.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import org.junit.jupiter.api.Test;

class GatheringTest {
  private final HandClock clock = new HandClock();
  private final Gathering gathering = new Gathering(clock);

  @Test
  void shouldPutNothingOffAtFirst() {
    assertThat(gathering.pays()).isFalse();
  }

  @Test
  void shouldGatherWhatComesSoonAfterMessagesThatNobodyWaitedFor() {
    gathering.roundEnded(false);

    assertThat(gathering.pays()).isTrue();
  }

  @Test
  void shouldPutNothingOffWhereSomebodyWaitedForTheLast() {
    gathering.roundEnded(false);
    gathering.roundEnded(true);

    assertThat(gathering.pays()).isFalse();
  }

  @Test
  void shouldPutNothingOffWhereLittleComes() {
    gathering.roundEnded(false);
    clock.advance(1);

    assertThat(gathering.pays()).isFalse();
  }
}
