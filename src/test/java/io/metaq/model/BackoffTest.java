package io.metaq.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void shouldDoubleItsBoundUpToTheLimitAndStayInTheUpperHalf() {
    Backoff backoff = new Backoff(200, 1_000, new Random(1));

    for (long boundMs : new long[] {200, 400, 800, 1_000, 1_000}) {
      assertThat(backoff.nextMs()).isBetween(boundMs / 2 + 1, boundMs);
    }
  }

  @Test
  void shouldBeginAgainAfterASuccess() {
    Backoff backoff = new Backoff(200, 1_000, new Random(1));
    backoff.nextMs();
    backoff.nextMs();

    backoff.reset();

    assertThat(backoff.nextMs()).isBetween(101L, 200L);
  }

  @Test
  void shouldSpreadTriesThatBeginTogether() {
    long distinct = new Random(1).ints(100).mapToLong(seed -> new Backoff(200, 200, new Random(seed)).nextMs()).distinct().count();

    assertThat(distinct).isGreaterThan(30);
  }
}
