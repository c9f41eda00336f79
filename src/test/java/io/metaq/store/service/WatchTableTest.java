package io.metaq.store.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchTableTest {
  private long end = 5;
  private final WatchTable watches = new WatchTable((topic, queueId) -> end);

  @Test
  void shouldTellAtOnceWhenTheQueueIsBeyondTheOffsetAlready() {
    assertThat(watches.add(0, "t", 0, 4)).isTrue();
    assertThat(watches.take("t", 0)).isZero();
  }

  @Test
  void shouldRememberEachLoopUntilItToldThemOnce() {
    assertThat(watches.add(0, "t", 3, 5)).isFalse();
    assertThat(watches.add(2, "t", 3, 5)).isFalse();

    assertThat(watches.take("t", 3)).isEqualTo(0b101);
    assertThat(watches.take("t", 3)).isZero();
  }

  @Test
  void shouldKeepQueuesApart() {
    watches.add(1, "t", 0, 5);

    assertThat(watches.take("t", 1)).isZero();
    assertThat(watches.take("u", 0)).isZero();
    assertThat(watches.take("t", 0)).isEqualTo(0b10);
  }
}
