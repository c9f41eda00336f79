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
    told(BROKER, before, LONG, List.of("a", "b", "c"));
  }

  @Test
  void shouldCountWhoeverABrokerThatIsBackHasNotHeardOfYet() {
    assertThat(told(BROKER, after, 0, List.of("a"))).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(roster.complete()).isFalse();
    assertThat(told(BROKER, after, LONG - 1, List.of("a", "c"))).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void shouldCountNobodyAnyMoreWhoHasNotComeBackInTime() {
    told(BROKER, after, 0, List.of("a"));

    assertThat(told(BROKER, after, LONG, List.of("a", "c"))).containsExactly("a", "c");
    assertThat(roster.complete()).isTrue();
  }

  @Test
  void shouldCountNobodyWhoCameBackAndLeft() {
    told(BROKER, after, 0, List.of("a", "b"));

    assertThat(told(BROKER, after, 1, List.of("a"))).containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void shouldCountNobodyWhoLeavesWhileTheConnectionLasts() {
    assertThat(told(BROKER, before, LONG + 1, List.of("a"))).containsExactly("a");
    assertThat(roster.complete()).isTrue();
  }

  @Test
  void shouldCountWhoLeavesAYoungConnectionNoMore() {
    Roster young = new Roster();
    young.told(BROKER, before, 0, 0, List.of("a", "b"));

    assertThat(young.told(BROKER, before, 1, 1, List.of("a"))).containsExactly("a");
  }

  @Test
  void shouldCountNewMembersAtOnce() {
    assertThat(told(BROKER, after, 0, List.of("d", "a"))).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void shouldBelieveAnotherBrokerThatWasThereAllTheTime() {
    assertThat(told(OTHER, before, LONG, List.of("a", "b"))).containsExactly("a", "b");
  }

  @Test
  void shouldCountNobodyForLongWhoIsGoneWhileTheConnectionBreaksAgainAndAgain() {
    assertThat(roster.told(BROKER, after, 0, 0, List.of("a"))).contains("b", "c");
    assertThat(roster.told(BROKER, new Object(), 0, LONG - 1, List.of("a", "c"))).contains("b", "c");

    assertThat(roster.told(BROKER, new Object(), 0, LONG, List.of("a"))).containsExactlyInAnyOrder("a", "c");
    assertThat(roster.told(BROKER, new Object(), 0, LONG + LONG, List.of("a"))).containsExactly("a");
    assertThat(roster.complete()).isTrue();
  }

  /** At a time at which nobody is missed for long. */
  private List<String> told(Address broker, Object connection, long ageNs, List<String> list) {
    return roster.told(broker, connection, ageNs, 0, list);
  }
}
