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
  private double yieldMs;
  private long nanos;

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

  /** A compiler, or another process that computes: the yield of one moment is then one of milliseconds. */
  @Test
  void shouldRestWhereOthersKeepTheProcessorAndLongerWhenTheyDoAgain() {
    Vigil kept = new Vigil(new YieldingClock(), 100_000_000);

    double first = restAfterALongYield(kept);
    double second = restAfterALongYield(kept);
    double last = 0;
    for (int i = 0; i < 20; i++) {
      last = restAfterALongYield(kept);
    }

    assertThat(first).isBetween(10.0, 11.0);
    assertThat(second).isBetween(20.0, 21.0);
    assertThat(last).as("a second, at most").isBetween(1_000.0, 1_001.0);
  }

  @Test
  void shouldRestForAShortWhileAgainWhenItWasLongAgo() {
    Vigil kept = new Vigil(new YieldingClock(), 100_000_000);
    restAfterALongYield(kept);
    restAfterALongYield(kept);

    nanos += 300_000_000;

    assertThat(restAfterALongYield(kept)).isBetween(10.0, 11.0);
  }

  @Test
  void shouldNotRestBecauseOthersHadAMoment() {
    Vigil kept = new Vigil(new YieldingClock(), 100_000_000);
    yieldMs = 0.1;

    for (int i = 0; i < 100; i++) {
      kept.keep(this::soon);
    }

    assertThat(kept.begin()).isTrue();
  }

  /** When it is looked for the second time. */
  private boolean soon() {
    return ++looks % 2 == 0;
  }

  /** How many ms it takes until one begins again; each is worth it. */
  private double restAfterALongYield(Vigil vigil) {
    yieldMs = 4;
    vigil.letOthers();
    long from = nanos;
    yieldMs = 0.01;
    assertThat(vigil.lasts()).isFalse();
    vigil.end(true);
    while (!vigil.begin()) {
      // Time passes.
    }
    return (nanos - from) / 1e6;
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

  /** So much time passes from one look at it to the next. */
  private final class YieldingClock implements Clock {
    @Override
    public long millis() {
      return clock.millis();
    }

    @Override
    public long nanos() {
      nanos += (long) (yieldMs * 1_000_000);
      return nanos;
    }
  }

  private boolean neverWithinAMsEach() {
    looks++;
    clock.advance(looks > 1 ? 1 : 0);
    return false;
  }
}
