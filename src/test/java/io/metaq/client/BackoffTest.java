package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void shouldDoubleUpToItsCapWithHalfOfItByChance() {
    Backoff backoff = new Backoff(100, 3000, new Random(1));

    for (int i = 0; i < 500; i++) {
      assertThat(backoff.delayMs(1)).isBetween(50L, 100L);
      assertThat(backoff.delayMs(2)).isBetween(100L, 200L);
      assertThat(backoff.delayMs(6)).isBetween(1500L, 3000L);
      assertThat(backoff.delayMs(1000)).isBetween(1500L, 3000L);
    }
  }

  @Test
  void shouldSpreadClients() {
    Backoff backoff = new Backoff(100, 3000, new Random(1));

    assertThat(LongStream.range(0, 50).map(i -> backoff.delayMs(5)).distinct().count()).isGreaterThan(20);
  }
}
