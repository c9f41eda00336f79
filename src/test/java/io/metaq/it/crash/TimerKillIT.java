package io.metaq.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** kill -9, and a stop in order, while messages wait and are delivered: each comes once, and none before its time. */
@Execution(ExecutionMode.CONCURRENT)
class TimerKillIT {

  private static final int MESSAGES = 3_000;
  private static final long FIRST_MS = 1_000;
  private static final long LAST_MS = 8_000;
  private static final int IN_FLIGHT = 100;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir
  private Path data;
  private final String topic = Queues.freshName("killed");
  private final Map<String, Long> earliestMs = new HashMap<>();

  @Test
  void shouldDeliverEachMessageOnceWhateverHappensToTheBroker() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      send(broker);

      awaitDelivered(broker, 1);
      broker.kill();
      broker.startAgain();
      awaitDelivered(broker, MESSAGES / 4);
      assertThat(broker.stop()).isZero();
      broker.startAgain();
      awaitDelivered(broker, MESSAGES / 2);
      broker.kill();
      broker.startAgain();
      awaitDelivered(broker, MESSAGES);

      List<StoredRecord> delivered = delivered(broker);
      assertThat(delivered).extracting(StoredRecord::text).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(earliestMs.keySet());
      assertThat(delivered).allMatch(record -> record.storeTimestamp() >= earliestMs.get(record.text()));
    }
  }

  private void send(BrokerProcess broker) throws IOException {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      for (int i = 0; i < MESSAGES; i += IN_FLIGHT) {
        for (int k = i; k < i + IN_FLIGHT; k++) {
          long delayMs = FIRST_MS + (LAST_MS - FIRST_MS) * k / MESSAGES;
          earliestMs.put("m" + k, System.currentTimeMillis() + delayMs);
          client.send(Requests.send(topic, 0, ("m" + k).getBytes(UTF_8), Map.of("TIMER_DELAY_MS", Long.toString(delayMs))));
        }
        for (int k = i; k < i + IN_FLIGHT; k++) {
          assertThat(client.receive().code()).isZero();
        }
      }
    }
  }

  private void awaitDelivered(BrokerProcess broker, int count) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      Await.until(count + " delivered", LIMIT, () -> client.call(Requests.maxOffset(topic, 0)).number("offset") >= count);
    }
  }

  private List<StoredRecord> delivered(BrokerProcess broker) throws IOException {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      return Queues.readAll(client, topic, 0);
    }
  }
}
