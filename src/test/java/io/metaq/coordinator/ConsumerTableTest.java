package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.GroupConfig;
import io.metaq.model.Subscription;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerTableTest {
  private static final long MEMORY_MS = ConsumerGroup.REMEMBERED_MS;

  private final ConsumerTable table = new ConsumerTable(ConflictRule.HOLD);
  private final GroupChanges changes = new GroupChanges();
  private final LogCapture log = new LogCapture(ConflictLog.class);
  private long version;

  @AfterEach
  void stopListening() {
    log.close();
  }

  @Test
  void shouldTellOnceWhoWantsWhatWhenMembersContradict() {
    beat(1, "c1", "orders", "a");
    beat(1, "c1", "orders", "a");
    assertThat(log.at(Level.WARN)).isEmpty();

    beat(2, "c2", "orders", "b || a");
    beat(1, "c1", "orders", "a");
    beat(2, "c2", "orders", "a || b");

    assertThat(log.at(Level.WARN)).singleElement().asString().contains(
        "group=g clientId=c1 remote=remote of c1 wants=CONSUME_PASSIVELY CLUSTERING orders[a] members=1 otherClientId=c2"
            + " otherRemote=remote of c2 otherWants=CONSUME_PASSIVELY CLUSTERING orders[a || b] otherMembers=1 sides=2");
  }

  @Test
  void shouldTellAgainWhenTheyWantSomethingElse() {
    beat(1, "c1", "orders", "a");
    beat(2, "c2", "orders", "b");

    beat(2, "c2", "payments", "*");

    assertThat(log.at(Level.WARN)).hasSize(2).last().asString().contains("otherWants=CONSUME_PASSIVELY CLUSTERING payments[*]");
  }

  @Test
  void shouldTellThatTheyAgreeAgain() {
    beat(1, "c1", "orders", "a");
    beat(2, "c2", "orders", "b");

    beat(2, "c2", "orders", "a");

    assertThat(log.at(Level.INFO)).singleElement().asString().contains("agree again group=g want=CONSUME_PASSIVELY CLUSTERING orders[a]");
    assertThat(table.snapshot(GroupConfig.of("g"), Set.of()).conflict()).isEqualTo(GroupConflict.NONE);
  }

  @Test
  void shouldRememberForAWhileWhatOneWantedThatLeft() {
    beat(1, "c1", "orders", "a");
    beat(2, "c2", "orders", "b");

    table.closed(new ClientConnection(0, 2), 1_000, changes);
    table.expire(-1, 1_000 + MEMORY_MS, changes);
    List<GroupConflict.Side> remembered = table.snapshot(GroupConfig.of("g"), Set.of()).conflict().sides();
    table.expire(-1, 1_001 + MEMORY_MS, changes);

    assertThat(remembered).extracting(GroupConflict.Side::connectionIds).containsExactly(Set.of(1L), Set.of());
    assertThat(table.snapshot(GroupConfig.of("g"), Set.of()).conflict()).isEqualTo(GroupConflict.NONE);
    assertThat(log.at(Level.INFO)).hasSize(1);
  }

  @Test
  void shouldRememberAfterARestartWhoContradictedWhom() throws Exception {
    beat(1, "c1", "orders", "a");
    assertThat(table.takeRememberedChanged()).isFalse();
    beat(2, "c2", "orders", "b || a");
    assertThat(table.takeRememberedChanged()).isTrue();
    beat(2, "c2", "orders", "a || b");
    table.closed(new ClientConnection(0, 2), 1_000, changes);
    assertThat(table.takeRememberedChanged()).as("the same is wanted").isFalse();
    byte[] file = ConfigJson.encode(ConflictsFile.FORMAT, table.toRemember());

    ConsumerTable next = new ConsumerTable(ConflictRule.HOLD);
    next.remember(ConfigJson.decode(ConflictsFile.FORMAT, file), 5_000);
    beat(next, 7, "c1", "orders", "a");

    List<GroupConflict.Side> sides = next.snapshot(GroupConfig.of("g"), Set.of()).conflict().sides();
    assertThat(sides).extracting(GroupConflict.Side::connectionIds).containsExactlyInAnyOrder(Set.of(7L), Set.of());
    assertThat(next.snapshot(GroupConfig.of("g"), Set.of()).othersThan(Subscription.ofTags("orders", "a", 0)))
        .extracting(Subscription::tags).containsExactly(Set.of("a", "b"));
    next.expire(-1, 5_001 + MEMORY_MS, changes);
    assertThat(next.snapshot(GroupConfig.of("g"), Set.of()).conflict()).isEqualTo(GroupConflict.NONE);
    assertThat(next.takeRememberedChanged()).isTrue();
    assertThat(next.toRemember().sides()).isEmpty();
  }

  @Test
  void shouldRememberNoMoreSidesAfterARestartThanItDoesOtherwise() {
    for (int i = 0; i < ConsumerGroup.MAX_REMEMBERED + 4; i++) {
      beat(i, "c" + i, "orders", "tag" + i);
    }

    ConsumerTable next = new ConsumerTable(ConflictRule.HOLD);
    next.remember(table.toRemember(), 0);

    List<GroupConflict.Side> sides = next.snapshot(GroupConfig.of("g"), Set.of()).conflict().sides();
    assertThat(sides).hasSize(ConsumerGroup.MAX_REMEMBERED);
    assertThat(sides.get(0).subscriptions().get("orders").tags()).containsExactly("tag0");
  }

  @Test
  void shouldRememberNothingAfterARestartThatOnlyWarns() {
    beat(1, "c1", "orders", "a");
    beat(2, "c2", "orders", "b");

    ConsumerTable lax = new ConsumerTable(ConflictRule.WARN);
    lax.remember(table.toRemember(), 0);

    assertThat(lax.snapshot(GroupConfig.of("g"), Set.of()).conflict()).isEqualTo(GroupConflict.NONE);
  }

  @Test
  void shouldNotRememberWhatMembersWantWhenTheLastOneLeft() {
    beat(1, "c1", "orders", "a");
    table.closed(new ClientConnection(0, 1), 0, changes);

    beat(2, "c2", "orders", "b");

    assertThat(log.at(Level.WARN)).isEmpty();
  }

  @Test
  void shouldRememberForAWhileWhatMembersWantedThatAllLeftInContradiction() {
    beat(1, "c1", "orders", "a");
    beat(2, "c2", "orders", "b");

    table.closed(new ClientConnection(0, 1), 0, changes);
    table.closed(new ClientConnection(0, 2), 0, changes);

    assertThat(look().online()).isFalse();
    assertThat(look().conflict().holdsProgress()).isTrue();
    assertThat(table.describe("g", 0)).isEmpty();

    table.expire(-1, 1 + MEMORY_MS, changes);
    assertThat(look().conflict()).isEqualTo(GroupConflict.NONE);
    beat(1, "c1", "orders", "a");
    assertThat(look().conflict()).isEqualTo(GroupConflict.NONE);
  }

  /** Else its pulls, which have the version, are refused until something else of the group changes. */
  @Test
  void shouldTellOfAMembersNewerVersionThoughAnotherThatWantsSomethingElseHasANewerOneStill() {
    beat(1, "c1", "orders", "a");
    beat(2, "c2", "orders", "b");
    version = 20;
    beat(2, "c2", "orders", "b");
    changes.visible().clear();
    changes.membership().clear();

    version = 10;
    beat(1, "c1", "orders", "a");

    assertThat(changes.visible()).containsExactly("g");
    assertThat(changes.membership()).isEmpty();
    assertThat(look().conflict().sides()).anySatisfy(side -> {
      assertThat(side.connectionIds()).containsExactly(1L);
      assertThat(side.subscriptions().get("orders").version()).isEqualTo(11);
    });
  }

  @Test
  void shouldRememberTheLatestOnlyOfManyThatLeft() {
    beat(1, "c1", "orders", "a");
    for (int i = 0; i < ConsumerGroup.MAX_REMEMBERED + 1; i++) {
      beat(2, "c2", "orders", "b" + i);
      table.closed(new ClientConnection(0, 2), 0, changes);
    }

    List<GroupConflict.Side> sides = look().conflict().sides();
    assertThat(sides).hasSize(1 + ConsumerGroup.MAX_REMEMBERED);
    assertThat(sides).extracting(side -> side.subscriptions().get("orders").expression())
        .doesNotContain("b0").contains("a", "b1", "b" + ConsumerGroup.MAX_REMEMBERED);
  }

  @Test
  void shouldNotSpeakOfThoseThatLeftWhereNothingIsHeldForThem() {
    ConsumerTable lax = new ConsumerTable(ConflictRule.WARN);
    beat(lax, 1, "c1", "orders", "a");
    beat(lax, 2, "c2", "orders", "b");

    lax.closed(new ClientConnection(0, 2), 0, changes);

    assertThat(lax.snapshot(GroupConfig.of("g"), Set.of()).conflict()).isEqualTo(GroupConflict.NONE);
    assertThat(log.at(Level.INFO)).singleElement().asString().contains("agree again");
  }

  @Test
  void shouldTellOfEachRefusedWishOnceAndAnewWhenTheGroupWasEmpty() {
    ConsumerTable strict = new ConsumerTable(ConflictRule.REFUSE);
    beat(strict, 1, "c1", "orders", "a");
    for (int i = 0; i < 3; i++) {
      beat(strict, 2, "c2", "orders", "b");
      beat(strict, 3, "c3", "orders", "c");
    }
    assertThat(log.at(Level.WARN)).hasSize(2);

    strict.closed(new ClientConnection(0, 1), 0, changes);
    beat(strict, 1, "c1", "orders", "a");
    beat(strict, 2, "c2", "orders", "b");

    assertThat(log.at(Level.WARN)).hasSize(3);
  }

  @Test
  void shouldNotTakeInWhoContradictsWhenItIsToBeRefused() {
    ConsumerTable strict = new ConsumerTable(ConflictRule.REFUSE);
    beat(strict, 1, "c1", "orders", "a");
    beat(strict, 2, "c2", "orders", "a");

    ConsumerTable.Outcome first = beat(strict, 3, "c3", "orders", "b");
    ConsumerTable.Outcome again = beat(strict, 3, "c3", "orders", "b");
    ConsumerTable.Outcome changed = beat(strict, 2, "c2", "payments", "*");

    assertThat(first.refusal()).contains("client c3 is not taken into group g: it wants CONSUME_PASSIVELY CLUSTERING orders[b], but member"
        + " c1 wants CONSUME_PASSIVELY CLUSTERING orders[a] (subscriptionConflict=refuse)");
    assertThat(again).isEqualTo(first);
    assertThat(changed.refusal()).isPresent();
    assertThat(strict.snapshot(GroupConfig.of("g"), Set.of()).memberIds()).containsExactly("c1");
    assertThat(log.at(Level.WARN)).filteredOn(line -> line.contains("not taken into")).hasSize(2);
  }

  @Test
  void shouldTakeInWhoWasRefusedWhenTheOthersHaveLeft() {
    ConsumerTable strict = new ConsumerTable(ConflictRule.REFUSE);
    beat(strict, 1, "c1", "orders", "a");
    beat(strict, 2, "c2", "orders", "b");

    strict.closed(new ClientConnection(0, 1), 0, changes);

    assertThat(beat(strict, 2, "c2", "orders", "b").refusal()).isEmpty();
    assertThat(strict.snapshot(GroupConfig.of("g"), Set.of()).memberIds()).containsExactly("c2");
  }

  @Test
  void shouldHoldProgressByTheRuleOnly() {
    ConsumerTable lax = new ConsumerTable(ConflictRule.WARN);
    beat(lax, 1, "c1", "orders", "a");
    beat(lax, 2, "c2", "orders", "b");
    beat(1, "c1", "orders", "a");
    beat(2, "c2", "orders", "b");

    assertThat(lax.snapshot(GroupConfig.of("g"), Set.of()).conflict().holdsProgress()).isFalse();
    assertThat(lax.snapshot(GroupConfig.of("g"), Set.of()).conflict().sides()).hasSize(2);
    assertThat(table.snapshot(GroupConfig.of("g"), Set.of()).conflict().holdsProgress()).isTrue();
  }

  @Test
  void shouldForgetAGroupThatEverybodyLeft() {
    beat(1, "c1", "orders", "*");

    table.remove(new ClientConnection(0, 1), "g", 0, changes);

    assertThat(table.snapshot(GroupConfig.of("g"), Set.of()).online()).isFalse();
    assertThat(table.connectionsToNotify("g")).isEmpty();
    assertThat(changes.membership()).containsExactly("g");
  }

  @Test
  void shouldChangeNothingWhenAStrangerLeaves() {
    beat(1, "c1", "orders", "*");
    GroupChanges none = new GroupChanges();

    table.remove(new ClientConnection(1, 1), "g", 0, none);
    table.remove(new ClientConnection(0, 1), "h", 0, none);
    table.closed(new ClientConnection(1, 1), 0, none);

    assertThat(none.visible()).isEmpty();
    assertThat(table.snapshot(GroupConfig.of("g"), Set.of()).memberIds()).containsExactly("c1");
  }

  private GroupSnapshot look() {
    return table.snapshot(GroupConfig.of("g"), Set.of());
  }

  private void beat(long connection, String client, String topic, String tags) {
    beat(table, connection, client, topic, tags);
  }

  private ConsumerTable.Outcome beat(ConsumerTable table, long connection, String client, String topic, String tags) {
    Heartbeat.Consumer consumer =
        new Heartbeat.Consumer(
            "g", "CONSUME_PASSIVELY", "CLUSTERING", "x", false, List.of(Subscription.ofTags(topic, tags, ++version)));
    Heartbeat beat =
        new Heartbeat(0, connection, "remote of " + client, client, "JAVA", 1, 0, false, List.of(), List.of(consumer));
    return table.heartbeat(beat, consumer, 0, changes);
  }
}
