package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RosterTest {
  private static final Address BROKER = new Address("broker", 10911);
  private static final Address OTHER = new Address("other", 10911);
  private static final long LONG = Roster.HEARD_BY_ALL_NS;

  private final Roster roster = new Roster();
  private final Object before = new Object();
  private final Object after = new Object();

  @BeforeEach
  void begin() {
    roster.told(BROKER, before, LONG, List.of("a", "b", "c"));
  }

  @Test
  void shouldCountWhoeverABrokerThatIsBackHasNotHeardOfYet() {
    assertThat(roster.told(BROKER, after, 0, List.of("a"))).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(roster.complete()).isFalse();
    assertThat(roster.told(BROKER, after, LONG - 1, List.of("a", "c"))).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void shouldCountNobodyAnyMoreWhoHasNotComeBackInTime() {
    roster.told(BROKER, after, 0, List.of("a"));

    assertThat(roster.told(BROKER, after, LONG, List.of("a", "c"))).containsExactly("a", "c");
    assertThat(roster.complete()).isTrue();
  }

  @Test
  void shouldCountNobodyWhoCameBackAndLeft() {
    roster.told(BROKER, after, 0, List.of("a", "b"));

    assertThat(roster.told(BROKER, after, 1, List.of("a"))).containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void shouldCountNobodyWhoLeavesWhileTheConnectionLasts() {
    assertThat(roster.told(BROKER, before, LONG + 1, List.of("a"))).containsExactly("a");
    assertThat(roster.complete()).isTrue();
  }

  @Test
  void shouldCountWhoLeavesAYoungConnectionNoMore() {
    Roster young = new Roster();
    young.told(BROKER, before, 0, List.of("a", "b"));

    assertThat(young.told(BROKER, before, 1, List.of("a"))).containsExactly("a");
  }

  @Test
  void shouldCountNewMembersAtOnce() {
    assertThat(roster.told(BROKER, after, 0, List.of("d", "a"))).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void shouldBelieveAnotherBrokerThatWasThereAllTheTime() {
    assertThat(roster.told(OTHER, before, LONG, List.of("a", "b"))).containsExactly("a", "b");
  }
}
