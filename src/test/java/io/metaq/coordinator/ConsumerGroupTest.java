package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.ConsumerGroup.Change;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.GroupConfig;
import io.metaq.model.Subscription;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConsumerGroupTest {
  private static final ClientConnection FIRST = new ClientConnection(0, 1);

  private final ConsumerGroup group = new ConsumerGroup(true);

  @Test
  void shouldCountTheFirstHeartbeatAsAChangeOfMembership() {
    assertThat(beat(1, "c1", tags("t", "*", 1))).isEqualTo(new Change(true, true));
    assertThat(beat(1, "c1", tags("t", "*", 1))).isEqualTo(new Change(false, false));
  }

  @Test
  void shouldReplaceASubscriptionByANewerOneOnly() {
    beat(1, "c1", tags("t", "a", 5));

    assertThat(beat(1, "c1", tags("t", "b", 5))).isEqualTo(new Change(false, false));
    assertThat(beat(1, "c1", tags("t", "b", 4))).isEqualTo(new Change(false, false));
    assertThat(expression("t")).isEqualTo("a");

    assertThat(beat(1, "c1", tags("t", "b", 6))).isEqualTo(new Change(true, false));
    assertThat(expression("t")).isEqualTo("b");
  }

  @Test
  void shouldCountATopicAddedOrDroppedAsAChangeOfMembership() {
    beat(1, "c1", tags("t", "*", 1));

    assertThat(beat(1, "c1", tags("t", "*", 1), tags("u", "*", 1))).isEqualTo(new Change(true, true));
    assertThat(beat(1, "c1", tags("u", "*", 1))).isEqualTo(new Change(true, true));
    assertThat(look().subscriptions()).containsOnlyKeys("u");
  }

  @Test
  void shouldListEachClientOnceSorted() {
    beat(3, "c2", tags("t", "*", 1));
    beat(1, "c1", tags("t", "*", 1));
    beat(2, "c1", tags("t", "*", 1));

    assertThat(look().memberIds()).containsExactly("c1", "c2");
  }

  @Test
  void shouldCountAnotherClientOnTheSameConnectionAsAChange() {
    beat(1, "c1", tags("t", "*", 1));

    assertThat(beat(1, "c9", tags("t", "*", 1))).isEqualTo(new Change(true, true));
  }

  @Test
  void shouldCountMembersThatWantTheSameAsOneSideInWhateverOrder() {
    beat(1, "c1", tags("t", "a || b", 1), tags("%RETRY%g", "*", 1));
    beat(2, "c2", tags("t", "b || a", 2));
    assertThat(group.sides()).extracting(ConsumerGroup.Side::members).containsExactly(2);

    beat(2, "c2", tags("t", "b", 3));
    assertThat(group.sides()).extracting(ConsumerGroup.Side::clientId).containsExactly("c1", "c2");

    beat(1, "c1", tags("t", "b", 3));
    assertThat(group.sides()).hasSize(1);
  }

  @Test
  void shouldSubscribeToTheTopicsOfAllMembers() {
    beat(1, "c1", tags("t", "*", 1));
    beat(2, "c2", tags("u", "*", 1));
    assertThat(beat(1, "c1", tags("t", "*", 1))).isEqualTo(new Change(false, false));
    assertThat(look().subscriptions()).containsOnlyKeys("t", "u");

    group.remove(new ClientConnection(0, 2), 0);

    assertThat(look().subscriptions()).containsOnlyKeys("t");
  }

  @Test
  void shouldTellEachSideWhatItSubscribesTo() {
    beat(1, "c1", tags("t", "a", 7));
    beat(2, "c2", tags("t", "b", 9));
    beat(3, "c3", tags("t", "b", 8));

    assertThat(look().subscriptionsOf(1).get("t").expression()).isEqualTo("a");
    assertThat(look().subscriptionsOf(3).get("t").version()).isEqualTo(9);
    assertThat(look().subscriptionsOf(99)).isEqualTo(look().subscriptions());
    assertThat(look().othersThan(tags("t", "a", 0))).extracting(Subscription::expression).containsExactly("b");
    assertThat(look().othersThan(tags("u", "a", 0))).isEmpty();
  }

  @Test
  void shouldNameConnectionsThatAreSilent() {
    beat(1, "c1", tags("t", "*", 1));

    assertThat(group.silentSince(1_000)).isEmpty();
    assertThat(group.silentSince(1_001)).containsExactly(FIRST);
  }

  private GroupSnapshot look() {
    return group.snapshot(GroupConfig.of("g"), Set.of(), true);
  }

  private String expression(String topic) {
    return look().subscriptions().get(topic).expression();
  }

  private Change beat(long connection, String client, Subscription... subscriptions) {
    Heartbeat.Consumer consumer =
        new Heartbeat.Consumer("g", "CONSUME_PASSIVELY", "CLUSTERING", "x", false, List.of(subscriptions));
    return group.heartbeat(
        new Heartbeat(0, connection, "r", client, "JAVA", 1, 0, false, List.of(), List.of(consumer)), consumer, 1_000);
  }

  private static Subscription tags(String topic, String expression, long version) {
    return Subscription.ofTags(topic, expression, version);
  }
}
