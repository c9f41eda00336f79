package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every way an official producer sends. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class ProducerIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final OfficialClients clients;
  private final String topic = Queues.freshName("produced");

  ProducerIT(Server server) {
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldStoreAllPartsOfAMessage() throws Exception {
    Message message = new Message(topic, "red", "key1 key2", "h\u00e9llo".getBytes(UTF_8));
    message.setFlag(42);
    message.putUserProperty("colour", "gr\u00fcn");

    SendResult result = clients.producer().send(message);
    MessageExt read = clients.readAll(topic, 1).get(0);

    assertThat(result.getSendStatus()).isEqualTo(SendStatus.SEND_OK);
    assertThat(read.getBody()).isEqualTo("h\u00e9llo".getBytes(UTF_8));
    assertThat(read.getTags()).isEqualTo("red");
    assertThat(read.getKeys()).isEqualTo("key1 key2");
    assertThat(read.getUserProperty("colour")).isEqualTo("gr\u00fcn");
    assertThat(read.getFlag()).isEqualTo(42);
    assertThat(read.getMsgId()).isEqualTo(result.getMsgId());
    assertThat(read.getQueueId()).isEqualTo(result.getMessageQueue().getQueueId());
    assertThat(read.getQueueOffset()).isEqualTo(result.getQueueOffset());
    assertThat(read.getReconsumeTimes()).isZero();
    assertThat(read.getStoreTimestamp()).isGreaterThanOrEqualTo(read.getBornTimestamp());
  }

  @Test
  void shouldSendAsync() throws Exception {
    int count = 500;
    Queue<Object> outcomes = new ConcurrentLinkedQueue<>();
    DefaultMQProducer producer = clients.producer();

    for (int i = 0; i < count; i++) {
      producer.send(new Message(topic, ("m" + i).getBytes(UTF_8)), new SendCallback() {
        @Override
        public void onSuccess(SendResult result) {
          outcomes.add(result.getSendStatus());
        }

        @Override
        public void onException(Throwable e) {
          outcomes.add(e);
        }
      });
    }
    Await.until("an outcome of each", LIMIT, () -> outcomes.size() == count);

    assertThat(outcomes).containsOnly(SendStatus.SEND_OK);
    assertThat(clients.readAll(topic, count)).hasSize(count);
  }

  @Test
  void shouldSendOneway() throws Exception {
    for (int i = 0; i < 20; i++) {
      clients.producer().sendOneway(new Message(topic, ("m" + i).getBytes(UTF_8)));
    }

    assertThat(clients.readAll(topic, 20)).extracting(message -> new String(message.getBody(), UTF_8))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20).mapToObj(i -> "m" + i).toList());
  }

  @Test
  void shouldSendABatch() throws Exception {
    List<Message> batch = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      batch.add(new Message(topic, "tag" + i, "key" + i, ("m" + i).getBytes(UTF_8)));
    }

    SendResult result = clients.producer().send(batch);
    List<MessageExt> read = clients.readAll(topic, 50);

    assertThat(result.getSendStatus()).isEqualTo(SendStatus.SEND_OK);
    assertThat(result.getMsgId().split(",")).hasSize(50);
    assertThat(result.getOffsetMsgId().split(",")).hasSize(50);
    assertThat(read).extracting(MessageExt::getMsgId).containsExactly(result.getMsgId().split(","));
    assertThat(read).extracting(MessageExt::getTags).containsExactlyElementsOf(batch.stream().map(Message::getTags).toList());
    assertThat(read).extracting(MessageExt::getQueueOffset).isSorted().first().isEqualTo(result.getQueueOffset());
  }

  @Test
  void shouldSendToTheQueueOfASelectorInOrder() throws Exception {
    clients.producer().send(new Message(topic, "creates the topic".getBytes(UTF_8)));

    List<MessageQueue> chosen = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      SendResult result = clients.producer().send(new Message(topic, "s", ("m" + i).getBytes(UTF_8)),
          (queues, message, arg) -> queues.stream().filter(queue -> queue.getQueueId() == (int) arg).findFirst().orElseThrow(), 2);
      chosen.add(result.getMessageQueue());
    }

    assertThat(chosen).extracting(MessageQueue::getQueueId).containsOnly(2);
    assertThat(clients.readAll(topic, 31)).filteredOn(message -> "s".equals(message.getTags()))
        .extracting(message -> new String(message.getBody(), UTF_8))
        .containsExactlyElementsOf(IntStream.range(0, 30).mapToObj(i -> "m" + i).toList());
  }

  @Test
  void shouldCarryBodiesTheClientCompresses() throws Exception {
    byte[] body = "so much of the same. ".repeat(50_000).getBytes(UTF_8);

    clients.producer().send(new Message(topic, body));
    MessageExt read = clients.readAll(topic, 1).get(0);

    assertThat(read.getBody()).isEqualTo(body);
    assertThat(read.getStoreSize()).isLessThan(body.length / 10);
  }

  @Test
  void shouldCarryBodiesThatDoNotCompress() throws Exception {
    byte[] body = new byte[4_000_000];
    new Random(1).nextBytes(body);

    clients.producer().send(new Message(topic, body));

    assertThat(Arrays.equals(clients.readAll(topic, 1).get(0).getBody(), body)).isTrue();
  }

  @Test
  void shouldTellTheApplicationWhyAMessageIsRefused() throws Exception {
    DefaultMQProducer producer = clients.producer();
    producer.setMaxMessageSize(8 * 1024 * 1024);
    byte[] tooLarge = new byte[5_000_000];
    new Random(1).nextBytes(tooLarge);

    assertThatThrownBy(() -> producer.send(new Message(topic, tooLarge))).isInstanceOfSatisfying(MQBrokerException.class,
        e -> assertThat(e.getResponseCode()).isEqualTo(13));
  }

  @Test
  void shouldCreateTheTopicWithFourQueuesAtTheFirstSend() throws Exception {
    clients.producer().send(new Message(topic, "first".getBytes(UTF_8)));

    Await.until("4 queues in the route", LIMIT, () -> clients.queues(topic).size() == 4);
  }
}
