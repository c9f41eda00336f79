package io.metaq.bus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NudgeTest {
  @Test
  void shouldAskForOneMessageUntilItWasTaken() {
    Nudge nudge = new Nudge();

    assertThat(nudge.raise()).isTrue();
    assertThat(nudge.raise()).isFalse();

    nudge.take();

    assertThat(nudge.raise()).isTrue();
  }
}
