package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.ConsumerGroup.Change;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.GroupConfig;
import io.metaq.model.Subscription;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumerGroupTest {
  private static final ClientConnection FIRST = new ClientConnection(0, 1);

  private final ConsumerGroup group = new ConsumerGroup();

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
    assertThat(group.snapshot(GroupConfig.of("g")).subscriptions()).containsOnlyKeys("u");
  }

  @Test
  void shouldListEachClientOnceSorted() {
    beat(3, "c2", tags("t", "*", 1));
    beat(1, "c1", tags("t", "*", 1));
    beat(2, "c1", tags("t", "*", 1));

    assertThat(group.snapshot(GroupConfig.of("g")).memberIds()).containsExactly("c1", "c2");
  }

  @Test
  void shouldCountAnotherClientOnTheSameConnectionAsAChange() {
    beat(1, "c1", tags("t", "*", 1));

    assertThat(beat(1, "c9", tags("t", "*", 1))).isEqualTo(new Change(true, true));
  }

  @Test
  void shouldFindAMemberThatWantsSomethingElse() {
    beat(1, "c1", tags("t", "a", 1));
    beat(2, "c2", tags("t", "a", 2));
    assertThat(group.disagreeing(FIRST)).isEmpty();

    beat(2, "c2", tags("t", "b", 3));
    assertThat(group.disagreeing(FIRST)).contains("c2");

    beat(1, "c1", tags("t", "b", 3));
    assertThat(group.disagreeing(FIRST)).isEmpty();
  }

  @Test
  void shouldNameConnectionsThatAreSilent() {
    beat(1, "c1", tags("t", "*", 1));

    assertThat(group.silentSince(1_000)).isEmpty();
    assertThat(group.silentSince(1_001)).containsExactly(FIRST);
  }

  private String expression(String topic) {
    return group.snapshot(GroupConfig.of("g")).subscriptions().get(topic).expression();
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
