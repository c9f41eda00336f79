package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Properties of every kind, on single messages and in batches. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class PropertiesIT {

  private final OfficialClients clients;
  private final String topic = Queues.freshName("properties");

  PropertiesIT(Server server) {
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldCarryPropertiesOfEveryKind() throws Exception {
    Map<String, String> properties = ofEveryKind();

    clients.producer().send(with(properties, "single"));
    MessageExt read = clients.readAll(topic, 1).get(0);

    assertThat(read.getProperties()).containsAllEntriesOf(properties);
    assertThat(read.getProperties()).containsEntry("MSG_REGION", "DefaultRegion").containsEntry("TRACE_ON", "true");
  }

  @Test
  void shouldCarryThemInABatch() throws Exception {
    Map<String, String> properties = ofEveryKind();

    clients.producer().send(List.of(with(properties, "first"), with(Map.of("only", "here"), "second")));
    List<MessageExt> read = clients.readAll(topic, 2);

    assertThat(read.get(0).getProperties()).containsAllEntriesOf(properties);
    assertThat(read.get(1).getProperties()).containsEntry("only", "here").doesNotContainKey("umlaut");
  }

  @Test
  void shouldEndAPropertyWhereItHoldsASeparator() throws Exception {
    Message message = new Message(topic, "split".getBytes(UTF_8));
    message.putUserProperty("cut", "before\u0002after\u0001told");

    clients.producer().send(message);
    MessageExt read = clients.readAll(topic, 1).get(0);

    assertThat(read.getProperties()).containsEntry("cut", "before").containsEntry("after", "told");
  }

  @Test
  void shouldRefuseMoreThanARecordCanHold() {
    Message message = new Message(topic, "too much".getBytes(UTF_8));
    message.putUserProperty("long", "x".repeat(32_767));

    assertThatThrownBy(() -> clients.producer().send(message)).isInstanceOfSatisfying(MQBrokerException.class, refused -> {
      assertThat(refused.getResponseCode()).isEqualTo(13);
      assertThat(refused.getErrorMessage()).contains("32767");
    });
  }

  private Message with(Map<String, String> properties, String body) {
    Message message = new Message(topic, body.getBytes(UTF_8));
    properties.forEach((name, value) -> MessageAccessor.putProperty(message, name, value));
    return message;
  }

  /** Also names that the client keeps for itself, set past its check. */
  private static Map<String, String> ofEveryKind() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("umlaut", "Gr\u00fc\u00dfe");
    properties.put("\u540d\u524d", "\u65e5\u672c\u8a9e \ud83d\udc4d");
    properties.put("blank", " ");
    properties.put("name with blanks", "a b  c");
    properties.put("quotes", "\"'\\ {}[]:,;=\n\t");
    properties.put("long", "y".repeat(20_000));
    properties.put("KEYS", "one two");
    properties.put("TAGS", "tag");
    properties.put("BUYER_ID", "b");
    properties.put("INSTANCE_ID", "i");
    properties.put("__SHARDINGKEY", "s");
    properties.put("CORRELATION_ID", "c");
    properties.put("RETRY_TOPIC", "somewhere");
    properties.put("PGROUP", "p");
    return properties;
  }
}
