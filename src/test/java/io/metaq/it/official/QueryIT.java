package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Looking messages up by their ids and keys. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class QueryIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final Server server;
  private final OfficialClients clients;
  private final String topic = Queues.freshName("queried");

  QueryIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldViewAMessageByItsOffsetId() throws Exception {
    SendResult result = clients.producer().send(new Message(topic, "t", "k", "seen".getBytes(UTF_8)));

    MessageExt seen = clients.producer().viewMessage(topic, result.getOffsetMsgId());

    assertThat(new String(seen.getBody(), UTF_8)).isEqualTo("seen");
    assertThat(seen.getMsgId()).isEqualTo(result.getMsgId());
  }

  @Test
  void shouldViewAMessageByItsUniqueKey() throws Exception {
    SendResult result = clients.producer().send(new Message(topic, "t", "k", "unique".getBytes(UTF_8)));
    List<MessageExt> seen = new ArrayList<>();

    Await.until("the message in the index", LIMIT, () -> {
      try {
        return seen.add(clients.producer().viewMessage(topic, result.getMsgId()));
      } catch (MQClientException notYet) {
        return false;
      }
    });

    assertThat(new String(seen.get(0).getBody(), UTF_8)).isEqualTo("unique");
  }

  /** Tools begin to search by unique key at the time they read in it. */
  @Test
  void shouldGiveAMessageWithoutAKeyOneThatToolsReadTheTimeIn() throws Exception {
    try (RawClient raw = RawClient.connect(server.brokerPort())) {
      raw.call(Requests.send(topic, 0, "keyless"));
      String key = Queues.readFirst(raw, topic, 0, 1).get(0).properties().get("UNIQ_KEY");

      assertThat(MessageClientIDSetter.getNearlyTimeFromID(key)).isCloseTo(new Date(), LIMIT.toMillis());
    }
  }

  @Test
  void shouldFindMessagesByEachOfTheirKeys() throws Exception {
    long start = System.currentTimeMillis() - 1_000;
    for (int i = 0; i < 5; i++) {
      clients.producer().send(new Message(topic, "t", "order-" + i + " all", ("m" + i).getBytes(UTF_8)));
    }

    Await.until("five messages of the common key", LIMIT, () -> byKey("all", start).size() == 5);

    assertThat(byKey("order-3", start)).singleElement().extracting(message -> new String(message.getBody(), UTF_8)).isEqualTo("m3");
    assertThat(byKey("order-9", start)).isEmpty();
  }

  @Test
  void shouldSayThatAnIdNamesNoMessage() throws Exception {
    SendResult result = clients.producer().send(new Message(topic, "t", "k", "here".getBytes(UTF_8)));
    String nowhere = result.getOffsetMsgId().substring(0, 16) + "00000000FFFFFFFF";

    assertThatThrownBy(() -> clients.producer().viewMessage(topic, nowhere)).isInstanceOf(Exception.class);
  }

  private List<MessageExt> byKey(String key, long start) throws Exception {
    try {
      return clients.producer().queryMessage(topic, key, 32, start, System.currentTimeMillis() + 1_000).getMessageList();
    } catch (MQClientException none) {
      return List.of();
    }
  }
}
