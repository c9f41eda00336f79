package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Progress;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.official.OfficialClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What travels beside the log, between our brokers and official ones: topics, groups, consumers' progress, delayed delivery. */
@Execution(ExecutionMode.CONCURRENT)
class OfficialSlaveIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int QUEUES = 4;
  private static final int GET_ALL_TOPIC_CONFIG = 21;
  private static final int GET_ALL_DELAY_OFFSET = 45;
  private static final int GET_ALL_SUBSCRIPTIONGROUP_CONFIG = 201;
  private static final int ONE_SECOND = 1;

  @TempDir
  private Path folder;

  @Test
  void shouldGiveAnOfficialSlaveItsTables() throws Exception {
    String topic = Queues.freshName("tables");
    String group = Queues.freshName("readers");
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start();
        BrokerProcess master = BrokerProcess.broker(folder.resolve("master"), namesrv.namesrv())
            .key("brokerName", "b").key("brokerClusterName", "c").key("defaultTopicQueueNums", QUEUES).key("bindAddress", "127.0.0.1").start();
        OfficialServer slave = OfficialServer.broker(folder.resolve("slave"), namesrv.namesrv(), """
            brokerName=b
            brokerClusterName=c
            brokerRole=SLAVE
            brokerId=1
            """)) {
      use(namesrv.namesrv(), topic, group);

      awaitTables(slave.port(), topic, group);
    }
  }

  @Test
  void shouldFollowTheTablesOfAnOfficialMaster() throws Exception {
    String topic = Queues.freshName("tables");
    String group = Queues.freshName("readers");
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start();
        OfficialServer master = OfficialServer.broker(folder.resolve("master"), namesrv.namesrv(), """
            brokerName=b
            brokerClusterName=c
            defaultTopicQueueNums=%d
            """.formatted(QUEUES));
        BrokerProcess slave = BrokerProcess.broker(folder.resolve("slave"), namesrv.namesrv())
            .key("brokerName", "b").key("brokerClusterName", "c").key("brokerRole", "SLAVE").key("brokerId", 1)
            .key("mappedFileSizeCommitLog", 67_108_864).key("bindAddress", "127.0.0.1").start()) {
      use(namesrv.namesrv(), topic, group);

      awaitTables(slave.brokerPort(), topic, group);
      assertThat(text(master.port(), GET_ALL_TOPIC_CONFIG)).contains(topic);
    }
  }

  private static void awaitTables(int slavePort, String topic, String group) throws Exception {
    Progress atSlave = new Progress(slavePort, topic, QUEUES);
    Await.until("the slave has the topic", LIMIT, () -> text(slavePort, GET_ALL_TOPIC_CONFIG).contains(topic));
    Await.until("the slave has the group", LIMIT, () -> text(slavePort, GET_ALL_SUBSCRIPTIONGROUP_CONFIG).contains(group));
    Await.until("the slave has the progress", LIMIT, () -> atSlave.committed(group) == 20);
    Await.until("the slave has the progress of delayed delivery", LIMIT,
        () -> text(slavePort, GET_ALL_DELAY_OFFSET).replaceAll("\\s", "").matches(".*\\{\"?1\"?:10\\}.*"));
  }

  /** Ten messages at once, ten delayed, all of them consumed. */
  private static void use(String namesrv, String topic, String group) throws Exception {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      for (int i = 0; i < 10; i++) {
        clients.producer().send(new Message(topic, ("m" + i).getBytes(UTF_8)));
        Message delayed = new Message(topic, ("delayed" + i).getBytes(UTF_8));
        delayed.setDelayTimeLevel(ONE_SECOND);
        clients.producer().send(delayed);
      }
      clients.start(clients.pushConsumer(group, topic, "*"), (MessageListenerConcurrently) (messages, context) -> {
        messages.forEach(message -> seen.add(new String(message.getBody(), UTF_8)));
        return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
      });
      Await.until("all messages are consumed", LIMIT, () -> seen.size() == 20);
    }
  }

  private static String text(int port, int code) throws Exception {
    try (RawClient client = RawClient.connect(port)) {
      return new String(client.call(RawFrame.request(code)).body(), UTF_8);
    }
  }
}
