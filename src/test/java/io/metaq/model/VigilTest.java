package io.metaq.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VigilTest {
  private static final long LENGTH_MS = 2;
  private static final int ONE_IN = 64;

  private final HandClock clock = new HandClock();
  private final Vigil vigil = new Vigil(clock, LENGTH_MS * 1_000_000);
  private int looks;

  @Test
  void shouldLookUntilItCame() {
    vigil.keep(() -> ++looks == 5);

    assertThat(looks).isEqualTo(5);
  }

  @Test
  void shouldEndWhenItsTimeIsOver() {
    vigil.keep(this::neverWithinAMsEach);

    assertThat(looks).isEqualTo(1 + LENGTH_MS);
  }

  @Test
  void shouldNotBeginWhereWorkWaitsAlready() {
    Vigil endless = new Vigil(clock, Long.MAX_VALUE);

    endless.keep(() -> true);

    assertThat(begun(ONE_IN)).isEqualTo(1);
  }

  @Test
  void shouldNotBeKeptWithALengthOfZero() {
    Vigil none = new Vigil(clock, 0);

    none.keep(this::neverWithinAMsEach);

    assertThat(looks).isEqualTo(1);
    assertThat(none.begin()).isFalse();
  }

  @Test
  void shouldBeTriedNowAndThenWhileItDoesNotPay() {
    int begun = begun(10 * ONE_IN);

    assertThat(begun).isEqualTo(10);
  }

  @Test
  void shouldBeKeptEachTimeWhileItPays() {
    vigil.begin();
    vigil.end(true);

    assertThat(IntStream.range(0, 100).filter(i -> {
      boolean begins = vigil.begin();
      vigil.end(true);
      return begins;
    }).count()).isEqualTo(100);
  }

  @Test
  void shouldBeGivenUpAfterEnoughInVainHoweverOftenItPaidBefore() {
    for (int i = 0; i < 1_000; i++) {
      vigil.end(true);
    }

    assertThat(begun(ONE_IN)).isBetween(10, 20);
    assertThat(begun(10 * ONE_IN)).isEqualTo(10);
  }

  @Test
  void shouldBeKeptWhereEverySecondOnePays() {
    vigil.end(true);

    for (int i = 0; i < 100; i++) {
      assertThat(vigil.begin()).isTrue();
      vigil.end(i % 2 == 1);
    }
  }

  /** How many of so many begin, each of them in vain. */
  private int begun(int tries) {
    int begun = 0;
    for (int i = 0; i < tries; i++) {
      if (vigil.begin()) {
        begun++;
        vigil.end(false);
      }
    }
    return begun;
  }

  private boolean neverWithinAMsEach() {
    looks++;
    clock.advance(looks > 1 ? 1 : 0);
    return false;
  }
}
