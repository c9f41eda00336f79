package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** SIGTERM while messages come in and pulls are held. */
@Execution(ExecutionMode.CONCURRENT)
class StopIT {

  @TempDir
  private Path data;

  @Test
  void shouldStopCleanlyUnderLoadAndKeepWhatItAcknowledged() throws Exception {
    String topic = Queues.freshName("stopped");

    try (BrokerProcess broker = BrokerProcess.standalone(data).start(); RawClient puller = RawClient.connect(broker.brokerPort())) {
      puller.call(Requests.send(topic, 1, "creates the topic"));
      puller.send(Requests.pull(topic, 3, 0, 32, 60_000));
      Sender sender = new Sender(broker.brokerPort(), topic, 0, "stop");
      List<Thread> threads = Sender.start(List.of(sender));
      Await.until("2,000 acknowledged messages", Duration.ofSeconds(120), () -> sender.count() > 2_000);

      int status = broker.stop();
      threads.get(0).join();

      assertThat(status).isZero();
      assertThat(data.resolve("abort")).doesNotExist();
      broker.startAgain();
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        TreeMap<Long, String> stored = new TreeMap<>();
        for (StoredRecord record : Queues.readAll(client, topic, 0)) {
          stored.put(record.queueOffset(), record.text());
        }
        assertThat(stored).containsAllEntriesOf(sender.acknowledged());
      }
    }
  }
}
