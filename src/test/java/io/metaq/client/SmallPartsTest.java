package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.model.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, delay levels, queue choice, broker health. */
class SmallPartsTest {
  private final HandClock clock = new HandClock();

  @ParameterizedTest
  @CsvSource({"localhost,localhost,9876", "host:1234,host,1234", "[::1]:1234,::1,1234", "[::1],::1,9876"})
  void shouldReadNameServersWithAndWithoutPort(String text, String host, int port) {
    assertThat(new MetaqClientOptions().setNameServers(text).nameServerList()).containsExactly(new Address(host, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ; ", "host:0", "host:70000", "host:port", ":9876"})
  void shouldRefuseNameServersThatAreNone(String text) {
    assertThatThrownBy(() -> new MetaqClientOptions().setNameServers(text).nameServerList())
        .isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(MetaqException.Reason.INVALID));
  }

  @Test
  void shouldRefuseAnSqlExpressionThatIsNone() {
    Subscription subscription = Subscription.to("T");

    assertThat(subscription.sql("a > 1").from(Position.EARLIEST).group("g").filter(7)).isEqualTo(
        io.metaq.model.Subscription.ofSql("T", "a > 1", 7));
    assertThat(subscription.sql("a > 1").tags("x").filter(7)).isEqualTo(io.metaq.model.Subscription.ofTags("T", "x", 7));
    assertThatThrownBy(() -> subscription.sql("a > "))
        .isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(MetaqException.Reason.INVALID))
        .hasMessageStartingWith("SQL92 filter, character 5: ");
  }

  @ParameterizedTest
  @CsvSource({"-1,-1", "0,1", "1,1", "1001,2", "5000,2", "60000,5", "7200000,18", "999999999,18"})
  void shouldTakeTheFirstDelayLevelThatIsLongEnough(long delayMs, int level) {
    assertThat(SendBackLevels.atLeast(Duration.ofMillis(delayMs))).isEqualTo(level);
  }

  @Test
  void shouldGoRoundTheQueuesAndPassOverAFailingBrokerUntilItsTimeIsOver() {
    BrokerHealth health = new BrokerHealth(clock, new Backoff(1000, 30_000, new Random(1)));
    QueueChooser chooser = new QueueChooser(health, 0);
    List<TopicQueue> queues = List.of(new TopicQueue("T", "a", 0), new TopicQueue("T", "a", 1), new TopicQueue("T", "b", 0));

    assertThat(take(chooser, queues, 6)).isEqualTo("aabaab");
    health.failed("a");
    assertThat(take(chooser, queues, 3)).isEqualTo("bbb");
    clock.advance(Duration.ofSeconds(1));
    assertThat(take(chooser, queues, 6)).contains("a");
    health.failed("a");
    clock.advance(Duration.ofMillis(999));
    assertThat(take(chooser, queues, 3)).as("the second failure bars it longer").isEqualTo("bbb");
    health.succeeded("a");
    assertThat(take(chooser, queues, 3)).contains("a");
  }

  @Test
  void shouldUseAFailingBrokerWhenThereIsNoOther() {
    BrokerHealth health = new BrokerHealth(clock, new Backoff(1000, 30_000, new Random(1)));
    QueueChooser chooser = new QueueChooser(health, 0);

    health.failed("a");

    assertThat(chooser.choose(List.of(new TopicQueue("T", "a", 0)), "a").broker()).isEqualTo("a");
  }

  @Test
  void shouldAvoidTheBrokerOfTheLastAttempt() {
    QueueChooser chooser = new QueueChooser(new BrokerHealth(clock, new Backoff(1000, 30_000, new Random(1))), 0);
    List<TopicQueue> queues = List.of(new TopicQueue("T", "a", 0), new TopicQueue("T", "b", 0));

    for (int i = 0; i < 5; i++) {
      assertThat(chooser.choose(queues, "a").broker()).isEqualTo("b");
    }
  }

  private static String take(QueueChooser chooser, List<TopicQueue> queues, int count) {
    StringBuilder brokers = new StringBuilder();
    for (int i = 0; i < count; i++) {
      brokers.append(chooser.choose(queues, null).broker());
    }
    return brokers.toString();
  }

  /** A clock that moves by hand. */
  private static final class HandClock implements Clock {
    private long nanos = 5;

    void advance(Duration time) {
      nanos += time.toNanos();
    }

    @Override
    public long millis() {
      return nanos / 1_000_000;
    }

    @Override
    public long nanos() {
      return nanos;
    }
  }
}
