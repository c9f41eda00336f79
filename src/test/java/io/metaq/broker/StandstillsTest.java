package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Standstills.Behind;
import io.metaq.broker.Standstills.Place;
import io.metaq.broker.Standstills.Standing;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandstillsTest {
  private static final Place PLACE = new Place("g", "t", 0);

  private final Standstills standstills = new Standstills(100);

  @Test
  void shouldTellOnceOfAGroupThatDoesNotGetOn() {
    Behind behind = new Behind(PLACE, 5, 9);
    assertThat(standstills.look(List.of(behind), 0).standing()).isEmpty();
    assertThat(standstills.look(List.of(behind), 99).standing()).isEmpty();

    Behind farther = new Behind(PLACE, 5, 12);
    assertThat(standstills.look(List.of(farther), 100).standing()).containsExactly(new Standing(farther, 100));

    assertThat(standstills.look(List.of(farther), 500).standing()).isEmpty();
    assertThat(standstills.count()).isEqualTo(1);
  }

  @Test
  void shouldBeginAnewWithEachStep() {
    standstills.look(List.of(new Behind(PLACE, 5, 9)), 0);

    assertThat(standstills.look(List.of(new Behind(PLACE, 6, 9)), 90).standing()).isEmpty();
    assertThat(standstills.look(List.of(new Behind(PLACE, 6, 9)), 189).standing()).isEmpty();
    assertThat(standstills.look(List.of(new Behind(PLACE, 6, 9)), 190).standing()).hasSize(1);
  }

  @Test
  void shouldTellThatAGroupGetsOnAgain() {
    standstills.look(List.of(new Behind(PLACE, 5, 9)), 0);
    standstills.look(List.of(new Behind(PLACE, 5, 9)), 100);

    assertThat(standstills.look(List.of(new Behind(PLACE, 6, 9)), 110).movedOn()).containsExactly(PLACE);
    assertThat(standstills.look(List.of(), 120).movedOn()).isEmpty();
    assertThat(standstills.count()).isZero();
  }

  @Test
  void shouldTellThatAGroupHasCaughtUp() {
    standstills.look(List.of(new Behind(PLACE, 5, 9)), 0);
    standstills.look(List.of(new Behind(PLACE, 5, 9)), 100);

    assertThat(standstills.look(List.of(), 110).movedOn()).containsExactly(PLACE);
  }
}
