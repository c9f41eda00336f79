package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What clients notice of a broker that stops, or is killed, and comes back. */
@Execution(ExecutionMode.CONCURRENT)
class RestartIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir
  private Path data;
  private final String topic = Queues.freshName("restarted");
  private final String group = Queues.freshName("group");

  @BeforeEach
  void onlyOurs() {
    assumeTrue(System.getProperty("metaq.it.namesrv") == null, "needs a server of its own");
  }

  @Test
  void shouldKeepTheOffsetsOfAGroupOverARestart() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      try (OfficialClients clients = new OfficialClients(broker.namesrv())) {
        Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
        send(clients, "before", 40);
        consume(clients, consumed);
        Await.until("40 committed messages", LIMIT, () -> committed(broker) == 40);
      }
      assertThat(broker.stop()).isZero();

      broker.startAgain();

      try (OfficialClients clients = new OfficialClients(broker.namesrv())) {
        Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
        send(clients, "after", 20);
        consume(clients, consumed);
        Await.until("20 messages", LIMIT, () -> consumed.size() >= 20);
        assertThat(consumed).extracting(MessageExt::getTags).containsOnly("after").hasSize(20);
      }
    }
  }

  @Test
  void shouldServeRunningClientsAgainAfterAKill() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start();
        OfficialClients clients = new OfficialClients(broker.namesrv())) {
      Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
      send(clients, "before", 40);
      consume(clients, consumed);
      Await.until("40 messages", LIMIT, () -> consumed.size() >= 40);

      broker.kill();
      broker.startAgain();

      Await.until("a send is served again", LIMIT, () -> sent(clients, "after"));
      Await.until("the message is consumed", LIMIT,
          () -> consumed.stream().anyMatch(message -> "after".equals(message.getTags())));
    }
  }

  private void send(OfficialClients clients, String tag, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      clients.producer().send(new Message(topic, tag, ("m" + i).getBytes(UTF_8)));
    }
  }

  private boolean sent(OfficialClients clients, String tag) {
    try {
      send(clients, tag, 1);
      return true;
    } catch (Exception notYet) {
      return false;
    }
  }

  private void consume(OfficialClients clients, Queue<MessageExt> consumed) throws Exception {
    DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
    clients.start(consumer, (MessageListenerConcurrently) (messages, context) -> {
      consumed.addAll(messages);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });
  }

  private long committed(BrokerProcess broker) throws Exception {
    long sum = 0;
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      for (int queueId = 0; queueId < 4; queueId++) {
        sum += client.call(Requests.committedOffset(group, topic, queueId)).number("offset");
      }
    }
    return sum;
  }
}
