package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Messages with a time of their own as an application sends them; the older client sets the properties that the newer one's
 * methods set.
 */
@Execution(ExecutionMode.CONCURRENT)
class TimerIT {

  private static final int MESSAGE_ILLEGAL = 13;
  private static final int ILLEGAL_OPERATION = 604;
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int FORTY_DAYS_S = 40 * 86_400;

  @TempDir
  private Path data;
  private final String topic = Queues.freshName("timed");

  @BeforeEach
  void onlyOurs() {
    assumeTrue(System.getProperty("metaq.it.namesrv") == null, "needs a server of its own");
  }

  @Test
  void shouldDeliverEachMessageOnceAndNotBeforeItsTime() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start(); OfficialClients clients = new OfficialClients(broker.namesrv())) {
      Map<String, Long> earliestMs = new HashMap<>();
      for (int i = 0; i < 20; i++) {
        long inMs = 1_000 + 130 * i;
        earliestMs.put("ms" + i, send(clients, "ms" + i, "TIMER_DELAY_MS", inMs) + inMs);
      }
      earliestMs.put("seconds", send(clients, "seconds", "TIMER_DELAY_SEC", 2) + 2_000);
      long atMs = System.currentTimeMillis() + 2_345;
      send(clients, "moment", "TIMER_DELIVER_MS", atMs);
      earliestMs.put("moment", atMs);
      earliestMs.put("past", send(clients, "past", "TIMER_DELIVER_MS", 1));

      List<MessageExt> delivered = clients.readAll(topic, earliestMs.size());

      assertThat(delivered).extracting(TimerIT::text).containsExactlyInAnyOrderElementsOf(earliestMs.keySet());
      assertThat(delivered).allMatch(message -> message.getStoreTimestamp() >= earliestMs.get(text(message)));
      assertThat(delivered).allMatch(message -> message.getTopic().equals(topic) && message.getTags().equals("tag"));
    }
  }

  @Test
  void shouldDeliverWhatIsCommittedAtItsTime() throws Exception {
    assumeTrue(recall().isEmpty(), "clients of the fifth generation refuse to send it");
    try (BrokerProcess broker = BrokerProcess.standalone(data).start(); OfficialClients clients = new OfficialClients(broker.namesrv())) {
      Message message = timed("committed", "TIMER_DELAY_MS", 1_500);
      long beforeMs = System.currentTimeMillis();
      clients.transactionProducer(Queues.freshName("transactions"), new Commits()).sendMessageInTransaction(message, null);

      List<MessageExt> delivered = clients.readAll(topic, 1);

      assertThat(delivered).singleElement().extracting(TimerIT::text).isEqualTo("committed");
      assertThat(delivered.get(0).getStoreTimestamp()).isGreaterThanOrEqualTo(beforeMs + 1_500);
    }
  }

  @Test
  void shouldRefuseWhatIsBeyondTheMaximumAndTakeFortyDaysWhereTheyAreAllowed() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start(); OfficialClients clients = new OfficialClients(broker.namesrv())) {
      assertThatThrownBy(() -> clients.producer().send(timed("far", "TIMER_DELAY_SEC", FORTY_DAYS_S)))
          .satisfies(thrown -> assertThat(brokerCode(thrown)).isEqualTo(MESSAGE_ILLEGAL));
      assertThat(broker.stop()).isZero();

      broker.startAgainWith("timerMaxDelaySec", FORTY_DAYS_S);

      Await.until("it is taken", LIMIT, () -> {
        try {
          return !clients.producer().send(timed("far", "TIMER_DELAY_SEC", FORTY_DAYS_S)).getMsgId().isEmpty();
        } catch (MQClientException notBackYet) {
          assertThat(notBackYet.getResponseCode()).isNotEqualTo(MESSAGE_ILLEGAL);
          return false;
        }
      });
    }
  }

  @Test
  void shouldNotDeliverWhatItsProducerTakesBack() throws Exception {
    Optional<Method> recall = recall();
    assumeTrue(recall.isPresent(), "clients of the fourth generation cannot");
    try (BrokerProcess broker = BrokerProcess.standalone(data).key("recallMessageEnable", true).start();
        OfficialClients clients = new OfficialClients(broker.namesrv())) {
      SendResult back = clients.producer().send(timed("back", "TIMER_DELAY_MS", 6_000));
      clients.producer().send(timed("stays", "TIMER_DELAY_MS", 6_000));
      clients.producer().send(timed("after", "TIMER_DELAY_MS", 8_000));
      String handle = (String) SendResult.class.getMethod("getRecallHandle").invoke(back);

      Object id = recall.get().invoke(clients.producer(), topic, handle);

      assertThat(id).isEqualTo(back.getMsgId());
      List<MessageExt> delivered = clients.readAll(topic, 2);
      assertThat(delivered).extracting(TimerIT::text).containsExactlyInAnyOrder("stays", "after");
      assertThatThrownBy(() -> recall.get().invoke(clients.producer(), topic, handle)).isInstanceOf(InvocationTargetException.class)
          .satisfies(thrown -> assertThat(brokerCode(thrown)).isEqualTo(ILLEGAL_OPERATION));
    }
  }

  /** The method that takes a message back; empty in clients of the fourth generation. */
  private static Optional<Method> recall() {
    return Arrays.stream(DefaultMQProducer.class.getMethods()).filter(method -> method.getName().equals("recallMessage")).findFirst();
  }

  /** Sends one message and returns the time just before. */
  private long send(OfficialClients clients, String body, String property, long value) throws Exception {
    long beforeMs = System.currentTimeMillis();
    clients.producer().send(timed(body, property, value));
    return beforeMs;
  }

  private Message timed(String body, String property, long value) {
    Message message = new Message(topic, "tag", body.getBytes(UTF_8));
    MessageAccessor.putProperty(message, property, Long.toString(value));
    return message;
  }

  private static String text(MessageExt message) {
    return new String(message.getBody(), UTF_8);
  }

  /** The code with which the broker refused. */
  private static int brokerCode(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof MQBrokerException refused) {
        return refused.getResponseCode();
      }
      if (cause instanceof MQClientException failed && failed.getResponseCode() > 0) {
        return failed.getResponseCode();
      }
    }
    throw new AssertionError("no refusal of the broker", thrown);
  }

  private static final class Commits implements TransactionListener {
    @Override
    public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
      return LocalTransactionState.COMMIT_MESSAGE;
    }

    @Override
    public LocalTransactionState checkLocalTransaction(MessageExt message) {
      return LocalTransactionState.COMMIT_MESSAGE;
    }
  }
}
