package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metaq.model.Clock;
import io.metaq.store.StoreView;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FarPaceTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;
  private static final int ANSWER_BYTES = 128 * KIB;
  /** By the rule: 10 us, 1.1 us for each of 32 messages, 0.4 us for each of 128 KiB. */
  private static final double ANSWER_S = 96.4e-6;

  private final AtomicInteger share = new AtomicInteger(5);
  private final FarPace pace = new FarPace(share::get, new Clock() {
    @Override
    public long millis() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long nanos() {
      return nowNs;
    }
  });
  private long nowNs = Long.MAX_VALUE - SECOND;
  private long end = 10L << 30;
  private double growthPerSecond = MIB;

  @BeforeEach
  void sawTheLogGrow() {
    answers(1, 2 * SECOND);
  }

  @Test
  void shouldGiveAReaderFarBehindItsShareOfTheLoop() {
    assertThat(answers(1, SECOND) * ANSWER_S).isCloseTo(0.05, within(0.005));
  }

  @Test
  void shouldDivideTheShareAmongReaders() {
    assertThat(answers(3, 3 * SECOND) * ANSWER_S / 3).isCloseTo(0.05, within(0.005));
  }

  @Test
  void shouldGiveEachReaderFourTimesWhatComesInHoweverManyThereAre() {
    growthPerSecond = 20 * MIB;
    answers(20, 2 * SECOND);

    assertThat(answers(20, SECOND) * (double) ANSWER_BYTES / 20).isCloseTo(80 * MIB, within(4.0 * MIB));
  }

  @Test
  void shouldRememberABurstForThoseWhoHaveToCatchUpWithIt() {
    growthPerSecond = 200 * MIB;
    answers(1, 2 * SECOND);
    growthPerSecond = MIB;

    double afterwards = answers(1, 5 * SECOND) * (double) ANSWER_BYTES / 5;

    assertThat(afterwards).isBetween(500.0 * MIB, 800.0 * MIB);
  }

  @Test
  void shouldNotTakeALumpForARate() {
    growthPerSecond = 0;
    long answers = 0;
    for (int i = 0; i < 50; i++) {
      end += MIB;
      answers += answers(1, SECOND / 10);
    }

    assertThat(answers * (double) ANSWER_BYTES / 5).isLessThan(200.0 * MIB);
  }

  @Test
  void shouldLetNobodyWaitWhileNothingComesIn() {
    growthPerSecond = 0;
    answers(1, SECOND / 2);

    assertNoWaits();
  }

  @Test
  void shouldNotTakeWhatCameInLongAgoForWhatComesInNow() {
    pass(3_600 * SECOND);
    growthPerSecond = 0;

    assertNoWaits();
  }

  @Test
  void shouldChargeNothingForWhatIsNearTheEnd() {
    pass(SECOND / 10);
    for (int i = 0; i < 1000; i++) {
      pace.gave(0, end - StoreView.FAR_BYTES + 1, 32, ANSWER_BYTES, 32, end);
    }

    assertThat(pace.unpaidNs(0)).isLessThanOrEqualTo(0);
  }

  @Test
  void shouldChargeWhatIsAsFarAsFarBegins() {
    pass(SECOND / 10);
    pace.gave(0, end - StoreView.FAR_BYTES, 32, ANSWER_BYTES, 32, end);
    pace.gave(0, end - StoreView.FAR_BYTES, 32, ANSWER_BYTES, 32, end);

    assertThat(pace.unpaidNs(0)).isPositive();
  }

  @Test
  void shouldKnowWhoReadFarBehindLately() {
    assertThat(pace.readsFar(0)).isTrue();
    assertThat(pace.readsFar(1)).isFalse();

    pass(3 * SECOND);

    assertThat(pace.readsFar(0)).isFalse();
  }

  @Test
  void shouldKnowNobodyWithTheWholeShare() {
    share.set(100);

    assertThat(pace.readsFar(0)).isFalse();
  }

  @Test
  void shouldLetNobodyWaitWithTheWholeShare() {
    share.set(100);

    assertNoWaits();
  }

  @Test
  void shouldChargeWhatAFilterLookedAt() {
    long before = pace.unpaidNs(0);
    pace.gave(0, 0, 1, KIB, 800, end);

    assertThat(pace.unpaidNs(0) - Math.max(-2 * MS, before)).isGreaterThan(20 * 80_000);
    pace.gone(0);
    assertThat(pace.unpaidNs(0)).isZero();
  }

  @Test
  void shouldChargeASecondAtMost() {
    share.set(1);
    for (int i = 0; i < 100_000; i++) {
      give(0);
    }

    assertThat(pace.unpaidNs(0)).isEqualTo(SECOND);
  }

  private void assertNoWaits() {
    for (int i = 0; i < 1000; i++) {
      give(0);
      assertThat(pace.unpaidNs(0)).isLessThanOrEqualTo(0);
    }
  }

  /** Answers to so many readers, each of which asks anew 20 us after it got one. */
  private long answers(int readers, long ns) {
    long until = nowNs + ns;
    long[] askAt = new long[readers];
    Arrays.fill(askAt, nowNs);
    long answers = 0;
    while (true) {
      int next = 0;
      for (int i = 1; i < readers; i++) {
        next = askAt[i] - askAt[next] < 0 ? i : next;
      }
      if (askAt[next] - until >= 0) {
        pass(until - nowNs);
        return answers;
      }
      pass(Math.max(0, askAt[next] - nowNs));
      give(next);
      askAt[next] = nowNs + Math.max(0, pace.unpaidNs(next)) + MS / 50;
      answers++;
    }
  }

  private void give(int reader) {
    pace.gave(reader, 0, 32, ANSWER_BYTES, 32, end);
  }

  private void pass(long ns) {
    nowNs += ns;
    end += Math.round(growthPerSecond * ns / SECOND);
  }
}
