package io.metaq.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Pops;
import io.metaq.it.Pops.Popped;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import io.metaq.it.Transactions;
import io.metaq.it.Transactions.Half;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A topic is deleted while all that can be under way for it is: popped messages, timers, delayed messages, half messages. Then kill -9.
 * What is gone stands in the way of nothing else, before the kill and after it.
 */
@Execution(ExecutionMode.CONCURRENT)
class DeletedTopicKillIT {
  private static final int DELETE_TOPIC = 215;
  private static final int TOPIC_NOT_EXIST = 17;
  private static final int POLLING_TIMEOUT = 210;
  private static final long SOON_MS = 6_000;
  private static final long LONG_MS = 120_000;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir
  private Path data;
  private final String doomed = Queues.freshName("doomed");
  private final String kept = Queues.freshName("kept");

  @Test
  void shouldStandInTheWayOfNothingElse() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      Half half;
      long dueMs;
      try (RawClient client = RawClient.connect(broker.brokerPort()); RawClient waiter = RawClient.connect(broker.brokerPort())) {
        for (String topic : List.of(doomed, kept)) {
          assertThat(client.call(Requests.send(topic, 0, "popped")).code()).isZero();
          Queues.awaitEnd(client, topic, 0, 1);
        }
        Popped lost = pop(client, doomed);
        pop(client, kept);
        dueMs = System.currentTimeMillis() + SOON_MS;
        Half lostHalf = null;
        half = null;
        for (String topic : List.of(doomed, kept)) {
          assertThat(client.call(Requests.send(topic, 0, "timer".getBytes(UTF_8), Map.of("TIMER_DELIVER_MS", Long.toString(dueMs)))).code())
              .isZero();
          assertThat(client.call(Requests.send(topic, 0, "delayed".getBytes(UTF_8), Map.of("DELAY", "2"))).code()).isZero();
          lostHalf = half;
          half = Transactions.half(client, "p", topic, "half-of-" + topic);
        }
        int waiting = waiter.send(Pops.pop("others", doomed, 0, LONG_MS, LONG_MS));
        Popped first = Pops.read("others", doomed, waiter.await(waiting)).get(0);
        waiting = waiter.send(Pops.pop("others", doomed, 0, LONG_MS, LONG_MS));
        waiter.call(Requests.maxOffset(doomed, 0));

        assertThat(client.call(RawFrame.request(DELETE_TOPIC).ext("topic", doomed)).code()).isZero();

        assertThat(waiter.await(waiting).code()).isEqualTo(POLLING_TIMEOUT);
        assertThat(client.call(lost.ack()).code()).isEqualTo(TOPIC_NOT_EXIST);
        assertThat(client.call(first.changeInvisible(1_000)).code()).isEqualTo(TOPIC_NOT_EXIST);
        // Taken as by RocketMQ, and stored where nobody finds it: the topic's name is gone, not its messages.
        assertThat(client.call(lostHalf.verdict(Transactions.COMMIT)).code()).isZero();
      }
      broker.kill();

      broker.startAgain();

      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        assertThat(client.call(half.verdict(Transactions.COMMIT)).code()).isZero();
        Queues.awaitEnd(client, kept, 0, 4);
        assertThat(Queues.readFirst(client, kept, 0, 4)).extracting(StoredRecord::text)
            .containsExactlyInAnyOrder("popped", "timer", "delayed", "half-of-" + kept);
        Await.until("what was popped and not acknowledged comes again", LIMIT, () -> Pops.popNow(client, "workers", kept, LONG_MS).stream()
            .anyMatch(popped -> popped.text().equals("popped") && popped.record().reconsumeTimes() == 1));
        assertThat(client.call(Pops.pop("workers", doomed, 0, LONG_MS, 0)).code()).isEqualTo(TOPIC_NOT_EXIST);
        assertThat(client.call(Requests.send(Queues.freshName("new"), 0, "m")).code()).isZero();
      }
    }
  }

  private static Popped pop(RawClient client, String topic) throws Exception {
    return Pops.read("workers", topic, client.call(Pops.pop("workers", topic, 0, SOON_MS, 0))).get(0);
  }
}
