package io.metaq.it.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.metaq.it.StoredRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Delay levels, also such that are none. The shared server delays levels 1 to 17 by 1 s and level 18 by 2 s. */
@ExtendWith(SharedServer.class)
class DelayLevelIT {

  private static final int LEVELS = 18;

  private final Server server;
  private final String topic = Queues.freshName("delay");

  DelayLevelIT(Server server) {
    this.server = server;
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "0"})
  void shouldStoreAtOnceWhatHasNoLevel(String level) throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      long parkedBefore = parked(client);
      assertThat(client.call(delayed(level)).code()).isZero();

      assertThat(Queues.readFirst(client, topic, 0, 1)).hasSize(1);
      assertThat(parked(client)).isEqualTo(parkedBefore);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"later", "1.5", "99999999999999999999"})
  void shouldStoreAtOnceWithAWarningWhatIsNoNumber(String level) throws Exception {
    assumeTrue(server.isMetaq(), "the reference answers 1");

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      RawFrame answer = client.call(delayed(level));

      assertThat(answer.code()).isZero();
      assertThat(Queues.readFirst(client, topic, 0, 1)).hasSize(1);
      Await.until("a warning", Duration.ofSeconds(60), () -> server.process().standardError().contains(level));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1000", "18, 2000", "19, 2000", "2147483647, 2000"})
  void shouldDeliverAfterTheDelayOfTheLevel(String level, long delayMs) throws Exception {
    long before = System.currentTimeMillis();

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      assertThat(client.call(delayed(level)).code()).isZero();
      StoredRecord delivered = Queues.readFirst(client, topic, 0, 1).get(0);

      assertThat(delivered.text()).isEqualTo("delayed");
      assertThat(delivered.topic()).isEqualTo(topic);
      assertThat(delivered.properties()).containsEntry("KEYS", "k1").containsEntry("UNIQ_KEY", "U" + level);
      assertThat(delivered.storeTimestamp() - before).isGreaterThanOrEqualTo(delayMs);
    }
  }

  @Test
  void shouldKeepDeliveringAfterALevelThatIsNone() throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      int stored = client.call(delayed("later")).code() == 0 ? 1 : 0;
      client.call(delayed("2"));

      assertThat(Queues.readFirst(client, topic, 0, stored + 1)).hasSize(stored + 1);
    }
  }

  /** How many messages were ever parked in the queues of the levels. */
  private static long parked(RawClient client) throws IOException {
    long sum = 0;
    for (int queueId = 0; queueId < LEVELS; queueId++) {
      sum += client.call(Requests.maxOffset("SCHEDULE_TOPIC_XXXX", queueId)).number("offset");
    }
    return sum;
  }

  private RawFrame delayed(String level) {
    return Requests.send(topic, 0, "delayed".getBytes(UTF_8), Map.of("DELAY", level, "KEYS", "k1", "UNIQ_KEY", "U" + level));
  }
}
