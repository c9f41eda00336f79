package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Heartbeats;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pulls that wait for a message while it is taken from their group what they wait for: they are answered, and come again in vain. */
class HeldPullsTest {
  private static final int NOT_FOUND = 19;
  private static final long LONG_MS = 60_000;

  @TempDir
  Path folder;
  private TestBroker broker;
  private RawClient reader;

  @BeforeEach
  void startWithAGroup() throws Exception {
    broker = new TestBroker(folder, false, true);
    broker.sendAndDispatch("orders", "first");
    broker.sendAndDispatch("others", "first");
    reader = RawClient.connect(broker.port());
    reader.call(Heartbeats.consumer("c1", "g", Heartbeats.tags("orders", "*")));
  }

  @AfterEach
  void stop() throws Exception {
    reader.close();
    broker.close();
  }

  @Test
  void shouldAnswerWhoWaitsWhenItsGroupIsForbiddenTheTopicAndNobodyElse() throws Exception {
    int waiting = waitIn("orders");
    int elsewhere = waitIn("others");

    broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_GET_GROUP_FORBIDDEN).ext("group", "g").ext("topic", "orders")
        .ext("readable", false));

    assertThat(reader.await(waiting).code()).isEqualTo(NOT_FOUND);
    assertThat(reader.call(Requests.pull("orders", 0, 1, 32, 0).ext("consumerGroup", "g")).code())
        .isEqualTo(ResultCode.NO_PERMISSION.wire());
    broker.sendAndDispatch("others", "second");
    assertThat(reader.await(elsewhere).code()).isZero();
  }

  @Test
  void shouldAnswerWhoWaitsWhenConsumptionOfItsGroupIsSwitchedOff() throws Exception {
    int waiting = waitIn("orders");

    broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP)
        .body("{\"groupName\":\"g\",\"consumeEnable\":false}".getBytes(StandardCharsets.UTF_8)));

    assertThat(reader.await(waiting).code()).isEqualTo(NOT_FOUND);
    assertThat(reader.call(Requests.pull("orders", 0, 1, 32, 0).ext("consumerGroup", "g")).code())
        .isEqualTo(ResultCode.NO_PERMISSION.wire());
  }

  @Test
  void shouldAnswerWhoWaitsWhenItsGroupIsDeleted() throws Exception {
    int waiting = waitIn("orders");

    broker.ask(RemotingCommand.request(RequestCode.DELETE_SUBSCRIPTIONGROUP).ext("groupName", "g"));

    assertThat(reader.await(waiting).code()).isEqualTo(NOT_FOUND);
  }

  /** Waits from now on: a later request of the connection is answered. */
  private int waitIn(String topic) throws Exception {
    int waiting = reader.send(Requests.pull(topic, 0, 1, 32, LONG_MS).ext("consumerGroup", "g"));
    reader.call(Requests.maxOffset(topic, 0));
    return waiting;
  }
}
