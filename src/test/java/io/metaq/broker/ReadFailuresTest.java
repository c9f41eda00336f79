package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.Clock;
import org.junit.jupiter.api.Test;

class ReadFailuresTest {
  private static final long MINUTE_NS = 60_000_000_000L;

  private final HandClock clock = new HandClock();
  private final ReadFailures failures = new ReadFailures(clock);

  @Test
  void shouldTellTheFirstFailureAtOnceAndThenHowManyCameWithinAMinute() {
    assertThat(failures.dueAfter("orders", 0, 7)).hasValue(0);
    for (int i = 0; i < 5; i++) {
      assertThat(failures.dueAfter("orders", 0, 7)).isEmpty();
    }

    clock.ns += MINUTE_NS;

    assertThat(failures.dueAfter("orders", 0, 7)).hasValue(5);
    assertThat(failures.dueAfter("orders", 0, 7)).isEmpty();
  }

  @Test
  void shouldTellEachPlace() {
    failures.dueAfter("orders", 0, 7);

    assertThat(failures.dueAfter("orders", 0, 8)).hasValue(0);
    assertThat(failures.dueAfter("orders", 1, 7)).hasValue(0);
    assertThat(failures.dueAfter("payments", 0, 7)).hasValue(0);
  }

  @Test
  void shouldForgetTheOldestPlaceWhenThereAreTooMany() {
    for (int place = 0; place < ReadFailures.MOST_PLACES; place++) {
      failures.dueAfter("orders", 0, place);
    }
    assertThat(failures.dueAfter("orders", 0, 0)).isEmpty();

    failures.dueAfter("orders", 0, ReadFailures.MOST_PLACES);

    assertThat(failures.dueAfter("orders", 0, 0)).hasValue(0);
  }

  private static final class HandClock implements Clock {
    private long ns;

    @Override
    public long millis() {
      return ns / 1_000_000;
    }

    @Override
    public long nanos() {
      return ns;
    }
  }
}
