package io.metaq.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.store.FlushMode;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void shouldLeaveOutOfTheVerdictWhatAsyncFlushMayLoseWithThePower() {
    Summary summary = new Summary(List.of(
        new RoundResult(Kind.POWER_CUT, FlushMode.ASYNC_FLUSH, 100, 0, 7, 0, 3, List.of()),
        new RoundResult(Kind.KILL, FlushMode.ASYNC_FLUSH, 50, 0, 0, 2, 1, List.of())));

    assertThat(summary.acknowledged()).isEqualTo(143);
    assertThat(summary.found()).isEqualTo(143);
    assertThat(summary.duplicates()).isEqualTo(2);
    assertThat(summary.repaired()).isEqualTo(4);
    assertThat(summary.passed()).isTrue();
  }

  @Test
  void shouldFailWhenAMessageIsLostOrSomethingElseIsWrong() {
    RoundResult lost = new RoundResult(Kind.KILL, FlushMode.SYNC_FLUSH, 50, 1, 0, 0, 1, List.of("message 3 is lost"));
    RoundResult damaged = new RoundResult(Kind.KILL, FlushMode.SYNC_FLUSH, 50, 0, 0, 0, 1, List.of("damage after a start"));

    assertThat(new Summary(List.of(lost)).passed()).isFalse();
    assertThat(new Summary(List.of(lost)).acknowledged()).isEqualTo(50);
    assertThat(new Summary(List.of(lost)).found()).isEqualTo(49);
    assertThat(new Summary(List.of(damaged)).passed()).isFalse();
  }

  @Test
  void shouldSayThatPowerCutsWithoutAnyLossProveNothing() {
    RoundResult without = new RoundResult(Kind.POWER_CUT, FlushMode.ASYNC_FLUSH, 50, 0, 0, 0, 1, List.of());
    RoundResult with = new RoundResult(Kind.POWER_CUT, FlushMode.ASYNC_FLUSH, 50, 0, 1, 0, 1, List.of());
    List<RoundResult> enough = Collections.nCopies(Summary.ASYNC_CUTS_THAT_PROVE, without);

    assertThat(new Summary(enough).provesNothing()).isTrue();
    assertThat(new Summary(enough.subList(1, enough.size())).provesNothing()).isFalse();
    assertThat(new Summary(List.of(with)).provesNothing()).isFalse();
  }

  @Test
  void shouldSumUpByKindAndMode() {
    RoundResult round = new RoundResult(Kind.TORN_FILES, FlushMode.SYNC_FLUSH, 50, 0, 0, 1, 4, List.of());

    List<Summary.Row> rows = new Summary(List.of(round, round)).rows();

    assertThat(rows).singleElement().satisfies(row -> {
      assertThat(row.rounds()).isEqualTo(2);
      assertThat(row.total().acknowledged()).isEqualTo(100);
      assertThat(row.total().repaired()).isEqualTo(8);
    });
  }
}
