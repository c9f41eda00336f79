package io.metaq.it.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pulls at every position relative to the queue: the code, and where the client is told to go on. */
@ExtendWith(SharedServer.class)
class PullOffsetIT {

  private static final int TOPIC_NOT_EXIST = 17;
  private static final int INVALID_PARAMETER = 29;

  private final Server server;
  private final String topic = Queues.freshName("offsets");

  PullOffsetIT(Server server) {
    this.server = server;
  }

  @ParameterizedTest(name = "pull at {0} of 3 messages")
  @CsvSource({"-1, 21, 0", "0, 0, 3", "1, 0, 3", "2, 0, 3", "3, 19, 3", "4, 21, 3", "9223372036854775807, 21, 3",
      "-9223372036854775808, 21, 0"})
  void shouldAnswerCodeAndNextOffset(long queueOffset, int code, long nextOffset) throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      for (int i = 0; i < 3; i++) {
        client.call(Requests.send(topic, 0, "m" + i));
      }
      Queues.readFirst(client, topic, 0, 3);

      RawFrame answer = client.call(Requests.pull(topic, 0, queueOffset, 32, 0));

      assertThat(answer.code()).isEqualTo(code);
      assertThat(answer.number("nextBeginOffset")).isEqualTo(nextOffset);
      assertThat(answer.number("minOffset")).isZero();
      assertThat(answer.number("maxOffset")).isEqualTo(3);
      assertThat(answer.number("suggestWhichBrokerId")).isZero();
    }
  }

  @ParameterizedTest(name = "pull at {0} of an empty queue")
  @CsvSource({"0, 19", "5, 21", "-1, 21"})
  void shouldAnswerForAQueueThatNeverHadAMessage(long queueOffset, int code) throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.call(Requests.send(topic, 0, "creates the topic"));

      RawFrame answer = client.call(Requests.pull(topic, 3, queueOffset, 32, 0));

      assertThat(answer.code()).isEqualTo(code);
      assertThat(answer.number("nextBeginOffset")).isZero();
      assertThat(answer.number("maxOffset")).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4, Integer.MAX_VALUE})
  void shouldRefuseAQueueIdOutOfRange(int queueId) throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.call(Requests.send(topic, 0, "creates the topic with 4 queues"));

      assertThat(client.call(Requests.pull(topic, queueId, 0, 32, 0)).code()).isEqualTo(INVALID_PARAMETER);
    }
  }

  @Test
  void shouldRefuseAnUnknownTopic() throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      assertThat(client.call(Requests.pull(topic, 0, 0, 32, 0)).code()).isEqualTo(TOPIC_NOT_EXIST);
    }
  }

  @Test
  void shouldGiveNoMoreMessagesThanAskedFor() throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      for (int i = 0; i < 10; i++) {
        client.call(Requests.send(topic, 0, "m" + i));
      }
      Queues.readFirst(client, topic, 0, 10);

      RawFrame answer = client.call(Requests.pull(topic, 0, 2, 3, 0));

      assertThat(answer.number("nextBeginOffset")).isEqualTo(5);
    }
  }

  @Test
  void shouldSayThatNothingMatchedAndWhereToGoOn() throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      for (int i = 0; i < 3; i++) {
        client.call(Requests.send(topic, 0, new byte[] {1}, "TAGS\u0001red\u0002"));
      }
      Queues.readFirst(client, topic, 0, 3);

      RawFrame answer = client.call(Requests.pull(topic, 0, 0, 32, 0).ext("subscription", "blue"));

      assertThat(answer.code()).isEqualTo(20);
      assertThat(answer.number("nextBeginOffset")).isEqualTo(3);
    }
  }
}
