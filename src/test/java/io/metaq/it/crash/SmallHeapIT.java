package io.metaq.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many sends, many in flight, in a process that has 64 MiB of heap. */
class SmallHeapIT {

  private static final int CONNECTIONS = 4;
  private static final int MESSAGES_EACH = 50_000;
  private static final int IN_FLIGHT = 256;

  @TempDir
  private Path data;

  @Test
  void shouldServeTwoHundredThousandSendsWithoutRefusingOne() throws Exception {
    String topic = Queues.freshName("many");

    try (BrokerProcess broker = BrokerProcess.standalone(data).jvm("-Xmx64m").start()) {
      var threads = Executors.newFixedThreadPool(CONNECTIONS);
      List<CompletableFuture<Integer>> refused = IntStream.range(0, CONNECTIONS)
          .mapToObj(queueId -> CompletableFuture.supplyAsync(() -> send(broker.brokerPort(), topic, queueId), threads)).toList();

      assertThat(refused).allSatisfy(count -> assertThat(count.join()).isZero());
      threads.shutdown();
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        for (int queueId = 0; queueId < CONNECTIONS; queueId++) {
          Queues.awaitEnd(client, topic, queueId, MESSAGES_EACH);
        }
        long stored = LongStream.range(0, CONNECTIONS).map(queueId -> end(client, topic, (int) queueId)).sum();
        assertThat(stored).isEqualTo(CONNECTIONS * MESSAGES_EACH);
      }
    }
  }

  private static int send(int port, String topic, int queueId) {
    byte[] body = "b".repeat(128).getBytes(UTF_8);
    int refused = 0;
    try (RawClient client = RawClient.connect(port)) {
      Queue<Integer> inFlight = new ArrayDeque<>();
      for (int i = 0; i < MESSAGES_EACH; i++) {
        inFlight.add(client.send(Requests.send(topic, queueId, body, "")));
        if (inFlight.size() == IN_FLIGHT) {
          refused += client.await(inFlight.remove()).code() == 0 ? 0 : 1;
        }
      }
      while (!inFlight.isEmpty()) {
        RawFrame answer = client.await(inFlight.remove());
        refused += answer.code() == 0 ? 0 : 1;
      }
      return refused;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long end(RawClient client, String topic, int queueId) {
    try {
      return client.call(Requests.maxOffset(topic, queueId)).number("offset");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
