package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Transactions;
import io.metaq.it.official.OfficialClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that begin at an official broker and end at ours, over the same store folder, and the other way round. */
class TransactionExchangeIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String TEMPLATE_TOPIC = "TBW102";
  private static final String GROUP = "transactions";
  private static final int LOG_FILE_SIZE = 256 * 1024;
  private static final int QUEUE_FILE_SIZE = 2_000;
  private static final int INDEX_SLOTS = 1_000;
  private static final int INDEX_ENTRIES = 4_000;
  private static final int SOON_MS = 500;
  private static final int NEVER_MS = 3_600_000;

  @TempDir
  private Path folder;

  /** The official broker notes ends up to three seconds late, so a rollback may be asked for; a commit is found. */
  @Test
  void shouldEndWhatWaitsInTheStoreOfAnOfficialBrokerThatWasKilled() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start()) {
      try (OfficialServer official = official(namesrv.namesrv(), NEVER_MS)) {
        begin(namesrv.namesrv(), "first");
        official.kill();
      }
      try (BrokerProcess ours = ours(namesrv.namesrv(), SOON_MS)) {
        assertThat(end(namesrv.namesrv(), "first")).contains("first waits").doesNotContain("first is committed");
        assertThat(ours.stop()).isZero();
      }
    }
  }

  @Test
  void shouldLeaveWaitingWhatAnOfficialBrokerEnds() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start()) {
      try (BrokerProcess ours = ours(namesrv.namesrv(), NEVER_MS)) {
        begin(namesrv.namesrv(), "second");
        assertThat(ours.stop()).isZero();
      }
      try (OfficialServer official = official(namesrv.namesrv(), SOON_MS)) {
        assertThat(end(namesrv.namesrv(), "second")).containsExactly("second waits");
        official.stop();
      }
    }
  }

  /** One transaction that is committed, one that is rolled back, one that is left waiting. */
  private static void begin(String namesrv, String topic) throws Exception {
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      clients.queues(TEMPLATE_TOPIC); // without its route a topic cannot be created by a send
      TransactionMQProducer producer = clients.transactionProducer(GROUP, new Producer());
      for (String what : new String[] {" is rolled back", " waits", " is committed"}) {
        producer.sendMessageInTransaction(new Message(topic, (topic + what).getBytes(UTF_8)), null);
      }
      assertThat(clients.readAll(topic, 1)).extracting(TransactionExchangeIT::text).containsExactly(topic + " is committed");
    }
  }

  /** Answers what is asked, until both messages are there; returns what was asked for. */
  private static Set<String> end(String namesrv, String topic) throws Exception {
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      clients.queues(TEMPLATE_TOPIC);
      Producer answers = new Producer();
      // A producer is known to the brokers it sends to.
      clients.transactionProducer(GROUP, answers).send(new Message(topic + "-other", "here I am".getBytes(UTF_8)));
      Await.until("a question for the one that waits", LIMIT, () -> answers.asked.contains(topic + " waits"));
      assertThat(clients.readAll(topic, 2)).extracting(TransactionExchangeIT::text)
          .containsExactlyInAnyOrder(topic + " is committed", topic + " waits");
      return answers.asked;
    }
  }

  private static String text(MessageExt message) {
    return new String(message.getBody(), UTF_8);
  }

  /** An official broker counts a question also where no producer is there to be asked: after the usual 15, 8 s, it would give up. */
  private OfficialServer official(String namesrv, int immunityMs) throws Exception {
    return OfficialServer.broker(folder, namesrv, """
        mappedFileSizeCommitLog=%d
        mappedFileSizeConsumeQueue=%d
        maxHashSlotNum=%d
        maxIndexNum=%d
        transactionTimeOut=%d
        transactionCheckInterval=%d
        transactionCheckMax=%d
        """.formatted(LOG_FILE_SIZE, QUEUE_FILE_SIZE, INDEX_SLOTS, INDEX_ENTRIES, immunityMs, SOON_MS, Transactions.MANY_CHECKS));
  }

  private BrokerProcess ours(String namesrv, int immunityMs) throws Exception {
    return Transactions.askOften(BrokerProcess.broker(folder.resolve("store"), namesrv), immunityMs, SOON_MS)
        .key("brokerName", "peer-broker").key("brokerClusterName", "PeerCluster")
        .key("mappedFileSizeCommitLog", LOG_FILE_SIZE).key("mappedFileSizeConsumeQueue", QUEUE_FILE_SIZE)
        .key("maxHashSlotNum", INDEX_SLOTS).key("maxIndexNum", INDEX_ENTRIES).start();
  }

  private static final class Producer implements TransactionListener {
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    @Override
    public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
      String body = new String(message.getBody(), UTF_8);
      if (body.endsWith("waits")) {
        return LocalTransactionState.UNKNOW;
      }
      return body.endsWith("committed") ? LocalTransactionState.COMMIT_MESSAGE : LocalTransactionState.ROLLBACK_MESSAGE;
    }

    @Override
    public LocalTransactionState checkLocalTransaction(MessageExt message) {
      asked.add(text(message));
      return text(message).endsWith("rolled back") ? LocalTransactionState.ROLLBACK_MESSAGE : LocalTransactionState.COMMIT_MESSAGE;
    }
  }
}
