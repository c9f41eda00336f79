package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metaq.codec.admin.StatisticsBody;
import io.metaq.model.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerStatisticsTest {
  private static final int BEATS_PER_HOUR = 360;

  private final HandClock clock = new HandClock();
  private final Map<String, long[]> stored = new HashMap<>();
  private final List<LoopFigures> loops = List.of(new LoopFigures(), new LoopFigures());
  private final BrokerStatistics statistics = new BrokerStatistics(
      loops, visitor -> stored.forEach((topic, sums) -> visitor.queue(topic, 0, sums[0], sums[1])), clock, "c");

  @Test
  void shouldKnowNothingOfWhatWasNeverCounted() {
    assertThat(statistics.of(Statistic.TOPIC_PUT_NUMS, "T")).isEmpty();
    assertThat(statistics.of(Statistic.GROUP_GET_NUMS, "T@g")).isEmpty();
    assertThat(statistics.perSecond(Statistic.TOPIC_PUT_NUMS, "T")).isZero();
  }

  @Test
  void shouldTellWhatCameSinceTheLastSample() {
    beat(1);
    put("T", 20, 2_000);
    clock.pass(5_000);

    StatisticsBody puts = statistics.of(Statistic.TOPIC_PUT_NUMS, "T").orElseThrow();
    StatisticsBody sizes = statistics.of(Statistic.TOPIC_PUT_SIZE, "T").orElseThrow();

    assertThat(puts.minute()).isEqualTo(new StatisticsBody.Window(20, 20 / 15.0, 1));
    assertThat(puts.day().sum()).isEqualTo(20);
    assertThat(sizes.minute().sum()).isEqualTo(2_000);
    assertThat(sizes.minute().average()).isEqualTo(100);
  }

  @Test
  void shouldForgetInAMinuteAnHourAndADay() {
    put("T", 60, 60);
    beat(7);
    assertThat(sums("T")).containsExactly(0, 60, 60);

    beat(BEATS_PER_HOUR + 60);
    assertThat(sums("T")).containsExactly(0, 0, 60);

    beat(25 * BEATS_PER_HOUR);
    assertThat(sums("T")).containsExactly(0, 0, 0);
  }

  @Test
  void shouldTellTheRateOfEachWindowByItself() {
    beat(BEATS_PER_HOUR);
    put("T", 600, 600);
    beat(6);

    StatisticsBody puts = statistics.of(Statistic.TOPIC_PUT_NUMS, "T").orElseThrow();

    assertThat(puts.minute().perSecond()).isEqualTo(10);
    assertThat(puts.hour().perSecond()).isCloseTo(600 / 3_660.0, within(0.001));
    assertThat(puts.day().perSecond()).isCloseTo(600 / 3_660.0, within(0.001));
  }

  @Test
  void shouldSumWhatTheLoopsGaveToAGroup() {
    loops.get(0).tallies().of(Statistic.Source.GROUP_GETS, "T", "g").add(32, 3_200);
    loops.get(1).tallies().of(Statistic.Source.GROUP_GETS, "T", "g").add(8, 800);
    loops.get(1).tallies().of(Statistic.Source.GROUP_GETS, "T", "other").add(1, 1);
    loops.get(1).tallies().of(Statistic.Source.SEND_BACKS, "T", "g").add(1, 100);
    clock.pass(10_000);

    assertThat(statistics.of(Statistic.GROUP_GET_NUMS, "T@g").orElseThrow().minute())
        .isEqualTo(new StatisticsBody.Window(40, 4, 20));
    assertThat(statistics.of(Statistic.GROUP_GET_SIZE, "T@g").orElseThrow().minute().sum()).isEqualTo(4_000);
    assertThat(statistics.of(Statistic.SNDBCK_PUT_NUMS, "T@g").orElseThrow().minute().sum()).isEqualTo(1);
  }

  @Test
  void shouldTellOfTheWholeBrokerUnderItsCluster() {
    loops.get(0).add(Figure.MESSAGES_STORED, 3);
    loops.get(1).add(Figure.MESSAGES_READ, 4);
    loops.get(1).add(Figure.PULLS_FOUND, 2);

    assertThat(statistics.of(Statistic.BROKER_PUT_NUMS, "c").orElseThrow().day().sum()).isEqualTo(3);
    assertThat(statistics.of(Statistic.BROKER_GET_NUMS, "c").orElseThrow().day().average()).isEqualTo(2);
    assertThat(statistics.of(Statistic.BROKER_PUT_NUMS, "another")).isEmpty();
  }

  @Test
  void shouldCountNoMoreNamesThanItHasRoomFor() {
    for (int i = 0; i <= BrokerStatistics.MOST; i++) {
      put("T" + i, 1, 1);
    }
    beat(1);
    put("late", 1, 1);

    assertThat(statistics.of(Statistic.TOPIC_PUT_NUMS, "late")).isEmpty();
    assertThat(stored.keySet().stream().filter(topic -> statistics.of(Statistic.TOPIC_PUT_NUMS, topic).isPresent()))
        .hasSizeBetween(BrokerStatistics.MOST - 2, BrokerStatistics.MOST);
  }

  @Test
  void shouldCountUnderNoNameWhatALoopHasNoRoomFor() {
    LoopTallies tallies = loops.get(0).tallies();
    for (int i = 0; i < LoopTallies.MOST; i++) {
      tallies.of(Statistic.Source.GROUP_GETS, "T" + i, "g");
    }

    tallies.of(Statistic.Source.GROUP_GETS, "late", "g").add(1, 1);

    assertThat(statistics.of(Statistic.GROUP_GET_NUMS, "late@g")).isEmpty();
    assertThat(tallies.of(Statistic.Source.GROUP_GETS, "T0", "g")).isSameAs(tallies.of(Statistic.Source.GROUP_GETS, "T0", "g"));
  }

  private long[] sums(String topic) {
    StatisticsBody found = statistics.of(Statistic.TOPIC_PUT_NUMS, topic).orElseThrow();
    return new long[] {found.minute().sum(), found.hour().sum(), found.day().sum()};
  }

  private void put(String topic, long messages, long bytes) {
    long[] sums = stored.computeIfAbsent(topic, name -> new long[2]);
    sums[0] += messages;
    sums[1] += bytes;
  }

  private void beat(int times) {
    for (int i = 0; i < times; i++) {
      clock.pass(BrokerFigures.SAMPLE_EVERY_MS);
      statistics.sample();
    }
  }

  private static final class HandClock implements Clock {
    private long nowMs = 1_000;

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
