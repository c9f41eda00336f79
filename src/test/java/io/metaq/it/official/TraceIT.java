package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What official clients write down about the way of a message, found by its id as tools look for it. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class TraceIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String TRACE_TOPIC = "RMQ_SYS_TRACE_TOPIC";
  private static final char FIELD = '\u0001';
  private static final char RECORD = '\u0002';

  private final Server server;
  private final OfficialClients clients;
  private final String topic = Queues.freshName("traced");
  private final String group = Queues.freshName("group");

  TraceIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldFindTheWayOfAMessageByItsId() throws Exception {
    DefaultMQProducer producer = new DefaultMQProducer(Queues.freshName("producers"), true, TRACE_TOPIC);
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group, true, TRACE_TOPIC);
    producer.setNamesrvAddr(server.namesrv());
    producer.setInstanceName(Queues.freshName("instance"));
    producer.setSendMsgTimeout(10_000);
    producer.start();
    try {
      String id = producer.send(new Message(topic, "tag", "key", "traced".getBytes(UTF_8))).getMsgId();
      consumer.setNamesrvAddr(server.namesrv());
      consumer.setInstanceName(Queues.freshName("instance"));
      consumer.subscribe(topic, "*");
      consumer.registerMessageListener(
          (MessageListenerConcurrently) (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS);
      consumer.start();

      Await.until("the traces of both", LIMIT, () -> kinds(id).containsAll(List.of("Pub", "SubBefore", "SubAfter")));
      List<String[]> sent = records(id).stream().filter(record -> record[0].equals("Pub")).toList();

      assertThat(sent).singleElement().satisfies(record -> {
        assertThat(record[2]).isEqualTo("DefaultRegion");
        assertThat(record[4]).isEqualTo(topic);
        assertThat(record[5]).isEqualTo(id);
        assertThat(record[13]).isEqualTo("true");
      });
    } finally {
      consumer.shutdown();
      producer.shutdown();
    }
  }

  private List<String> kinds(String id) throws Exception {
    return records(id).stream().map(record -> record[0]).toList();
  }

  /** The records that name the message, from the trace messages that have its id as a key. */
  private List<String[]> records(String id) throws Exception {
    List<String[]> found = new ArrayList<>();
    try {
      clients.producer().queryMessage(TRACE_TOPIC, id, 32, 0, Long.MAX_VALUE).getMessageList().forEach(message -> {
        for (String record : new String(message.getBody(), UTF_8).split(String.valueOf(RECORD))) {
          String[] fields = record.split(String.valueOf(FIELD));
          if (List.of(fields).contains(id) || fields[0].equals("SubAfter")) {
            found.add(fields);
          }
        }
      });
    } catch (MQClientException notYet) {
      found.clear();
    }
    return found;
  }
}
