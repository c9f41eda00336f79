package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LevelProgressTest {
  private final LevelProgress progress = new LevelProgress(3, 10);

  @Test
  void shouldMoveOnlyOverWhatIsDoneWithoutAGap() {
    assertThat(progress.done(11)).isFalse();
    assertThat(progress.done(13)).isFalse();
    assertThat(progress.next()).isEqualTo(10);

    assertThat(progress.done(10)).isTrue();
    assertThat(progress.next()).isEqualTo(12);

    assertThat(progress.done(12)).isTrue();
    assertThat(progress.next()).isEqualTo(14);
  }

  @Test
  void shouldGoBackToTheFirstFailureAndRememberWhatIsDoneBeyondIt() {
    take(4);
    progress.done(10);
    progress.failed(11);
    progress.done(12);
    progress.failed(13);

    assertThat(progress.cursor()).isEqualTo(11);
    assertThat(progress.next()).isEqualTo(11);
    assertThat(progress.isDone(10)).isTrue();
    assertThat(progress.isDone(11)).isFalse();
    assertThat(progress.isDone(12)).isTrue();
    assertThat(progress.isDone(13)).isFalse();
  }

  @Test
  void shouldForgetEverythingWhenItIsMoved() {
    take(2);
    progress.done(11);

    progress.moveTo(5);

    assertThat(progress.next()).isEqualTo(5);
    assertThat(progress.cursor()).isEqualTo(5);
    assertThat(progress.isDone(11)).isFalse();
  }

  @Test
  void shouldRestUntilTheGivenMoment() {
    progress.pauseUntil(100);

    assertThat(progress.pausedAt(99)).isTrue();
    assertThat(progress.pausedAt(100)).isFalse();
  }

  private void take(int count) {
    for (int i = 0; i < count; i++) {
      progress.taken();
    }
  }
}
