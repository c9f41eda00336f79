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
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients of a namespace: the broker sees longer names, also of retries, and the application its own. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class NamespaceIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int MEMBERS = 38;
  private static final String NAMESPACE = "space";

  private final Server server;
  private final String topic = Queues.freshName("spaced");
  private final String group = Queues.freshName("group");
  private final Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();

  NamespaceIT(Server server) {
    this.server = server;
  }

  @Test
  void shouldServeAndRetryUnderTheNamesOfANamespace() throws Exception {
    run("setNamespace", NAMESPACE + "%" + group);

    assertThat(consumed).extracting(MessageExt::getTopic).containsOnly(topic);
  }

  @Test
  void shouldServeClientsOfANamespaceOfTheSecondKind() throws Exception {
    assumeTrue(setter("setNamespaceV2").isPresent(), "clients of RocketMQ 4 have none");

    run("setNamespaceV2", group);

    assertThat(consumed).extracting(MessageExt::getTopic).containsOnly(topic);
  }

  /** Sends a message and consumes it twice, the first time in vain. */
  private void run(String setter, String groupAtTheBroker) throws Exception {
    DefaultMQProducer producer = new DefaultMQProducer(Queues.freshName("producers"));
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
    prepare(producer, setter);
    prepare(consumer, setter);
    producer.setSendMsgTimeout(10_000);
    producer.start();
    try {
      producer.send(new Message(topic, "once more".getBytes(UTF_8)));
      consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
      consumer.subscribe(topic, "*");
      consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
        consumed.addAll(messages);
        return messages.get(0).getReconsumeTimes() == 0
            ? ConsumeConcurrentlyStatus.RECONSUME_LATER
            : ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
      });
      consumer.start();

      Await.until("the message and its retry", LIMIT, () -> consumed.size() >= 2);

      assertThat(consumed).extracting(MessageExt::getReconsumeTimes).containsExactly(0, 1);
      try (RawClient client = RawClient.connect(server.brokerPort())) {
        RawFrame members = client.call(RawFrame.request(MEMBERS).ext("consumerGroup", groupAtTheBroker));
        assertThat(members.code()).as(members.toString()).isZero();
      }
    } finally {
      consumer.shutdown();
      producer.shutdown();
    }
  }

  private void prepare(ClientConfig client, String setter) throws ReflectiveOperationException {
    client.setNamesrvAddr(server.namesrv());
    client.setInstanceName(Queues.freshName("instance"));
    client.setPollNameServerInterval(1_000);
    setter(setter).orElseThrow().invoke(client, NAMESPACE);
  }

  private static Optional<Method> setter(String name) {
    return Arrays.stream(ClientConfig.class.getMethods()).filter(method -> method.getName().equals(name)).findFirst();
  }
}
