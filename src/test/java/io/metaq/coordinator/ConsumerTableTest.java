package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.GroupConfig;
import io.metaq.model.Subscription;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerTableTest {
  private final HandClock clock = new HandClock();
  private final ConsumerTable table = new ConsumerTable(clock);
  private final GroupChanges changes = new GroupChanges();
  private final LogCapture log = new LogCapture(ConsumerTable.class);

  @AfterEach
  void stopListening() {
    log.close();
  }

  @Test
  void shouldComplainOnceAMinuteWhenMembersSubscribeDifferently() {
    beat(1, "c1", "orders");
    beat(2, "c2", "orders");
    assertThat(log.at(Level.ERROR)).isEmpty();

    beat(2, "c2", "payments");
    beat(1, "c1", "orders");
    clock.advance(59_999);
    beat(2, "c2", "payments");
    assertThat(log.at(Level.ERROR)).singleElement().asString()
        .contains("group=g clientId=c2 remote=remote of c2 otherClientId=c1 suppressed=0");

    clock.advance(1);
    beat(1, "c1", "orders");
    assertThat(log.at(Level.ERROR)).hasSize(2).last().asString().contains("clientId=c1", "suppressed=2");
  }

  @Test
  void shouldForgetAGroupThatEverybodyLeft() {
    beat(1, "c1", "orders");

    table.remove(new ClientConnection(0, 1), "g", changes);

    assertThat(table.snapshot(GroupConfig.of("g")).online()).isFalse();
    assertThat(table.connectionsToNotify("g")).isEmpty();
    assertThat(changes.membership()).containsExactly("g");
  }

  @Test
  void shouldChangeNothingWhenAStrangerLeaves() {
    beat(1, "c1", "orders");
    GroupChanges none = new GroupChanges();

    table.remove(new ClientConnection(1, 1), "g", none);
    table.remove(new ClientConnection(0, 1), "h", none);
    table.closed(new ClientConnection(1, 1), none);

    assertThat(none.visible()).isEmpty();
    assertThat(table.snapshot(GroupConfig.of("g")).memberIds()).containsExactly("c1");
  }

  private void beat(long connection, String client, String topic) {
    Heartbeat.Consumer consumer =
        new Heartbeat.Consumer(
            "g", "CONSUME_PASSIVELY", "CLUSTERING", "x", false, List.of(Subscription.ofTags(topic, "*", 1)));
    Heartbeat beat =
        new Heartbeat(0, connection, "remote of " + client, client, "JAVA", 1, 0, false, List.of(), List.of(consumer));
    table.heartbeat(beat, consumer, 0, changes);
  }
}
