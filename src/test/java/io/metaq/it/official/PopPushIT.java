package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Push consumers whose queues the broker shares out: where their group is set to pop they pop, else they pull. */
@ExtendWith(SharedServer.class)
class PopPushIT {

  private static final int SET_REQUEST_MODE = 401;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final Server server;
  private final OfficialClients clients;
  private final String topic = Queues.freshName("popped");
  private final String group = Queues.freshName("workers");
  private final Map<String, AtomicInteger> consumed = new ConcurrentHashMap<>();

  PopPushIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @BeforeEach
  void onlyWithClientsThatKnowOfIt() throws Exception {
    assumeTrue(System.getProperty("official.version").startsWith("5."), "older clients do not ask the broker for their queues");
    clients.producer().send(new Message(topic, "first".getBytes(UTF_8)));
    clients.queues(topic);
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldPopEachMessageOnceAmongTheMembers() throws Exception {
    setMode("POP");
    startMember("");
    startMember("");

    for (int i = 0; i < 100; i++) {
      clients.producer().send(new Message(topic, ("m" + i).getBytes(UTF_8)));
    }

    Await.until("all were consumed", LIMIT, () -> consumed.size() == 101);
    assertThat(consumed.values()).extracting(AtomicInteger::get).containsOnly(1);
  }

  @Test
  void shouldGiveAMessageAgainThatItsConsumerCouldNotHandle() throws Exception {
    setMode("POP");
    startMember("poison");

    clients.producer().send(new Message(topic, "poison".getBytes(UTF_8)));

    Await.until("it came again", LIMIT, () -> consumed.containsKey("poison") && consumed.get("poison").get() == 2);
    Await.until("the other one came", LIMIT, () -> consumed.containsKey("first"));
    assertThat(consumed.get("first").get()).isEqualTo(1);
  }

  @Test
  void shouldPullWhatNobodySetToPop() throws Exception {
    startMember("");

    clients.producer().send(new Message(topic, "m".getBytes(UTF_8)));

    Await.until("all were consumed", LIMIT, () -> consumed.keySet().containsAll(Set.of("first", "m")));
  }

  private void setMode(String mode) throws Exception {
    try (RawClient raw = RawClient.connect(server.brokerPort())) {
      RawFrame answer = raw.call(RawFrame.request(SET_REQUEST_MODE)
          .body(("{\"topic\":\"" + topic + "\",\"consumerGroup\":\"" + group
          + "\",\"mode\":\"" + mode + "\",\"popShareQueueNum\":0}").getBytes(UTF_8)));
      assertThat(answer.code()).as(answer.toString()).isZero();
    }
  }

  /** Fails at the first delivery of messages with this body. */
  private void startMember(String poison) throws Exception {
    DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
    ClientVersion.letBrokerRebalance(consumer);
    MessageListenerConcurrently listener = (messages, context) -> {
      String body = new String(messages.get(0).getBody(), UTF_8);
      int times = consumed.computeIfAbsent(body, first -> new AtomicInteger()).incrementAndGet();
      return body.equals(poison) && times == 1 ? ConsumeConcurrentlyStatus.RECONSUME_LATER
          : ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
    clients.start(consumer, listener);
  }
}
