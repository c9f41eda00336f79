package io.metaq.it.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that must create nothing: neither a topic nor, worse, a folder. */
@ExtendWith(SharedServer.class)
class TopicNameIT {

  private static final int NO_PERMISSION = 16;
  private static final int TOPIC_NOT_EXIST = 17;
  private static final int INVALID_PARAMETER = 29;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int LONGEST = 127;

  private final Server server;

  TopicNameIT(Server server) {
    this.server = server;
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "a/b", "a b", "a.b", "a\\b", "a\u0000b", "t\u00f6pic", "a:b", "..", ".", "a\nb", " ", ""})
  void shouldRefuseIllegalNamesAndCreateNothing(String topic) throws Exception {
    assertThat(sent(topic).code()).isEqualTo(INVALID_PARAMETER);
    assertNoRoute(topic);
  }

  @Test
  void shouldAcceptThe127thByteAndRefuseThe128th() throws Exception {
    String stem = Queues.freshName("long");
    String longest = stem + "x".repeat(LONGEST - stem.length());

    assertThat(sent(longest).code()).isZero();
    assertThat(sent(longest + "x").code()).isEqualTo(INVALID_PARAMETER);
    assertNoRoute(longest + "x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SCHEDULE_TOPIC_XXXX", "RMQ_SYS_TRANS_HALF_TOPIC", "RMQ_SYS_TRANS_OP_HALF_TOPIC",
      "TRANS_CHECK_MAX_TIME_TOPIC", "SELF_TEST_TOPIC", "OFFSET_MOVED_EVENT"})
  void shouldKeepSystemTopicsForTheSystem(String topic) throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      // The broker's own work goes on meanwhile: half messages of other tests are asked for, and stored anew.
      Await.until("a refused message that adds nothing", LIMIT, () -> {
        long before = client.call(Requests.maxOffset(topic, 0)).number("offset");
        RawFrame answer = client.call(Requests.send(topic, 0, "m"));

        assertThat(answer.code()).isEqualTo(NO_PERMISSION);
        return client.call(Requests.maxOffset(topic, 0)).number("offset") == before;
      });
    }
  }

  @Test
  void shouldRefuseAnUnknownTopicWithoutATemplate() throws Exception {
    String topic = Queues.freshName("untemplated");

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      RawFrame answer = client.call(Requests.send(topic, 0, "m").ext("c", "no-such-template"));

      assertThat(answer.code()).isEqualTo(TOPIC_NOT_EXIST);
      assertNoRoute(topic);
    }
  }

  private RawFrame sent(String topic) throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      return client.call(Requests.send(topic, 0, "m"));
    }
  }

  private void assertNoRoute(String topic) throws Exception {
    try (RawClient client = RawClient.connect(server.namesrvPort())) {
      assertThat(client.call(Requests.route(topic)).code()).isNotZero();
    }
  }
}
