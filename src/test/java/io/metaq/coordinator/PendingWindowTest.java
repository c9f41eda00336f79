package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PendingWindowTest {
  @Test
  void shouldMoveOverWhatIsDoneInAnyOrder() {
    PendingWindow window = new PendingWindow(100);

    window.done(102);
    window.done(101);
    assertThat(window.next()).isEqualTo(100);
    window.done(100);

    assertThat(window.next()).isEqualTo(103);
    assertThat(window.isDone(99)).isTrue();
    assertThat(window.isDone(102)).isTrue();
    assertThat(window.isDone(103)).isFalse();
  }

  @Test
  void shouldFindTheNextThatWaits() {
    PendingWindow window = new PendingWindow(0);
    window.done(0);
    window.done(2);
    window.done(3);

    assertThat(window.nextPending(0)).isEqualTo(1);
    assertThat(window.nextPending(2)).isEqualTo(4);
    assertThat(window.nextPending(1_000)).isEqualTo(1_000);
  }

  @Test
  void shouldForgetWhatLiesFarBehindWithoutLosingWhatLiesAhead() {
    PendingWindow window = new PendingWindow(5);
    window.done(400_001);

    for (long offset = 5; offset < 300_000; offset++) {
      window.done(offset);
    }

    assertThat(window.next()).isEqualTo(300_000);
    assertThat(window.isDone(4)).isTrue();
    assertThat(window.isDone(400_000)).isFalse();
    assertThat(window.isDone(400_001)).isTrue();
    window.done(7);
    assertThat(window.next()).isEqualTo(300_000);
  }
}
