package io.metaq.it.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is not served yet is refused in words, and never stored as if it were an ordinary message. */
@ExtendWith(SharedServer.class)
class LaterFeatureIT {

  private static final int SYSTEM_ERROR = 1;

  private final Server server;
  private final String topic = Queues.freshName("later");

  LaterFeatureIT(Server server) {
    this.server = server;
  }

  @BeforeEach
  void onlyOurs() {
    assumeTrue(server.isMetaq(), "the reference serves these");
  }

  @ParameterizedTest
  @CsvSource({"TIMER_DELAY_SEC, 5", "TIMER_DELAY_MS, 5000", "TIMER_DELIVER_MS, 99999999999999"})
  void shouldRefuseTimerMessages(String property, String value) throws Exception {
    assertRefused(Requests.send(topic, 0, "timed".getBytes(UTF_8), Map.of(property, value)), SYSTEM_ERROR);
    assertRefused(Requests.send(topic, 0, "timed".getBytes(UTF_8), Map.of(property, value, "DELAY", "0")), SYSTEM_ERROR);
  }

  private void assertRefused(RawFrame request, int code) throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      RawFrame answer = client.call(request);

      assertThat(answer.code()).as(answer.toString()).isEqualTo(code);
      assertThat(answer.remark()).isNotBlank();
      String other = Queues.freshName("later");
      assertThat(client.call(Requests.send(other, 0, "the first of its topic")).code()).isZero();
      Queues.readFirst(client, other, 0, 1);
      for (int queueId = 0; queueId < 4; queueId++) {
        assertThat(client.call(Requests.maxOffset(topic, queueId)).number("offset")).isZero();
      }
    }
  }
}
