package io.metaq.it.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that ask and ask, and never read an answer. */
@Execution(ExecutionMode.CONCURRENT)
class StalledReaderIT {

  private static final int STALLED = 20;
  private static final int BODY_BYTES = 200_000;
  private static final long MEMORY_BOUND = 256L * 1024 * 1024;
  private static final Duration DEADLINE = Duration.ofSeconds(240);

  @TempDir
  private Path data;

  @Test
  void shouldBoundTheMemoryOfReadersThatStopAndDropThemAtADeadline() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).jvm("-Xmx128m").start();
        RawClient bystander = RawClient.connect(broker.brokerPort())) {
      String topic = Queues.freshName("stalled");
      for (int i = 0; i < 32; i++) {
        assertThat(bystander.call(Requests.send(topic, 0, new byte[BODY_BYTES], "")).code()).isZero();
      }
      Queues.readFirst(bystander, topic, 0, 32);
      long before = broker.anonymousMemoryBytes();

      List<CompletableFuture<Void>> dropped = new ArrayList<>();
      AtomicBoolean over = new AtomicBoolean();
      List<RawClient> stalled = new ArrayList<>();
      for (int i = 0; i < STALLED; i++) {
        RawClient client = RawClient.connect(broker.brokerPort(), 8 * 1024);
        stalled.add(client);
        dropped.add(CompletableFuture.runAsync(() -> askUntilDropped(client, topic, over), command -> new Thread(command).start()));
      }

      long[] highest = {before};
      Await.until("all readers that stopped are dropped", DEADLINE, () -> {
        highest[0] = Math.max(highest[0], broker.anonymousMemoryBytes());
        return dropped.stream().allMatch(CompletableFuture::isDone);
      });
      over.set(true);
      for (RawClient client : stalled) {
        client.close();
      }

      assertThat(highest[0] - before).isLessThan(MEMORY_BOUND);
      assertThat(bystander.call(Requests.send(topic, 0, "still served")).code()).isZero();
      assertThat(broker.blockedLoops()).isEmpty();
    }
  }

  private static void askUntilDropped(RawClient client, String topic, AtomicBoolean over) {
    try {
      while (!over.get()) {
        client.send(Requests.pull(topic, 0, 0, 32, 0));
      }
    } catch (IOException e) {
      // The connection was reset: that is what the test waits for.
    }
  }
}
