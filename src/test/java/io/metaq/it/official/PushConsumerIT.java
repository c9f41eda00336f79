package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Push consumers: shares, positions, order, retries. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class PushConsumerIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final Server server;
  private final OfficialClients clients;
  private final String topic = Queues.freshName("pushed");
  private final String group = Queues.freshName("group");

  PushConsumerIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldDeliverEachMessageOnceToAGroup() throws Exception {
    Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
    send("a", 0, 50);

    clients.start(clients.pushConsumer(group, topic, "*"), collectInto(consumed));
    send("a", 50, 100);
    Await.until("100 messages", LIMIT, () -> consumed.size() >= 100);

    assertThat(texts(consumed)).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 100).mapToObj(i -> "m" + i).toList());
  }

  @Test
  void shouldDeliverOnlySubscribedTags() throws Exception {
    Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
    send("red", 0, 10);
    send("blue", 10, 20);
    send("green", 20, 30);

    clients.start(clients.pushConsumer(group, topic, "red || green"), collectInto(consumed));
    Await.until("20 messages", LIMIT, () -> consumed.size() >= 20);

    assertThat(consumed).extracting(MessageExt::getTags).containsOnly("red", "green").hasSize(20);
  }

  @Test
  void shouldShareQueuesAmongMembersAndGiveThemBackWhenOneLeaves() throws Exception {
    Queue<MessageExt> first = new ConcurrentLinkedQueue<>();
    Queue<MessageExt> second = new ConcurrentLinkedQueue<>();
    send("warm-up", 0, 1);
    clients.start(clients.pushConsumer(group, topic, "*"), collectInto(first));
    DefaultMQPushConsumer leaving = clients.pushConsumer(group, topic, "*");
    clients.start(leaving, collectInto(second));

    AtomicInteger round = new AtomicInteger();
    Await.until("two queues each", LIMIT, () -> {
      first.clear();
      second.clear();
      sendToEachQueue("round" + round.incrementAndGet());
      Await.until("four messages", LIMIT, () -> first.size() + second.size() >= 4);
      return queueIds(first).size() == 2 && queueIds(second).size() == 2;
    });
    Set<Integer> both = new HashSet<>(queueIds(first));
    both.addAll(queueIds(second));
    leaving.shutdown();
    first.clear();
    sendToEachQueue("last");
    Await.until("all four queues at the member that stayed", LIMIT, () -> queueIds(first).size() == 4);

    assertThat(both).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  @Test
  void shouldDeliverToEachMemberWhenBroadcasting() throws Exception {
    Queue<MessageExt> first = new ConcurrentLinkedQueue<>();
    Queue<MessageExt> second = new ConcurrentLinkedQueue<>();
    send("all", 0, 20);
    for (Queue<MessageExt> each : List.of(first, second)) {
      DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
      ClientVersion.setBroadcasting(consumer);
      clients.start(consumer, collectInto(each));
    }

    Await.until("20 messages each", LIMIT, () -> first.size() >= 20 && second.size() >= 20);

    assertThat(texts(first)).containsExactlyInAnyOrderElementsOf(texts(second));
  }

  @Test
  void shouldKeepTheOrderOfAQueueForOrderlyMembersThatCome() throws Exception {
    ConcurrentMap<Integer, Queue<Integer>> byQueue = new ConcurrentHashMap<>();
    Set<Integer> busy = ConcurrentHashMap.newKeySet();
    Queue<String> overlaps = new ConcurrentLinkedQueue<>();
    AtomicInteger consumed = new AtomicInteger();
    MessageListenerOrderly listener = (messages, context) -> {
      int queueId = context.getMessageQueue().getQueueId();
      if (!busy.add(queueId)) {
        overlaps.add("queue " + queueId);
      }
      for (MessageExt message : messages) {
        byQueue.computeIfAbsent(queueId, id -> new ConcurrentLinkedQueue<>())
            .add(Integer.parseInt(new String(message.getBody(), UTF_8)));
        consumed.incrementAndGet();
      }
      busy.remove(queueId);
      return ConsumeOrderlyStatus.SUCCESS;
    };

    sendOrdered(0, 200);
    clients.start(clients.pushConsumer(group, topic, "*"), listener);
    Await.until("the first 200", LIMIT, () -> consumed.get() >= 200);
    clients.start(clients.pushConsumer(group, topic, "*"), listener);
    sendOrdered(200, 400);
    Await.until("the other 200", LIMIT, () -> consumed.get() >= 400);

    assertThat(overlaps).isEmpty();
    assertThat(byQueue).hasSize(4);
    assertThat(byQueue.values()).allSatisfy(numbers -> assertThat(new ArrayList<>(numbers)).isSorted().doesNotHaveDuplicates());
  }

  @Test
  void shouldGiveAYoungQueueFromItsFirstMessageSoThatNoneIsMissedWhileTheTopicIsNew() throws Exception {
    Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
    send("early", 0, 20);
    DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET);

    clients.start(consumer, collectInto(consumed));
    Await.until("the early messages", LIMIT, () -> consumed.size() >= 20);

    assertThat(consumed).hasSize(20);
  }

  @Test
  void shouldGoOnWhereTheGroupStopped() throws Exception {
    Queue<MessageExt> first = new ConcurrentLinkedQueue<>();
    Queue<MessageExt> second = new ConcurrentLinkedQueue<>();
    send("a", 0, 40);
    DefaultMQPushConsumer leaving = clients.pushConsumer(group, topic, "*");
    clients.start(leaving, collectInto(first));
    Await.until("the offsets of 40 messages", LIMIT, () -> committed() == 40);
    leaving.shutdown();
    send("b", 40, 60);

    clients.start(clients.pushConsumer(group, topic, "*"), collectInto(second));
    Await.until("20 more", LIMIT, () -> second.size() >= 20);

    assertThat(second).extracting(MessageExt::getTags).containsOnly("b").hasSize(20);
  }

  @Test
  void shouldRedeliverAFailedMessageAndGiveItUpToTheDeadLetters() throws Exception {
    Queue<MessageExt> attempts = new ConcurrentLinkedQueue<>();
    clients.producer().send(new Message(topic, "poison", "key-p", "poison".getBytes(UTF_8)));
    DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
    consumer.setMaxReconsumeTimes(2);
    clients.start(consumer, (MessageListenerConcurrently) (messages, context) -> {
      attempts.addAll(messages);
      return ConsumeConcurrentlyStatus.RECONSUME_LATER;
    });

    Await.until("three attempts", LIMIT, () -> attempts.size() >= 3);
    MessageExt dead = clients.readAll("%DLQ%" + group, 1).get(0);

    assertThat(attempts).extracting(MessageExt::getReconsumeTimes).containsExactly(0, 1, 2);
    assertThat(attempts).extracting(MessageExt::getTopic).containsOnly(topic);
    assertThat(attempts).extracting(MessageExt::getMsgId).containsOnly(dead.getMsgId());
    assertThat(new String(dead.getBody(), UTF_8)).isEqualTo("poison");
    assertThat(dead.getKeys()).isEqualTo("key-p");
    assertThat(dead.getProperty("RETRY_TOPIC")).isEqualTo(topic);
  }

  @Test
  void shouldGiveUpAtOnceWhenTheApplicationAsksForIt() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    clients.producer().send(new Message(topic, "hopeless".getBytes(UTF_8)));

    clients.start(clients.pushConsumer(group, topic, "*"), (MessageListenerConcurrently) (messages, context) -> {
      attempts.incrementAndGet();
      context.setDelayLevelWhenNextConsume(-1);
      return ConsumeConcurrentlyStatus.RECONSUME_LATER;
    });
    MessageExt dead = clients.readAll("%DLQ%" + group, 1).get(0);

    assertThat(new String(dead.getBody(), UTF_8)).isEqualTo("hopeless");
    assertThat(attempts).hasValue(1);
  }

  @Test
  void shouldDeliverADelayedMessageAfterItsDelay() throws Exception {
    Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
    clients.start(clients.pushConsumer(group, topic, "*"), collectInto(consumed));
    Message delayed = new Message(topic, "later".getBytes(UTF_8));
    delayed.setDelayTimeLevel(18);
    long before = System.currentTimeMillis();

    String id = clients.producer().send(delayed).getMsgId();
    Await.until("the message", LIMIT, () -> !consumed.isEmpty());

    assertThat(consumed).singleElement().satisfies(message -> {
      assertThat(message.getMsgId()).isEqualTo(id);
      assertThat(message.getTopic()).isEqualTo(topic);
      assertThat(message.getStoreTimestamp() - before).isGreaterThanOrEqualTo(2_000);
    });
  }

  /** The sum of the group's offsets, as the broker has them. */
  private long committed() throws Exception {
    long sum = 0;
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      for (int queueId = 0; queueId < 4; queueId++) {
        sum += client.call(Requests.committedOffset(group, topic, queueId)).number("offset");
      }
    }
    return sum;
  }

  private void send(String tag, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      clients.producer().send(new Message(topic, tag, ("m" + i).getBytes(UTF_8)));
    }
  }

  private void sendToEachQueue(String tag) throws Exception {
    for (MessageQueue queue : clients.producer().fetchPublishMessageQueues(topic)) {
      clients.producer().send(new Message(topic, tag, "x".getBytes(UTF_8)), queue);
    }
  }

  private void sendOrdered(int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      clients.producer().send(new Message(topic, Integer.toString(i).getBytes(UTF_8)),
          (queues, message, arg) -> queues.get((int) arg % queues.size()), i);
    }
  }

  private static MessageListenerConcurrently collectInto(Collection<MessageExt> consumed) {
    return (messages, context) -> {
      consumed.addAll(messages);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
  }

  private static Set<Integer> queueIds(Collection<MessageExt> messages) {
    Set<Integer> ids = new HashSet<>();
    messages.forEach(message -> ids.add(message.getQueueId()));
    return ids;
  }

  private static List<String> texts(Collection<MessageExt> messages) {
    return messages.stream().map(message -> new String(message.getBody(), UTF_8)).toList();
  }
}
