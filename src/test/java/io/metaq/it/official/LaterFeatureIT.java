package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an application sees when it uses what is not served yet: an exception that says so. */
@ExtendWith(SharedServer.class)
class LaterFeatureIT {

  private final Server server;
  private final OfficialClients clients;
  private final String topic = Queues.freshName("later");

  LaterFeatureIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @BeforeEach
  void onlyOurs() {
    assumeTrue(server.isMetaq(), "the reference serves these");
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldRefuseATimerMessageWithAReason() {
    Message message = new Message(topic, "timed".getBytes(UTF_8));
    MessageAccessor.putProperty(message, "TIMER_DELAY_SEC", "5");

    assertThatThrownBy(() -> clients.producer().send(message)).isInstanceOf(MQClientException.class)
        .hasRootCauseInstanceOf(MQBrokerException.class).rootCause()
        .satisfies(cause -> assertThat(((MQBrokerException) cause).getResponseCode()).isEqualTo(1))
        .satisfies(cause -> assertThat(((MQBrokerException) cause).getErrorMessage()).contains("TIMER"));
  }
}
