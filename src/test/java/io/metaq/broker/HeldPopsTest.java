package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pops that wait for a message while their group is taken away from them: they are answered, and come again in vain. */
class HeldPopsTest {
  private static final long LONG_MS = 600_000;

  @TempDir
  Path folder;
  private TestBroker broker;
  private RawClient reader;

  @BeforeEach
  void startWithATopic() throws Exception {
    broker = new TestBroker(folder, false, true);
    broker.sendAndDispatch("orders", "first");
    reader = RawClient.connect(broker.port());
    assertThat(reader.call(pop("g")).code()).isZero();
  }

  @AfterEach
  void stop() throws Exception {
    reader.close();
    broker.close();
  }

  @Test
  void shouldAnswerWhoWaitsWhenConsumptionOfItsGroupIsSwitchedOffAndNobodyElse() throws Exception {
    assertThat(reader.call(pop("h")).code()).isZero();
    int waiting = waitFor(pop("g"));
    int noticeOf = waitFor(notice("g"));
    int elsewhere = waitFor(pop("h"));

    broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP)
        .body("{\"groupName\":\"g\",\"consumeEnable\":false}".getBytes(StandardCharsets.UTF_8)));

    assertThat(reader.await(waiting).code()).isEqualTo(ResultCode.POLLING_TIMEOUT.wire());
    assertThat(reader.await(noticeOf).ext("hasMsg")).isEqualTo("false");
    assertThat(reader.call(pop("g")).code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
    broker.sendAndDispatch("orders", "second");
    assertThat(reader.await(elsewhere).code()).isZero();
  }

  /** Seen before: what the first who waited after a start watched was watched for somebody else, and nobody was ever woken there. */
  @Test
  void shouldWakeTheFirstWhoWaitsAfterAStart() throws Exception {
    int waiting = waitFor(pop("g"));

    broker.sendAndDispatch("orders", "second");

    assertThat(reader.await(waiting).code()).isZero();
  }

  @Test
  void shouldAnswerWhoWaitsWhenItsGroupIsDeleted() throws Exception {
    int waiting = waitFor(pop("g"));

    broker.ask(RemotingCommand.request(RequestCode.DELETE_SUBSCRIPTIONGROUP).ext("groupName", "g"));

    assertThat(reader.await(waiting).code()).isEqualTo(ResultCode.POLLING_TIMEOUT.wire());
  }

  @Test
  void shouldAnswerWhoWaitsWhenItsTopicIsDeleted() throws Exception {
    int waiting = waitFor(pop("g"));

    broker.ask(RemotingCommand.request(RequestCode.DELETE_TOPIC_IN_BROKER).ext("topic", "orders"));

    assertThat(reader.await(waiting).code()).isEqualTo(ResultCode.POLLING_TIMEOUT.wire());
    assertThat(reader.call(pop("g")).code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
  }

  /** As Apache RocketMQ does, see PopAnswersIT: what a group is forbidden concerns its pulls. */
  @Test
  void shouldGoOnServingWhoWaitsWhenItsGroupIsForbiddenTheTopic() throws Exception {
    int waiting = waitFor(pop("g"));

    broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_GET_GROUP_FORBIDDEN).ext("group", "g").ext("topic", "orders")
        .ext("readable", false));
    broker.sendAndDispatch("orders", "second");

    assertThat(reader.await(waiting).code()).isZero();
  }

  /** Waits from now on: a later request of the connection is answered. */
  private int waitFor(RawFrame request) throws Exception {
    int waiting = reader.send(request);
    reader.call(Requests.maxOffset("orders", 0));
    return waiting;
  }

  private static RawFrame pop(String group) {
    return RawFrame.request(RequestCode.POP_MESSAGE.wire()).ext("consumerGroup", group).ext("topic", "orders").ext("queueId", 0)
        .ext("maxMsgNums", 32).ext("invisibleTime", 600_000).ext("pollTime", LONG_MS).ext("bornTime", 0).ext("initMode", 0);
  }

  private static RawFrame notice(String group) {
    return RawFrame.request(RequestCode.NOTIFICATION.wire()).ext("consumerGroup", group).ext("topic", "orders").ext("queueId", 0)
        .ext("pollTime", LONG_MS).ext("bornTime", 0);
  }
}
