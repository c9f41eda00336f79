package io.metaq.codec.remoting;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UniqueKeysTest {
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final int MONTH_TIME_AT = 20;
  private static final int COUNT_AT = 28;

  @Test
  void shouldMakeDifferentKeysInTheFormOfOfficialClients() {
    UniqueKeys keys = new UniqueKeys(new HandClock(), new Random(1));
    Set<String> all = new HashSet<>();

    for (int i = 0; i < 10_000; i++) {
      String key = keys.next();
      assertThat(key).matches("[0-9A-F]{32}");
      all.add(key);
    }

    assertThat(all).hasSize(10_000);
  }

  /** Seen before: the time was random, and a tool that searches from there on passed the message. */
  @ParameterizedTest
  @CsvSource({
      "2026-11-01T00:00:00.000+08:00, 0",
      "2026-11-01T00:00:00.001+08:00, 1",
      "2026-10-31T23:59:59.999+08:00, 2678399999",
      "2024-02-29T12:00:00.000+08:00, 2462400000"
  })
  void shouldHoldTheTimeSinceTheMonthBegan(String now, long sinceMonthMs) {
    HandClock clock = new HandClock();
    clock.advance(Instant.parse(now).toEpochMilli() - clock.millis());

    assertThat(monthMs(new UniqueKeys(clock, new Random(1), SHANGHAI).next())).isEqualTo(sinceMonthMs);
  }

  @Test
  void shouldBeginAnewWithTheNextMonthAndFollowAClockThatIsSetBack() {
    HandClock clock = new HandClock();
    clock.advance(Instant.parse("2026-11-30T23:59:59.999+08:00").toEpochMilli() - clock.millis());
    UniqueKeys keys = new UniqueKeys(clock, new Random(1), SHANGHAI);

    assertThat(monthMs(keys.next())).isEqualTo(Duration.ofDays(30).toMillis() - 1);
    clock.advance(1);
    assertThat(monthMs(keys.next())).isZero();
    clock.advance(-1);
    assertThat(monthMs(keys.next())).isEqualTo(Duration.ofDays(30).toMillis() - 1);
  }

  private static long monthMs(String key) {
    return Long.parseLong(key.substring(MONTH_TIME_AT, COUNT_AT), 16);
  }
}
