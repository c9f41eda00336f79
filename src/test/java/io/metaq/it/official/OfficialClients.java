package io.metaq.it.official;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;

/**
 * Official clients as an application makes them, closed together at the end of a test. The only settings that differ from the
 * defaults shorten the client's own timers, so that what takes 30 s in an application takes 1 s here.
 */
public final class OfficialClients implements AutoCloseable {

  private static final int TIMER_MS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String TEMPLATE_TOPIC = "TBW102";

  private final String namesrv;
  private final Deque<Runnable> shutdowns = new ArrayDeque<>();
  private DefaultMQProducer producer;

  public OfficialClients(String namesrv) {
    this.namesrv = namesrv;
  }

  /** The producer of this test; it is started at first use, and then a broker is known that makes topics. */
  public DefaultMQProducer producer() throws Exception {
    if (producer == null) {
      producer = prepared(new DefaultMQProducer(Queues.freshName("producers")));
      producer.setSendMsgTimeout(10_000);
      producer.start();
      shutdowns.push(producer::shutdown);
      awaitTemplate(producer);
    }
    return producer;
  }

  private static void awaitTemplate(DefaultMQProducer producer) throws Exception {
    Await.until("a broker that makes topics", LIMIT, () -> {
      try {
        return !producer.fetchPublishMessageQueues(TEMPLATE_TOPIC).isEmpty();
      } catch (MQClientException notYet) {
        return false;
      }
    });
  }

  /** A started producer of transactions; a broker is known that makes topics. */
  public TransactionMQProducer transactionProducer(String group, TransactionListener listener) throws Exception {
    TransactionMQProducer transactions = prepared(new TransactionMQProducer(group));
    transactions.setSendMsgTimeout(10_000);
    transactions.setTransactionListener(listener);
    transactions.start();
    shutdowns.push(transactions::shutdown);
    awaitTemplate(transactions);
    return transactions;
  }

  /** A push consumer that begins with the first message; the caller sets what it needs, then starts it with a listener. */
  public DefaultMQPushConsumer pushConsumer(String group, String topic, String expression) throws Exception {
    DefaultMQPushConsumer consumer = prepared(new DefaultMQPushConsumer(group));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, expression);
    return consumer;
  }

  public void start(DefaultMQPushConsumer consumer, MessageListenerConcurrently listener) throws Exception {
    consumer.registerMessageListener(listener);
    consumer.start();
    shutdowns.push(consumer::shutdown);
  }

  public void start(DefaultMQPushConsumer consumer, MessageListenerOrderly listener) throws Exception {
    consumer.registerMessageListener(listener);
    consumer.start();
    shutdowns.push(consumer::shutdown);
  }

  @SuppressWarnings("deprecation")
  public DefaultMQPullConsumer pullConsumer(String group) throws Exception {
    DefaultMQPullConsumer consumer = prepared(new DefaultMQPullConsumer(group));
    consumer.start();
    shutdowns.push(consumer::shutdown);
    return consumer;
  }

  /** A lite pull consumer that is not started yet. */
  public DefaultLitePullConsumer litePullConsumer(String group) {
    DefaultLitePullConsumer consumer = prepared(new DefaultLitePullConsumer(group));
    consumer.setAutoCommit(false);
    shutdowns.push(consumer::shutdown);
    return consumer;
  }

  /** All messages of a topic, queue by queue, once the topic is there and there are {@code count}. */
  public List<MessageExt> readAll(String topic, int count) throws Exception {
    DefaultMQPullConsumer consumer = pullConsumer(Queues.freshName("readers"));
    List<MessageExt> found = new ArrayList<>();
    Await.until(count + " messages in " + topic, LIMIT, () -> {
      found.clear();
      try {
        for (MessageQueue queue : queues(consumer, topic)) {
          found.addAll(readQueue(consumer, queue));
        }
      } catch (MQClientException | RemotingException outOfReach) {
        // A broker that has just come back may not be in the route, or known by a connection that has ended.
        return false;
      }
      return found.size() >= count;
    });
    return found;
  }

  /** The queues of a topic, in order, once its route is known. */
  public List<MessageQueue> queues(String topic) throws Exception {
    DefaultMQPullConsumer consumer = pullConsumer(Queues.freshName("readers"));
    List<MessageQueue> queues = new ArrayList<>();
    Await.until("a route of " + topic, LIMIT, () -> queues.addAll(queues(consumer, topic)));
    return queues;
  }

  private static List<MessageQueue> queues(DefaultMQPullConsumer consumer, String topic) {
    try {
      return consumer.fetchSubscribeMessageQueues(topic).stream().sorted().toList();
    } catch (MQClientException e) {
      return List.of();
    }
  }

  private static List<MessageExt> readQueue(DefaultMQPullConsumer consumer, MessageQueue queue) throws Exception {
    List<MessageExt> found = new ArrayList<>();
    long end = consumer.maxOffset(queue);
    long next = consumer.minOffset(queue);
    while (next < end) {
      var result = consumer.pull(queue, "*", next, 32);
      if (result.getMsgFoundList() != null) {
        found.addAll(result.getMsgFoundList());
      }
      next = result.getNextBeginOffset();
    }
    return found;
  }

  private <C extends ClientConfig> C prepared(C client) {
    client.setNamesrvAddr(namesrv);
    client.setInstanceName(Queues.freshName("instance"));
    client.setPollNameServerInterval(TIMER_MS);
    client.setHeartbeatBrokerInterval(TIMER_MS);
    client.setPersistConsumerOffsetInterval(TIMER_MS);
    return client;
  }

  @Override
  public void close() {
    shutdowns.forEach(Runnable::run);
  }
}
