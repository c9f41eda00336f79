package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Where a new group starts on queues that are not young any more: the oldest log file is gone, as retention would have it, so the
 * broker cannot say "from the beginning", and the client asks for the end or for a time.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConsumeFromIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int LOG_FILE_BYTES = 1 << 20;
  private static final int OLD_PER_QUEUE = 100;

  @TempDir
  private Path data;
  private final String topic = Queues.freshName("aged");
  private final Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
  private BrokerProcess broker;
  private OfficialClients clients;
  private List<MessageQueue> queues;

  @BeforeEach
  void ageTheQueues() throws Exception {
    assumeTrue(System.getProperty("metaq.it.namesrv") == null, "needs a server of its own");
    broker = BrokerProcess.standalone(data).key("mappedFileSizeCommitLog", LOG_FILE_BYTES).start();
    clients = new OfficialClients(broker.namesrv());
    clients.producer().send(new Message(topic, "creates the topic".getBytes(UTF_8)));
    queues = clients.queues(topic);
    for (int i = 0; i < OLD_PER_QUEUE; i++) {
      sendToEachQueue("old", new byte[4_000]);
    }
    broker.stop();
    Files.delete(data.resolve("commitlog").resolve("0".repeat(20)));
    broker.startAgain();
    Await.until("the broker serves again", LIMIT, this::sendsYoung);
    var consumer = clients.pullConsumer(Queues.freshName("readers"));
    Await.until("the young messages can be read", LIMIT, () -> {
      long messages = 0;
      for (MessageQueue queue : queues) {
        messages += consumer.maxOffset(queue);
      }
      // And one that made the topic.
      return messages > queues.size() * (OLD_PER_QUEUE + 1);
    });
  }

  /** By a producer that does not know yet where its broker went. */
  private boolean sendsYoung() throws Exception {
    try {
      sendToEachQueue("young", new byte[1]);
      return true;
    } catch (MQClientException | RemotingException outOfReach) {
      return false;
    }
  }

  @AfterEach
  void close() throws Exception {
    if (broker != null) {
      clients.close();
      broker.close();
    }
  }

  @Test
  void shouldStartAtTheEndOrAtATimeOrAtTheSmallestOffset() throws Exception {
    long lastYoung = System.currentTimeMillis();
    long boundary = (lastYoung / 1_000 + 2) * 1_000;

    consumeFrom(ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, null);
    Await.until("new messages of all queues", LIMIT, () -> {
      sendToEachQueue("new", new byte[1]);
      return queueIds("new").size() == 4;
    });
    assertThat(consumed).extracting(MessageExt::getTags).containsOnly("new");

    Await.until("the boundary", LIMIT, () -> System.currentTimeMillis() > boundary);
    sendToEachQueue("newest", new byte[1]);
    consumeFrom(ConsumeFromWhere.CONSUME_FROM_TIMESTAMP,
        DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneId.systemDefault()).format(Instant.ofEpochMilli(boundary)));
    Await.until("newest messages of all queues", LIMIT, () -> queueIds("newest").size() == 4);
    assertThat(consumed).extracting(MessageExt::getStoreTimestamp).allMatch(time -> time >= boundary);

    consumeFrom(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET, null);
    Await.until("old messages of all queues", LIMIT, () -> queueIds("old").size() == 4 && queueIds("newest").size() == 4);
    assertThat(consumed).extracting(MessageExt::getQueueOffset).allMatch(offset -> offset > 0);
  }

  private void consumeFrom(ConsumeFromWhere where, String time) throws Exception {
    consumed.clear();
    DefaultMQPushConsumer consumer = clients.pushConsumer(Queues.freshName("group"), topic, "*");
    consumer.setConsumeFromWhere(where);
    if (time != null) {
      consumer.setConsumeTimestamp(time);
    }
    clients.start(consumer, (MessageListenerConcurrently) (messages, context) -> {
      consumed.addAll(messages);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });
  }

  private void sendToEachQueue(String tag, byte[] body) throws Exception {
    for (MessageQueue queue : queues) {
      clients.producer().send(new Message(topic, tag, body), queue);
    }
  }

  private Set<Integer> queueIds(String tag) {
    Set<Integer> ids = new HashSet<>();
    consumed.stream().filter(message -> tag.equals(message.getTags())).forEach(message -> ids.add(message.getQueueId()));
    return ids;
  }
}
