package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Pull and lite pull consumers: positions, commits, holds. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
@SuppressWarnings("deprecation")
class PullConsumerIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final OfficialClients clients;
  private final String topic = Queues.freshName("pulled");
  private final String group = Queues.freshName("group");
  private MessageQueue queue;

  PullConsumerIT(Server server) {
    clients = new OfficialClients(server.namesrv());
  }

  @BeforeEach
  void createTopic() throws Exception {
    clients.producer().send(new Message(topic, "creates the topic".getBytes(UTF_8)),
        (queues, message, arg) -> queues.stream().filter(each -> each.getQueueId() == 3).findFirst().orElseThrow(), null);
    queue = clients.queues(topic).get(0);
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldPullFromAPositionAndSayWhereTheQueueEnds() throws Exception {
    send("m", 0, 10);
    DefaultMQPullConsumer consumer = clients.pullConsumer(group);
    Await.until("10 messages", LIMIT, () -> consumer.maxOffset(queue) == 10);

    PullResult found = consumer.pull(queue, "*", 4, 3);
    PullResult atTheEnd = consumer.pull(queue, "*", 10, 32);
    PullResult beyond = consumer.pull(queue, "*", 11, 32);

    assertThat(found.getPullStatus()).isEqualTo(PullStatus.FOUND);
    assertThat(texts(found.getMsgFoundList())).containsExactly("m4", "m5", "m6");
    assertThat(found.getNextBeginOffset()).isEqualTo(7);
    assertThat(found.getMinOffset()).isZero();
    assertThat(found.getMaxOffset()).isEqualTo(10);
    assertThat(atTheEnd.getPullStatus()).isEqualTo(PullStatus.NO_NEW_MSG);
    assertThat(beyond.getPullStatus()).isEqualTo(PullStatus.OFFSET_ILLEGAL);
    assertThat(beyond.getNextBeginOffset()).isEqualTo(10);
  }

  @Test
  void shouldGetLongMessagesAndLongRunsAsTheyWereSent() throws Exception {
    Random random = new Random(1);
    List<byte[]> sent = new ArrayList<>();
    for (int bytes : new int[] {65_000, 70_000, 300_000, 1_000_000, 10}) {
      sent.add(bytes(random, bytes));
      clients.producer().send(new Message(topic, sent.get(sent.size() - 1)), queue);
    }
    List<Message> run = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      sent.add(bytes(random, 5_000));
      run.add(new Message(topic, sent.get(sent.size() - 1)));
    }
    clients.producer().send(run, queue);
    DefaultMQPullConsumer consumer = clients.pullConsumer(group);
    Await.until("all messages", LIMIT, () -> consumer.maxOffset(queue) == sent.size());

    List<byte[]> got = new ArrayList<>();
    while (got.size() < sent.size()) {
      PullResult found = consumer.pull(queue, "*", got.size(), 32);
      assertThat(found.getPullStatus()).isEqualTo(PullStatus.FOUND);
      found.getMsgFoundList().forEach(message -> got.add(message.getBody()));
    }

    assertThat(got).containsExactlyElementsOf(sent);
  }

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void shouldFindOffsetsByTime() throws Exception {
    send("a", 0, 5);
    List<MessageExt> stored = clients.readAll(topic, 6).stream().filter(message -> message.getQueueId() == queue.getQueueId()).toList();
    DefaultMQPullConsumer consumer = clients.pullConsumer(group);
    long firstTime = stored.get(0).getStoreTimestamp();
    long lastTime = stored.get(4).getStoreTimestamp();

    assertThat(consumer.minOffset(queue)).isZero();
    assertThat(consumer.maxOffset(queue)).isEqualTo(5);
    assertThat(consumer.earliestMsgStoreTime(queue)).isEqualTo(firstTime);
    assertThat(consumer.searchOffset(queue, firstTime - 1_000)).isZero();
    assertThat(consumer.searchOffset(queue, firstTime)).isZero();
    assertThat(consumer.searchOffset(queue, lastTime + 1)).isEqualTo(5);
  }

  @Test
  void shouldWakeABlockedPullByAMessage() throws Exception {
    DefaultMQPullConsumer consumer = clients.pullConsumer(group);
    CompletableFuture<PullResult> blocked = CompletableFuture.supplyAsync(() -> {
      try {
        return consumer.pullBlockIfNotFound(queue, "*", 0, 32);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });

    send("wakes", 0, 1);

    assertThat(texts(blocked.join().getMsgFoundList())).containsExactly("wakes0");
  }

  @Test
  void shouldKeepTheOffsetOfAGroup() throws Exception {
    DefaultMQPullConsumer consumer = clients.pullConsumer(group);
    send("m", 0, 10);
    DefaultMQPullConsumer other = clients.pullConsumer(group);

    Await.until("the offset", LIMIT, () -> {
      consumer.updateConsumeOffset(queue, 7);
      consumer.getDefaultMQPullConsumerImpl().getOffsetStore().persist(queue);
      return other.fetchConsumeOffset(queue, true) == 7;
    });
  }

  @Test
  void shouldServeALitePullSubscription() throws Exception {
    send("m", 0, 10);
    DefaultLitePullConsumer consumer = clients.litePullConsumer(group);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, "*");
    consumer.start();

    Set<String> polled = new HashSet<>();
    Await.until("all messages", LIMIT, () -> {
      polled.addAll(texts(consumer.poll(1_000)));
      return polled.size() == 11;
    });

    assertThat(polled).contains("creates the topic", "m0", "m9");
  }

  @Test
  void shouldSeekAndCommitInALitePullAssignment() throws Exception {
    send("m", 0, 10);
    clients.readAll(topic, 11);
    DefaultLitePullConsumer consumer = assigned();
    consumer.seek(queue, 6);
    assertThat(texts(pollSome(consumer))).first().isEqualTo("m6");
    consumer.seekToBegin(queue);
    assertThat(texts(pollSome(consumer))).first().isEqualTo("m0");
    consumer.seekToEnd(queue);
    send("last", 0, 1);
    assertThat(texts(pollSome(consumer))).containsExactly("last0");

    Map<MessageQueue, Long> offsets = new HashMap<>(Map.of(queue, 8L));
    consumer.commitSync(offsets, true);
    Await.until("the committed offset", LIMIT, () -> consumer.committed(queue) == 8L);
    consumer.shutdown();

    assertThat(texts(pollSome(assigned()))).first().isEqualTo("m8");
  }

  @Test
  void shouldFindOffsetsByTimeForALitePullConsumer() throws Exception {
    send("m", 0, 10);
    clients.readAll(topic, 11);
    DefaultLitePullConsumer consumer = assigned();

    assertThat(consumer.offsetForTimestamp(queue, System.currentTimeMillis() + 60_000)).isEqualTo(10);
    assertThat(consumer.offsetForTimestamp(queue, 0L)).isZero();
  }

  private DefaultLitePullConsumer assigned() throws Exception {
    DefaultLitePullConsumer consumer = clients.litePullConsumer(group);
    consumer.start();
    consumer.assign(List.of(queue));
    return consumer;
  }

  private static List<MessageExt> pollSome(DefaultLitePullConsumer consumer) throws Exception {
    List<List<MessageExt>> polled = new ArrayList<>();
    Await.until("a poll that finds something", LIMIT, () -> {
      List<MessageExt> messages = consumer.poll(1_000);
      return !messages.isEmpty() && polled.add(messages);
    });
    return polled.get(0);
  }

  private void send(String stem, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      clients.producer().send(new Message(topic, (stem + i).getBytes(UTF_8)), queue);
    }
  }

  private static List<String> texts(List<MessageExt> messages) {
    return messages.stream().map(message -> new String(message.getBody(), UTF_8)).toList();
  }
}
