package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.MessageSelector;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
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

/** {@code MessageSelector.bySql} with every kind of consumer. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
@SuppressWarnings("deprecation")
class SqlFilterIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int PARSE_FAILED = 23;

  private final Server server;
  private final OfficialClients clients;
  private final String topic = Queues.freshName("selected");
  private final String group = Queues.freshName("group");

  SqlFilterIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @BeforeEach
  void onlyOurs() {
    assumeTrue(server.isMetaq(), "the reference has SQL switched off by default");
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldPushWhatMatchesBeforeAndAfterTheStart() throws Exception {
    send(0, 40);
    Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();

    startPush("n BETWEEN 30 AND 49 AND kind = 'even' OR TAGS = 'last'", collectInto(consumed));
    send(40, 80);
    clients.producer().send(new Message(topic, "last", "m80".getBytes(UTF_8)));

    Await.until("the last message", LIMIT, () -> texts(consumed).contains("m80"));
    Await.until("all that match", LIMIT, () -> consumed.size() >= 11);
    assertThat(texts(consumed)).containsExactlyInAnyOrderElementsOf(
        IntStream.of(30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 80).mapToObj(n -> "m" + n).toList());
  }

  @Test
  void shouldPushAMessageThatFailedAgain() throws Exception {
    send(0, 10);
    Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();

    startPush("n = 7", (messages, context) -> {
      consumed.addAll(messages);
      return messages.get(0).getReconsumeTimes() == 0
          ? ConsumeConcurrentlyStatus.RECONSUME_LATER : ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });

    Await.until("the retry", LIMIT, () -> consumed.size() >= 2);
    assertThat(texts(consumed)).containsOnly("m7");
  }

  @Test
  void shouldPullByAnExpressionThatTheRequestBrings() throws Exception {
    send(0, 40);
    clients.readAll(topic, 40);
    DefaultMQPullConsumer consumer = clients.pullConsumer(group);
    List<String> found = new ArrayList<>();

    for (MessageQueue queue : clients.queues(topic)) {
      found.addAll(readBySql(consumer, queue, "n > 35 AND kind IS NOT NULL"));
    }

    assertThat(found).containsExactlyInAnyOrder("m36", "m37", "m38", "m39");
  }

  @Test
  void shouldPollWhatMatches() throws Exception {
    send(0, 40);
    DefaultLitePullConsumer consumer = clients.litePullConsumer(group);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, MessageSelector.bySql("n IN ('3', '33', '333') OR kind = 'none'"));
    consumer.start();
    List<String> found = new ArrayList<>();

    Await.until("two messages", LIMIT, () -> found.addAll(texts(consumer.poll(500))) && found.size() >= 2);

    assertThat(found).containsExactlyInAnyOrder("m3", "m33");
    assertThat(consumer.poll(500)).isEmpty();
  }

  @Test
  void shouldRefuseAFaultyExpressionWithPlaceAndReason() throws Exception {
    send(0, 1);
    DefaultMQPushConsumer push = clients.pushConsumer(group, topic, "*");
    push.subscribe(topic, MessageSelector.bySql("n = 1 AND"));
    DefaultMQPullConsumer pull = clients.pullConsumer(Queues.freshName("group"));
    MessageQueue queue = clients.queues(topic).get(0);
    readBySql(pull, queue, "n > 1");

    assertThatThrownBy(() -> clients.start(push, collectInto(new ConcurrentLinkedQueue<>())))
        .isInstanceOfSatisfying(MQClientException.class, e -> assertThat(e.getResponseCode()).isEqualTo(PARSE_FAILED))
        .hasMessageContaining("SQL92 filter, character 10: ");
    assertThatThrownBy(() -> pull.pull(queue, MessageSelector.bySql("n > 'x'"), 0, 32))
        .isInstanceOfSatisfying(MQBrokerException.class, e -> assertThat(e.getResponseCode()).isEqualTo(PARSE_FAILED))
        .hasMessageContaining("SQL92 filter, character 5: ");
  }

  @Test
  void shouldServeTenThousandTerms() throws Exception {
    send(0, 20);
    clients.readAll(topic, 20);
    DefaultMQPullConsumer consumer = clients.pullConsumer(group);
    String terms = IntStream.range(10, 10_010).mapToObj(n -> "n=" + n).collect(Collectors.joining(" OR "));
    List<String> found = new ArrayList<>();

    for (MessageQueue queue : clients.queues(topic)) {
      found.addAll(readBySql(consumer, queue, terms));
    }

    assertThat(found).containsExactlyInAnyOrderElementsOf(IntStream.range(10, 20).mapToObj(n -> "m" + n).toList());
  }

  private static List<String> readBySql(DefaultMQPullConsumer consumer, MessageQueue queue, String expression) throws Exception {
    MessageSelector selector = MessageSelector.bySql(expression);
    Await.until("the client knows the broker's version", LIMIT, () -> knowsVersion(consumer, queue, selector));
    List<String> found = new ArrayList<>();
    long end = consumer.maxOffset(queue);
    for (long next = 0; next < end; ) {
      PullResult result = consumer.pull(queue, selector, next, 32);
      found.addAll(texts(result.getMsgFoundList() == null ? List.of() : result.getMsgFoundList()));
      next = result.getNextBeginOffset();
    }
    return found;
  }

  /** Until a heartbeat was answered, the client takes every broker for one that is too old for SQL. */
  private static boolean knowsVersion(DefaultMQPullConsumer consumer, MessageQueue queue, MessageSelector selector) throws Exception {
    try {
      consumer.pull(queue, selector, 0, 32);
      return true;
    } catch (MQClientException e) {
      assertThat(e).hasMessageContaining("does not upgrade");
      return false;
    }
  }

  private void startPush(String expression, MessageListenerConcurrently listener) throws Exception {
    DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
    consumer.subscribe(topic, MessageSelector.bySql(expression));
    clients.start(consumer, listener);
  }

  private void send(int from, int to) throws Exception {
    for (int n = from; n < to; n++) {
      Message message = new Message(topic, ("m" + n).getBytes(UTF_8));
      message.putUserProperty("n", Integer.toString(n));
      message.putUserProperty("kind", n % 2 == 0 ? "even" : "odd");
      clients.producer().send(message);
    }
  }

  private static MessageListenerConcurrently collectInto(Collection<MessageExt> consumed) {
    return (messages, context) -> {
      consumed.addAll(messages);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
  }

  private static List<String> texts(Collection<MessageExt> messages) {
    return messages.stream().map(message -> new String(message.getBody(), UTF_8)).toList();
  }
}
