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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
  void shouldHoldWhoAsksToBeHeldWithoutEnd() throws Exception {
    int waiting = waitIn("orders", Long.MAX_VALUE);
    assertThat(reader.await(waitIn("orders", 1)).code()).as("by now those are told that waited too long").isEqualTo(NOT_FOUND);

    broker.sendAndDispatch("orders", "second");

    assertThat(reader.await(waiting).code()).isZero();
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

  /** Seen before: it was held when the read was over, and got what came next. */
  @Test
  void shouldHoldNobodyWhoseGroupWasForbiddenTheTopicWhileAWorkerRead() throws Exception {
    String body = "x".repeat(TestBroker.HOT_WINDOW_BYTES / 4);
    for (int i = 0; i < 5; i++) {
      broker.sendAndDispatch("others", body);
    }
    CountDownLatch readsGoOn = new CountDownLatch(1);
    broker.hold("metaq-read", BrokerVerticle.READ_WORKERS, readsGoOn);
    int reading = reader.send(
        Requests.pull("orders", 0, 0, 32, LONG_MS).ext("consumerGroup", "g").ext("subscription", "none of these"));
    reader.call(Requests.maxOffset("orders", 0));

    broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_GET_GROUP_FORBIDDEN).ext("group", "g").ext("topic", "orders")
        .ext("readable", false));
    awaitRefusal("orders");
    readsGoOn.countDown();

    assertThat(reader.await(reading).code()).isEqualTo(ResultCode.PULL_RETRY_IMMEDIATELY.wire());
  }

  /** The loop of the reader's connection has heard that its group may not read the topic. */
  private void awaitRefusal(String topic) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONG_MS / 2);
    while (reader.call(Requests.pull(topic, 0, 1, 32, 0).ext("consumerGroup", "g")).code() != ResultCode.NO_PERMISSION.wire()) {
      assertThat(System.nanoTime() - deadlineNs).as("still waiting").isNegative();
      Thread.onSpinWait();
    }
  }

  /** Waits from now on: a later request of the connection is answered. */
  private int waitIn(String topic) throws Exception {
    return waitIn(topic, LONG_MS);
  }

  private int waitIn(String topic, long holdMs) throws Exception {
    int waiting = reader.send(Requests.pull(topic, 0, 1, 32, holdMs).ext("consumerGroup", "g"));
    reader.call(Requests.maxOffset(topic, 0));
    return waiting;
  }
}
