package io.metaq.it.cluster;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master is lost while messages wait and are delivered: the slave in its place delivers what the log it has says is left. */
class TimerMasterChangeIT {

  private static final int MESSAGES = 300;
  private static final long FIRST_MS = 500;
  private static final long LAST_MS = 6_000;

  @TempDir
  private Path folder;
  private final String topic = Queues.freshName("timed");

  @Test
  void shouldDeliverEachMessageOnceFromTheLogOfTheSlave() throws Exception {
    try (Pair pair = Pair.open(folder); BrokerProcess master = pair.master("SYNC_MASTER").key("slaveTimeout", 60_000).start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      List<String> sent = send(pair.masterPort());
      awaitDelivered(pair.masterPort(), MESSAGES / 3);
      master.kill();
      assertThat(slave.stop()).isZero();

      try (BrokerProcess promoted = pair.slaveAsMaster().start(); RawClient client = RawClient.connect(promoted.brokerPort())) {
        awaitDelivered(promoted.brokerPort(), MESSAGES);

        assertThat(Queues.readAll(client, topic, 0)).extracting(StoredRecord::text).filteredOn(body -> body.startsWith("m"))
            .doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(sent);
      }
    }
  }

  private List<String> send(int port) throws IOException {
    List<String> sent = new ArrayList<>();
    try (RawClient client = RawClient.connect(port)) {
      for (int i = 0; i < MESSAGES; i++) {
        String body = "m" + i;
        String delayMs = Long.toString(FIRST_MS + (LAST_MS - FIRST_MS) * i / MESSAGES);
        client.send(Requests.send(topic, 0, body.getBytes(UTF_8), Map.of("TIMER_DELAY_MS", delayMs)));
        sent.add(body);
      }
      for (int i = 0; i < MESSAGES; i++) {
        assertThat(client.receive().code()).isZero();
      }
    }
    return sent;
  }

  private void awaitDelivered(int port, int count) throws Exception {
    try (RawClient client = RawClient.connect(port)) {
      // Besides the one that made the topic.
      Await.until(count + " delivered", Pair.LIMIT, () -> client.call(Requests.maxOffset(topic, 0)).number("offset") > count);
    }
  }
}
