package io.metaq.codec.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.remoting.ClientBodies.ClientData;
import io.metaq.codec.remoting.ClientBodies.ConfigData;
import io.metaq.codec.remoting.ClientBodies.ConsumerData;
import io.metaq.codec.remoting.ClientBodies.LockData;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import io.metaq.model.Subscription;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientBodiesTest {
  /** A heartbeat as official clients send it, with a tag filter. */
  private static final String HEARTBEAT = "{\"clientID\":\"10.0.0.9@4711#123\",\"heartbeatFingerprint\":5,\"withoutSub\":true,"
      + "\"producerDataSet\":[{\"groupName\":\"CLIENT_INNER_PRODUCER\"},{\"groupName\":\"pg\"}],"
      + "\"consumerDataSet\":[{\"groupName\":\"cg\",\"consumeType\":\"CONSUME_PASSIVELY\",\"messageModel\":\"BROADCASTING\","
      + "\"consumeFromWhere\":\"CONSUME_FROM_FIRST_OFFSET\",\"unitMode\":true,\"subscriptionDataSet\":[{\"classFilterMode\":false,"
      + "\"codeSet\":[65,66],\"expressionType\":\"TAG\",\"subString\":\"A||B\",\"subVersion\":1700000000000,\"tagsSet\":[\"A\",\"B\"],"
      + "\"topic\":\"T\"}]}]}";

  @Test
  void shouldReadAHeartbeat() {
    ClientData data = ClientBodies.heartbeat(bytes(HEARTBEAT));

    assertThat(data).isEqualTo(new ClientData("10.0.0.9@4711#123", 5, true, List.of("CLIENT_INNER_PRODUCER", "pg"),
        List.of(new ConsumerData("cg", "CONSUME_PASSIVELY", "BROADCASTING", "CONSUME_FROM_FIRST_OFFSET", true,
            List.of(new Subscription("T", "A||B", "TAG", Set.of("A", "B"), Set.of(65, 66), 1_700_000_000_000L))))));
  }

  @Test
  void shouldTolerateWhatItDoesNotKnowInAHeartbeat() {
    ClientData data = ClientBodies.heartbeat(bytes("{\"new\":{0:[1]},\"clientID\":\"c\",\"producerDataSet\":null,\"consumerDataSet\":[null,"
        + "{\"groupName\":\"g\",\"subscriptionDataSet\":[{\"topic\":\"T\",\"subVersion\":\"7\",\"filterClassSource\":null}]}]}"));

    assertThat(data.producerGroups()).isEmpty();
    assertThat(data.consumers()).hasSize(1);
    assertThat(data.consumers().get(0).subscriptions().get(0))
        .isEqualTo(new Subscription("T", "*", "TAG", Set.of(), Set.of(), 7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "null", "{}", "{\"clientID\":\"c\",\"consumerDataSet\":{}}",
      "{\"clientID\":\"c\",\"consumerDataSet\":[{}]}", "{\"clientID\":\"c\",\"heartbeatFingerprint\":\"x\"}",
      "{\"clientID\":\"c\",\"heartbeatFingerprint\":3000000000}", "{\"clientID\":{\"a\":1}}", "{\"clientID\":\"c\",\"producerDataSet\":[1]}"})
  void shouldRefuseAHeartbeatThatMakesNoSense(String body) {
    assertThatThrownBy(() -> ClientBodies.heartbeat(bytes(body))).isInstanceOf(HeaderException.class);
  }

  @Test
  void shouldReadALockRequest() {
    LockData data = ClientBodies.locks(bytes("{\"clientId\":\"c\",\"consumerGroup\":\"cg\",\"mqSet\":[{\"brokerName\":\"b0\",\"queueId\":3,"
        + "\"topic\":\"T\"}],\"onlyThisBroker\":false}"));

    assertThat(data).isEqualTo(new LockData("c", "cg", List.of(new QueueRef("T", "b0", 3))));
  }

  @Test
  void shouldReadAClientConfiguration() {
    ConfigData data = ClientBodies.clientConfig(bytes(
        "{\"clientId\":\"c\",\"group\":\"cg\",\"namespace\":\"n\",\"subscriptionData\":{\"topic\":\"T\",\"subString\":\"a > 1\","
            + "\"expressionType\":\"SQL92\",\"codeSet\":[],\"tagsSet\":[],\"subVersion\":1}}"));

    assertThat(data.subscription()).contains(new Subscription("T", "a > 1", "SQL92", Set.of(), Set.of(), 1));
    assertThat(ClientBodies.clientConfig(new byte[0]).subscription()).isEmpty();
  }

  @Test
  void shouldWriteTheAnswers() {
    assertThat(text(ClientBodies.consumerIds(List.of("10.0.0.9@1#2", "10.0.0.8@3#4"))))
        .isEqualTo("{\"consumerIdList\":[\"10.0.0.9@1#2\",\"10.0.0.8@3#4\"]}");
    assertThat(text(ClientBodies.locked(List.of(new QueueRef("T", "b0", 0), new QueueRef("T", "b0", 1)))))
        .isEqualTo("{\"lockOKMQSet\":[{\"brokerName\":\"b0\",\"queueId\":0,\"topic\":\"T\"},"
            + "{\"brokerName\":\"b0\",\"queueId\":1,\"topic\":\"T\"}]}");
    assertThat(text(ClientBodies.locked(List.of()))).isEqualTo("{\"lockOKMQSet\":[]}");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
