package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpareRoundsTest {
  private final SpareRounds spare = new SpareRounds(0);

  @Test
  void shouldUseAllRoundsAgainThatLargeBodiesNeededAtOnce() {
    List<SendRound> first = taken(SpareRounds.MOST);
    first.forEach(spare::giveBack);

    List<SendRound> second = taken(SpareRounds.MOST);

    assertThat(identities(second)).containsExactlyInAnyOrderElementsOf(identities(first));
  }

  @Test
  void shouldKeepNoMoreThanItsBound() {
    List<SendRound> first = taken(SpareRounds.MOST + 1);
    first.forEach(spare::giveBack);

    Set<SendRound> second = identities(taken(SpareRounds.MOST + 1));

    assertThat(second).contains(first.get(0)).doesNotContain(first.get(SpareRounds.MOST));
  }

  @Test
  void shouldLetGoOfRoundsThatAreNotNeededAnyMore() {
    List<SendRound> first = taken(SpareRounds.MOST);
    first.forEach(spare::giveBack);
    for (int i = 0; i < SpareRounds.MOST; i++) {
      spare.trim();
    }

    Set<SendRound> again = identities(taken(SpareRounds.MOST));
    again.retainAll(identities(first));

    assertThat(again).hasSize(SpareRounds.KEPT);
  }

  private List<SendRound> taken(int count) {
    List<SendRound> rounds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rounds.add(spare.take());
    }
    return rounds;
  }

  private static Set<SendRound> identities(List<SendRound> rounds) {
    Set<SendRound> set = Collections.newSetFromMap(new IdentityHashMap<>());
    set.addAll(rounds);
    return set;
  }
}
