package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Pops;
import io.metaq.it.Pops.Popped;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * kill -9 in the middle of pops and acknowledgements, again and again: what was acknowledged never comes again, what was not does,
 * and nothing is lost.
 */
@Execution(ExecutionMode.CONCURRENT)
class PopKillIT {

  private static final int ROUNDS = Integer.getInteger("metaq.it.killRounds", 3);
  private static final int QUEUES = 4;
  private static final int MESSAGES = 800;
  private static final long INVISIBLE_MS = 3_000;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir
  private Path data;
  private final String topic = Queues.freshName("killed");
  private final String group = Queues.freshName("workers");
  private final Set<String> sent = new HashSet<>();
  private final Set<String> acknowledged = new HashSet<>();
  private final Set<String> mayBeAcknowledged = new HashSet<>();
  private final AtomicInteger acks = new AtomicInteger();

  @Test
  void shouldGiveNothingAgainThatWasAcknowledgedAndEverythingElse() throws Exception {
    Random random = new Random(11);
    try (BrokerProcess broker = BrokerProcess.standalone(data).key("flushDiskType", "SYNC_FLUSH").start()) {
      send(broker);
      for (int round = 0; round < ROUNDS; round++) {
        workUntilKilled(broker, 50 + random.nextInt(100));
        broker.startAgain();
      }
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        Await.until("all messages are acknowledged", LIMIT, () -> {
          popAndAcknowledge(client, 32);
          Set<String> open = new HashSet<>(sent);
          open.removeAll(acknowledged);
          open.removeAll(mayBeAcknowledged);
          return open.isEmpty();
        });
      }
    }
  }

  private void send(BrokerProcess broker) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      List<Integer> asked = new ArrayList<>();
      for (int i = 0; i < MESSAGES; i++) {
        String body = "m" + i;
        asked.add(client.send(Requests.send(topic, i % QUEUES, body)));
        sent.add(body);
      }
      for (int opaque : asked) {
        assertThat(client.await(opaque).code()).isZero();
      }
    }
  }

  /** Pops and acknowledges two of three until the broker dies of it. */
  private void workUntilKilled(BrokerProcess broker, int acksBeforeKill) throws Exception {
    int killAt = acks.get() + acksBeforeKill;
    Thread killer = new Thread(() -> kill(broker, killAt));
    killer.start();
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      while (killer.isAlive()) {
        popAndAcknowledge(client, 8);
      }
    } catch (IOException killed) {
      killer.join();
    }
  }

  private void kill(BrokerProcess broker, int atAcks) {
    try {
      Await.until(atAcks + " acknowledgements", LIMIT, () -> acks.get() >= atAcks);
      broker.kill();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** An acknowledgement that was answered too late, since the machine stood still, may be of a message that is visible again. */
  private void popAndAcknowledge(RawClient client, int max) throws IOException {
    long visibleAgainNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(INVISIBLE_MS);
    List<Popped> popped = Pops.read(group, topic,
        client.call(Pops.pop(group, topic, Pops.ANY_QUEUE, INVISIBLE_MS, 0).ext("maxMsgNums", max)));
    assertThat(popped).extracting(Popped::text).noneMatch(acknowledged::contains);
    for (Popped message : popped) {
      if (message.record().reconsumeTimes() > 0 || message.queueOffset() % 3 != 0) {
        mayBeAcknowledged.add(message.text());
        RawFrame answer = client.call(message.ack());
        assertThat(answer.code()).as(answer.toString()).isZero();
        if (System.nanoTime() - visibleAgainNs < 0) {
          mayBeAcknowledged.remove(message.text());
          acknowledged.add(message.text());
        }
        acks.incrementAndGet();
      }
    }
  }
}
