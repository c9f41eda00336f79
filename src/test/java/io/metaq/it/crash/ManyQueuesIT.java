package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * More queues than a process may have files open. {@code -Dmetaq.it.topics=10000} makes it the size that is promised; it takes minutes
 * then.
 */
@Execution(ExecutionMode.CONCURRENT)
class ManyQueuesIT {
  private static final int TOPICS = Integer.getInteger("metaq.it.topics", 2_000);
  private static final int QUEUES = 4;
  private static final int DESCRIPTORS = 1_024;
  private static final int WINDOW = 256;
  private static final int SAMPLES = 50;

  @TempDir
  private Path data;

  private final String prefix = Queues.freshName("many");

  @Test
  void shouldServeManyMoreQueuesThanItMayHaveFilesOpenAndComeBackWithAllOfThem() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data)
        .under("sh", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$@\"", "sh").start()) {
      sendToAll(broker, "first");
      sendToAll(broker, "second");
      int openFiles = broker.openFiles();
      int memoryAreas = broker.memoryAreas();

      assertThat(openFiles).isLessThan(DESCRIPTORS - 100);
      assertThat(memoryAreas).isLessThan(TOPICS);
      assertSamplesHave(broker, "first", "second");

      assertThat(broker.stop()).isZero();
      broker.startAgain();
      assertSamplesHave(broker, "first", "second");

      sendToAll(broker, "third");
      broker.kill();
      broker.startAgain();
      assertSamplesHave(broker, "first", "second", "third");
      assertThat(broker.openFiles()).isLessThan(DESCRIPTORS - 100);
    }
  }

  /** One message to each queue, some requests on their way at a time. */
  private void sendToAll(BrokerProcess broker, String body) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      List<Integer> waiting = new ArrayList<>();
      for (int n = 0; n < TOPICS * QUEUES; n++) {
        waiting.add(client.send(Requests.send(prefix + n / QUEUES, n % QUEUES, body)));
        if (waiting.size() == WINDOW || n == TOPICS * QUEUES - 1) {
          for (int opaque : waiting) {
            RawFrame answer = client.await(opaque);
            assertThat(answer.code()).as(answer.remark()).isZero();
          }
          waiting.clear();
        }
      }
    }
  }

  private void assertSamplesHave(BrokerProcess broker, String... bodies) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      for (int sample = 0; sample < SAMPLES; sample++) {
        int n = (int) ((long) sample * (TOPICS * QUEUES - 1) / (SAMPLES - 1));
        assertThat(Queues.readFirst(client, prefix + n / QUEUES, n % QUEUES, bodies.length))
            .as("queue %s of topic %s", n % QUEUES, n / QUEUES).extracting(record -> record.text()).containsExactly(bodies);
      }
    }
  }
}
