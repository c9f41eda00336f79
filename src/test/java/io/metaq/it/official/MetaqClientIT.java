package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.ClientChild;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.metaq.it.Transactions;
import java.nio.file.Path;
import java.util.List;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.utils.MessageUtil;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MetaQ's client and official ones with each other, through MetaQ's broker. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class MetaqClientIT {
  private static final long TIMEOUT_MS = 40_000;
  private static final String LONG = "so much of the same. ".repeat(2_000);

  private final Server server;
  private final OfficialClients clients;
  private final String topic = Queues.freshName("mixed");

  @TempDir private Path data;

  MetaqClientIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldAnswerARequestOfAnOfficialClient() throws Exception {
    try (ClientChild ours = ClientChild.start(ClientChild.ANSWER, server.namesrv(), topic, "")) {
      ours.await("ready");

      Message small = clients.producer().request(new Message(topic, "ping".getBytes(UTF_8)), TIMEOUT_MS);
      Message large = clients.producer().request(new Message(topic, LONG.getBytes(UTF_8)), TIMEOUT_MS);

      assertThat(new String(small.getBody(), UTF_8)).isEqualTo("reply to ping");
      assertThat(small.getUserProperty("own")).isEqualTo("kept");
      assertThat(new String(large.getBody(), UTF_8)).isEqualTo("reply to " + LONG);
    }
  }

  @Test
  void shouldGetTheAnswerOfAnOfficialClient() throws Exception {
    DefaultMQProducer producer = clients.producer();
    producer.send(new Message(topic, "makes the topic".getBytes(UTF_8)));
    clients.start(clients.pushConsumer(Queues.freshName("repliers"), topic, "*"), (MessageListenerConcurrently) (messages, context) -> {
      messages.forEach(message -> reply(producer, message));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });

    try (ClientChild small = ClientChild.start(ClientChild.ASK, server.namesrv(), topic, "ping");
        ClientChild large = ClientChild.start(ClientChild.ASK, server.namesrv(), topic, LONG)) {
      small.await("reply to ping");
      large.await("reply to " + LONG);
    }
  }

  @Test
  void shouldDeliverToAnOfficialClientWhatItSendsTogetherAndCompressed() throws Exception {
    try (ClientChild ours = ClientChild.start(ClientChild.SEND, server.namesrv(), topic, "")) {
      ours.await("ready");

      List<MessageExt> read = clients.readAll(topic, 101);

      assertThat(read).filteredOn(message -> message.getBody().length > 100).singleElement()
          .satisfies(message -> assertThat(new String(message.getBody(), UTF_8)).isEqualTo("long ".repeat(2000)));
      List<MessageExt> batched = read.stream().filter(message -> message.getBody().length < 100).toList();
      assertThat(batched).hasSize(100).allSatisfy(message -> {
        String number = new String(message.getBody(), UTF_8).substring(1);
        assertThat(message.getKeys()).isEqualTo("k" + number);
        assertThat(message.getTags()).isEqualTo("t" + Integer.parseInt(number) % 2);
        assertThat(message.getUserProperty("own")).isEqualTo("v" + number);
        assertThat(ours.lines()).anyMatch(line -> line.startsWith(message.getMsgId() + " "));
      });
      String offsetId = ours.lines().get(0).split(" ")[1];
      assertThat(clients.producer().viewMessage(topic, offsetId).getMsgId()).isEqualTo(ours.lines().get(0).split(" ")[0]);
    }
  }

  /** Clients before RocketMQ 5 write zlib whatever is set. */
  @ParameterizedTest
  @ValueSource(strings = {"ZLIB", "LZ4", "ZSTD"})
  void shouldReadWhatAnOfficialClientCompresses(String format) throws Exception {
    System.setProperty("rocketmq.message.compressType", format);
    try {
      clients.producer().send(new Message(topic, LONG.getBytes(UTF_8)));
    } finally {
      System.clearProperty("rocketmq.message.compressType");
    }

    try (ClientChild ours = ClientChild.start(ClientChild.READ, server.namesrv(), topic, "")) {
      ours.await(LONG);
    }
  }

  @Test
  void shouldDoTransactionsThatOfficialConsumersSeeTheEndOf() throws Exception {
    try (BrokerProcess broker = Transactions.askOften(BrokerProcess.standalone(data), 500, 500).start();
        OfficialClients readers = new OfficialClients(broker.namesrv());
        ClientChild ours = ClientChild.start(ClientChild.TRANSACTIONS, broker.namesrv(), topic, Queues.freshName("payers"))) {
      ours.await("asked commit later");
      ours.await("asked rollback later");

      assertThat(readers.readAll(topic, 2)).extracting(message -> new String(message.getBody(), UTF_8))
          .containsExactlyInAnyOrder("commit now", "commit later");
      assertThat(ours.lines()).contains("commit now confirmed", "rollback now confirmed", "commit later open", "rollback later open")
          .doesNotContain("asked commit now", "asked rollback now");
    }
  }

  private static void reply(DefaultMQProducer producer, MessageExt message) {
    try {
      if (message.getProperty("REPLY_TO_CLIENT") != null) {
        producer.send(MessageUtil.createReplyMessage(message, ("reply to " + new String(message.getBody(), UTF_8)).getBytes(UTF_8)), 10_000);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
