package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FarPaceTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final int KIB = 1024;
  private static final int ANSWER_BYTES = 128 * KIB;
  /** By the rule: 10 us, 1 us for each of 32 messages, 0.4 us for each of 128 KiB. */
  private static final double ANSWER_S = 93.2e-6;

  private final AtomicInteger share = new AtomicInteger(5);
  private final FarPace pace = new FarPace(share::get);
  private long nowNs = Long.MAX_VALUE - SECOND;
  private long end = 10L << 30;
  private double growthPerSecond = 1 << 20;

  @BeforeEach
  void sawTheLogGrow() {
    answersWithin("g", SECOND / 10);
  }

  @Test
  void shouldGiveReadersFarBehindTheirShareOfTheLoop() {
    assertThat(answersWithin("g", SECOND) * ANSWER_S).isCloseTo(0.05, within(0.005));
  }

  @Test
  void shouldGiveAGroupFourTimesWhatComesInWhateverItsShare() {
    growthPerSecond = 200 << 20;
    answersWithin("g", SECOND / 10);

    assertThat(answersWithin("g", SECOND) * (double) ANSWER_BYTES).isCloseTo(800 << 20, within((double) (40 << 20)));
  }

  @Test
  void shouldDivideTheShareAmongGroups() {
    long beganNs = nowNs;
    long first = 0;
    long second = 0;
    for (int slice = 0; slice < 1000; slice++) {
      first += answersWithin("g", MS);
      second += answersWithin("h", MS);
    }

    double seconds = (double) (nowNs - beganNs) / SECOND;
    assertThat((first + second) * ANSWER_S / seconds).isCloseTo(0.05, within(0.005));
    assertThat((double) first).isCloseTo(second, within(first * 0.1));
  }

  @Test
  void shouldLetNobodyWaitWhileNothingComesIn() {
    growthPerSecond = 0;
    answersWithin("g", SECOND / 10);

    assertThat(waitMs("g")).isZero();
    assertThat(waitMs("g")).isZero();
  }

  @Test
  void shouldLetNobodyWaitWhoIsNearTheEnd() {
    for (int i = 0; i < 1000; i++) {
      assertThat(pace.waitMs("g", end - FarPace.FAR_BYTES + 1, 32, ANSWER_BYTES, end, nowNs)).isZero();
    }
  }

  @Test
  void shouldLetNobodyWaitWithTheWholeShare() {
    share.set(100);
    for (int i = 0; i < 1000; i++) {
      assertThat(waitMs("g")).isZero();
    }
  }

  @Test
  void shouldLetNobodyWaitLongHoweverManyReadersAGroupHas() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(waitMs("g")).isBetween(0L, 500L);
    }
    pass(SECOND);

    assertThat(waitMs("g")).isZero();
  }

  /** Answers to a reader that asks anew at once. */
  private long answersWithin(String group, long ns) {
    long until = nowNs + ns;
    long answers = 0;
    while (nowNs - until < 0) {
      pass(waitMs(group) * MS + MS / 50);
      answers++;
    }
    return answers;
  }

  private long waitMs(String group) {
    return pace.waitMs(group, 0, 32, ANSWER_BYTES, end, nowNs);
  }

  private void pass(long ns) {
    nowNs += ns;
    end += Math.round(growthPerSecond * ns / SECOND);
  }
}
