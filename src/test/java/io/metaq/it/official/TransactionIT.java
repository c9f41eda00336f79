package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Transactions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.client.producer.TransactionSendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Transactions as an application does them, with a broker that asks soon. */
@Execution(ExecutionMode.CONCURRENT)
class TransactionIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int IMMUNITY_MS = 500;
  private static final int CHECK_INTERVAL_MS = 500;

  @TempDir
  private Path data;
  private final String topic = Queues.freshName("orders");
  private final String group = Queues.freshName("transactions");
  private final Decisions decisions = new Decisions();

  @BeforeEach
  void onlyOurs() {
    assumeTrue(System.getProperty("metaq.it.namesrv") == null, "needs a server of its own");
  }

  @Test
  void shouldDeliverWhatIsCommittedAtOnceOrWhenTheBrokerAsks() throws Exception {
    try (BrokerProcess broker = start(); OfficialClients clients = new OfficialClients(broker.namesrv())) {
      TransactionMQProducer producer = clients.transactionProducer(group, decisions);

      TransactionSendResult committed = send(producer, "commit now");
      send(producer, "rollback now");
      send(producer, "commit later");
      send(producer, "rollback later");

      assertThat(committed.getSendStatus()).isEqualTo(SendStatus.SEND_OK);
      assertThat(committed.getTransactionId()).isEqualTo(committed.getMsgId());
      Await.until("both undecided ones were asked for", LIMIT,
          () -> decisions.asked.keySet().containsAll(Set.of("commit later", "rollback later")));
      assertThat(clients.readAll(topic, 2)).extracting(message -> new String(message.getBody(), UTF_8))
          .containsExactlyInAnyOrder("commit now", "commit later");
      assertThat(decisions.asked).doesNotContainKeys("commit now", "rollback now");
      assertThat(decisions.asked.get("commit later").getTopic()).isEqualTo(topic);
      assertThat(decisions.asked.get("commit later").getProperty("TRANSACTION_CHECK_TIMES")).isNotBlank();
    }
  }

  @Test
  void shouldAskAgainAfterAKillForWhatWasNotDecidedAndForNothingElse() throws Exception {
    try (BrokerProcess broker = start(); OfficialClients clients = new OfficialClients(broker.namesrv())) {
      TransactionMQProducer producer = clients.transactionProducer(group, decisions);
      send(producer, "commit now");
      send(producer, "rollback now");
      send(producer, "ask 1");
      send(producer, "ask 2");
      Await.until("one was asked for", LIMIT, () -> !decisions.asked.isEmpty());

      broker.kill();
      decisions.decided = true;
      broker.startAgain();

      assertThat(clients.readAll(topic, 3)).extracting(message -> new String(message.getBody(), UTF_8))
          .containsExactlyInAnyOrder("commit now", "ask 1", "ask 2");
      assertThat(decisions.asked).containsOnlyKeys("ask 1", "ask 2");
    }
  }

  @Test
  void shouldGoOnBehindAPoisonedHalfMessage() throws Exception {
    try (BrokerProcess broker = start(); OfficialClients clients = new OfficialClients(broker.namesrv());
        RawClient raw = RawClient.connect(broker.brokerPort())) {
      Transactions.half(raw, Transactions.send("", topic, 0, "nobody to ask", Map.of()), "", "nobody to ask");
      Transactions.half(raw, Transactions.send("gone", topic, 0, "nobody there", Map.of()), "gone", "nobody there");
      Transactions.half(raw, Transactions.send(group, topic, 0, "long", Map.of("p", "x".repeat(32_500))), group, "long");
      TransactionMQProducer producer = clients.transactionProducer(group, decisions);

      send(producer, "commit later");

      assertThat(clients.readAll(topic, 1)).extracting(message -> new String(message.getBody(), UTF_8)).containsExactly("commit later");
    }
  }

  private BrokerProcess start() throws Exception {
    return Transactions.askOften(BrokerProcess.standalone(data), IMMUNITY_MS, CHECK_INTERVAL_MS).start();
  }

  private TransactionSendResult send(TransactionMQProducer producer, String body) throws Exception {
    Message message = new Message(topic, body.getBytes(UTF_8));
    if (body.endsWith("now")) {
      // However long the way of its verdict takes, nobody is to ask meanwhile.
      message.putUserProperty("CHECK_IMMUNITY_TIME_IN_SECONDS", "600");
    }
    return producer.sendMessageInTransaction(message, null);
  }

  /** Decides by the body: now, when asked, or not before {@link #decided}. */
  private static final class Decisions implements TransactionListener {
    private final Map<String, MessageExt> asked = new ConcurrentHashMap<>();
    private volatile boolean decided;

    @Override
    public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
      return switch (new String(message.getBody(), UTF_8)) {
        case "commit now" -> LocalTransactionState.COMMIT_MESSAGE;
        case "rollback now" -> LocalTransactionState.ROLLBACK_MESSAGE;
        default -> LocalTransactionState.UNKNOW;
      };
    }

    @Override
    public LocalTransactionState checkLocalTransaction(MessageExt message) {
      String body = new String(message.getBody(), UTF_8);
      asked.put(body, message);
      return switch (body) {
        case "commit later" -> LocalTransactionState.COMMIT_MESSAGE;
        case "rollback later" -> LocalTransactionState.ROLLBACK_MESSAGE;
        case "ask 1", "ask 2" -> decided ? LocalTransactionState.COMMIT_MESSAGE : LocalTransactionState.UNKNOW;
        default -> LocalTransactionState.ROLLBACK_MESSAGE;
      };
    }
  }
}
