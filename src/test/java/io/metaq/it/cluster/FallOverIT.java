package io.metaq.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Progress;
import io.metaq.it.Queues;
import io.metaq.it.official.OfficialClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Consumers and a master that dies: they go on at the slave, and come back when the master does, with what they committed meanwhile. */
@Execution(ExecutionMode.CONCURRENT)
class FallOverIT {
  private static final Duration LIMIT = Duration.ofSeconds(180);
  private static final int QUEUES = 4;

  @TempDir
  private Path folder;

  @Test
  void shouldLetConsumersGoOnAtTheSlaveAndComeBackToTheMaster() throws Exception {
    String topic = Queues.freshName("fallover");
    String early = Queues.freshName("early");
    String late = Queues.freshName("late");
    Set<String> seenByEarly = ConcurrentHashMap.newKeySet();
    Set<String> seenByLate = ConcurrentHashMap.newKeySet();
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start();
        BrokerProcess master = broker("master", namesrv).key("brokerRole", "ASYNC_MASTER").start();
        BrokerProcess slave = broker("slave", namesrv).key("brokerRole", "SLAVE").key("brokerId", 1).start();
        OfficialClients clients = new OfficialClients(namesrv.namesrv())) {
      Progress atMaster = new Progress(master.brokerPort(), topic, QUEUES);
      Progress atSlave = new Progress(slave.brokerPort(), topic, QUEUES);
      send(clients, topic, "before", 50);
      DefaultMQPushConsumer consumer = consumer(clients, early, topic, seenByEarly);
      Await.until("the first messages are consumed and committed", LIMIT, () -> atMaster.committed(early) == 50);
      Await.until("the slave knows it", LIMIT, () -> atSlave.committed(early) == 50);

      consumer.suspend();
      send(clients, topic, "unread", 50);
      Await.until("the slave has copied all", LIMIT, () -> atSlave.messages() == 100);
      master.kill();
      consumer.resume();

      Await.until("the consumer goes on at the slave", LIMIT, () -> seenByEarly.size() == 100);
      consumer(clients, late, topic, seenByLate);
      Await.until("a new group reads all of it from the slave", LIMIT, () -> seenByLate.size() == 100);
      Await.until("both have committed at the slave", LIMIT, () -> atSlave.committed(early) == 100 && atSlave.committed(late) == 100);

      master.startAgain();

      Await.until("the master knows what was committed meanwhile", LIMIT,
          () -> atMaster.committed(early) == 100 && atMaster.committed(late) == 100);
      send(clients, topic, "after", 50);
      Await.until("the consumers have the new messages", LIMIT, () -> seenByEarly.size() == 150 && seenByLate.size() == 150);
      Await.until("they are back at the master", LIMIT, () -> atMaster.committed(early) == 150 && atMaster.committed(late) == 150);
      slave.kill();
      send(clients, topic, "alone", 50);
      Await.until("the master alone serves them", LIMIT, () -> seenByEarly.size() == 200 && seenByLate.size() == 200);
    }
  }

  private BrokerProcess.Launch broker(String name, BrokerProcess namesrv) {
    return BrokerProcess.broker(folder.resolve(name), namesrv.namesrv()).key("brokerName", "b").key("slaveReadEnable", true)
        .key("defaultTopicQueueNums", QUEUES).key("bindAddress", "127.0.0.1");
  }

  private static DefaultMQPushConsumer consumer(OfficialClients clients, String group, String topic, Set<String> seen) throws Exception {
    DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
    clients.start(consumer, (MessageListenerConcurrently) (messages, context) -> {
      messages.forEach(message -> seen.add(new String(message.getBody(), UTF_8)));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });
    return consumer;
  }

  /** A master that has just come may not be in the producer's route yet. */
  private static void send(OfficialClients clients, String topic, String name, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      Message message = new Message(topic, (name + i).getBytes(UTF_8));
      Await.until("a message is sent", LIMIT, () -> {
        try {
          return clients.producer().send(message).getSendStatus() == SendStatus.SEND_OK;
        } catch (org.apache.rocketmq.client.exception.MQClientException noRouteYet) {
          return false;
        }
      });
    }
    assertThat(count).isPositive();
  }
}
