package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerFiguresTest {
  private final HandClock clock = new HandClock();

  @TempDir
  private Path folder;

  private BrokerFigures figures;

  @BeforeEach
  void start() {
    figures = fresh();
  }

  /** As after a start of the process. */
  private BrokerFigures fresh() {
    return new BrokerFigures(2, clock, ZoneOffset.UTC, visitor -> {}, "c", new FiguresFile(folder.resolve("figures.json")));
  }

  @Test
  void shouldSumWhatTheLoopsCount() {
    figures.loop(0).add(Figure.MESSAGES_STORED, 3);
    figures.loop(1).add(Figure.MESSAGES_STORED, 4);
    figures.loop(1).add(Figure.MESSAGES_READ, 9);

    assertThat(figures.total(Figure.MESSAGES_STORED)).isEqualTo(7);
    assertThat(figures.total(Figure.MESSAGES_READ)).isEqualTo(9);
  }

  @Test
  void shouldTellRatesSinceTheStartBeforeAWindowIsFull() {
    clock.pass(4_000);
    figures.loop(0).add(Figure.MESSAGES_STORED, 40);

    assertThat(figures.perSecond(Figure.MESSAGES_STORED, 10_000)).isEqualTo(10);
    assertThat(figures.perSecond(Figure.MESSAGES_STORED, 600_000)).isEqualTo(10);
  }

  @Test
  void shouldForgetPutsThatAreOlderThanTheWindow() {
    figures.loop(0).putsTook(50_000_000, 10);
    passAndSample(100);
    figures.loop(1).putsTook(2_000_000, 3);

    assertThat(figures.putTimes().total()).isEqualTo(13);
    assertThat(figures.putTimes(60_000).total()).isEqualTo(3);
    assertThat(figures.putTimes(60_000).percentileMicros(1)).isBetween(2_000L, 2_500L);
  }

  @Test
  void shouldForgetWhatIsOlderThanTheWindow() {
    figures.loop(0).add(Figure.MESSAGES_STORED, 60_000);
    passAndSample(100);

    assertThat(figures.perSecond(Figure.MESSAGES_STORED, 10_000)).isZero();
    assertThat(figures.perSecond(Figure.MESSAGES_STORED, 600_000)).isZero();
  }

  @Test
  void shouldTellEachWindowByItself() {
    passAndSample(60);
    figures.loop(0).add(Figure.MESSAGES_STORED, 600);
    passAndSample(1);

    assertThat(figures.perSecond(Figure.MESSAGES_STORED, 10_000)).isEqualTo(60);
    assertThat(figures.perSecond(Figure.MESSAGES_STORED, 60_000)).isEqualTo(10);
    assertThat(figures.perSecond(Figure.MESSAGES_STORED, 600_000)).isEqualTo(1);
  }

  @Test
  void shouldBeginDaysAtMidnight() {
    figures.loop(0).add(Figure.MESSAGES_STORED, 5);
    assertThat(stored()).containsExactly(0, 0, 5);

    clock.pass(86_400_000);
    figures.sample();
    figures.loop(0).add(Figure.MESSAGES_STORED, 2);

    assertThat(stored()).containsExactly(0, 5, 7);

    clock.pass(86_400_000);
    figures.sample();

    assertThat(stored()).containsExactly(5, 7, 7);
  }

  @Test
  void shouldKeepTheTotalsOfDaysOverARestart() {
    figures.loop(0).add(Figure.MESSAGES_STORED, 5);
    figures.loop(1).add(Figure.MESSAGES_READ, 3);
    figures.save();

    figures = fresh();
    figures.loop(0).add(Figure.MESSAGES_STORED, 2);

    assertThat(stored()).containsExactly(0, 0, 7);
    assertThat(figures.days().now().read()).isEqualTo(3);
    assertThat(figures.total(Figure.MESSAGES_STORED)).isEqualTo(2);
  }

  @Test
  void shouldTakeAStartOnTheNextDayForItsMorning() {
    figures.loop(0).add(Figure.MESSAGES_STORED, 5);
    figures.save();

    clock.pass(86_400_000);
    figures = fresh();

    assertThat(stored()).containsExactly(0, 5, 5);
  }

  @Test
  void shouldClaimNothingForYesterdayAfterALongRest() {
    figures.loop(0).add(Figure.MESSAGES_STORED, 5);
    figures.save();

    clock.pass(3 * 86_400_000L);
    figures = fresh();

    assertThat(stored()).containsExactly(5, 5, 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"day\":\"soon\"}", "{\"day\":\"2026-01-01\",\"now\":{\"stored\":\"many\"}}"})
  void shouldBeginAnewWhereTheFileIsDamaged(String content) throws IOException {
    Files.writeString(folder.resolve("figures.json"), content);

    figures = fresh();

    assertThat(stored()).containsExactly(0, 0, 0);
  }

  @Test
  void shouldWriteTheTotalsEveryMinuteWhenTheyChange() {
    figures.loop(0).add(Figure.MESSAGES_STORED, 5);
    passAndSample(5);
    assertThat(folder.resolve("figures.json")).doesNotExist();

    passAndSample(1);
    assertThat(folder.resolve("figures.json")).content().contains("\"stored\":5");
  }

  private long[] stored() {
    DayTotals days = figures.days();
    return new long[] {days.yesterdayMorning().stored(), days.thisMorning().stored(), days.now().stored()};
  }

  @Test
  void shouldTellTheTimesOfPuts() {
    figures.loop(0).putsTook(40_000, 98);
    figures.loop(1).putsTook(15_000_000, 2);

    PutTimes times = figures.putTimes();

    assertThat(times.words()).startsWith("[<=0ms]:98 [0~10ms]:0 [10~50ms]:2 [50~100ms]:0 ").endsWith("[10s~]:0 ");
    assertThat(times.percentileMicros(0.5)).isBetween(40L, 48L);
    assertThat(times.percentileMicros(0.99)).isBetween(15_000L, 18_000L);
    assertThat(times.percentileMicros(1)).isBetween(15_000L, 18_000L);
  }

  @Test
  void shouldHaveABucketForEveryTime() {
    int before = -1;
    for (long micros : new long[] {0, 1, 3, 4, 5, 7, 8, 1_000, 999_999, Long.MAX_VALUE}) {
      int bucket = PutTimes.bucket(micros);
      assertThat(bucket).isBetween(Math.max(0, before), PutTimes.BUCKETS - 1);
      assertThat(PutTimes.startMicros(bucket)).isLessThanOrEqualTo(micros);
      before = bucket;
    }
  }

  private void passAndSample(int times) {
    for (int i = 0; i < times; i++) {
      clock.pass(BrokerFigures.SAMPLE_EVERY_MS);
      figures.sample();
    }
  }

  private static final class HandClock implements Clock {
    private long nowMs = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();

    void pass(long ms) {
      nowMs += ms;
    }

    @Override
    public long millis() {
      return nowMs;
    }

    @Override
    public long nanos() {
      return nowMs * 1_000_000;
    }
  }
}
