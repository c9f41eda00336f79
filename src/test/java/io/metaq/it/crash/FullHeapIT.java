package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** More topics than the heap of a broker has room for: it went on for ever then, without an answer, and SIGTERM did not end it. */
@Execution(ExecutionMode.CONCURRENT)
class FullHeapIT {
  /** Several times what fits in. */
  private static final int TOPICS = 30_000;
  private static final int WINDOW = 256;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir
  private Path data;

  @Test
  void shouldSayThatTheHeapIsFullAndEnd() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).jvm("-Xmx32m").start()) {
      Thread sender = new Thread(() -> makeTopics(broker.brokerPort()), "maker of topics");
      sender.start();

      Await.until("the end of the broker", LIMIT, () -> !broker.alive());

      sender.join();
      assertThat(broker.exitStatus()).isEqualTo(1);
      assertThat(broker.logLines()).filteredOn(line -> line.contains(" ERROR HeapWatch - the heap is full, the process ends at once"))
          .singleElement().asString().containsPattern("-Xmx.*maxHeapMiB=\\d+$");
    }
  }

  /** Until the broker answers no more. */
  private static void makeTopics(int port) {
    String prefix = Queues.freshName("full");
    try (RawClient client = RawClient.connect(port)) {
      int[] waiting = new int[WINDOW];
      for (int n = 0; n < TOPICS; n++) {
        if (n >= WINDOW) {
          client.await(waiting[n % WINDOW]);
        }
        waiting[n % WINDOW] = client.send(Requests.send(prefix + n, 0, "takes a little heap"));
      }
    } catch (IOException | AssertionError ended) {
      // That is what it is here for.
    }
  }
}
