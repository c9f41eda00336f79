package io.metaq.broker;

import static io.metaq.it.Heartbeats.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.it.Heartbeats;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.model.RequestCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups that stand still, and groups that are moved by their members. */
class GroupWatchTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir
  Path folder;
  private TestBroker broker;
  private RawClient member;

  @BeforeEach
  void startWithTwoMessagesAndAMember() throws Exception {
    broker = TestBroker.withGroupsMovedByTheirMembers(folder, 50);
    broker.sendAndDispatch("orders", "m1");
    broker.sendAndDispatch("orders", "m2");
    member = RawClient.connect(broker.port());
    member.call(Heartbeats.consumer("member", "g", tags("orders")));
  }

  @AfterEach
  void stop() throws Exception {
    member.close();
    broker.close();
  }

  @Test
  void shouldAskWhoHasAQueueInWhichTheGroupStandsStillAndCountIt() throws Exception {
    commit(1);

    RawFrame question = member.awaitRequest(RequestCode.GET_CONSUMER_STATUS_FROM_CLIENT.wire());
    member.write(RawFrame.answerTo(question, 0).encode());
    until(() -> figures().contains("\"metaqStandingQueues\":\"1\""));
    commit(2);
    until(() -> figures().contains("\"metaqStandingQueues\":\"0\""));

    assertThat(question.ext()).containsEntry("group", "g").containsEntry("topic", "orders");
  }

  @Test
  void shouldCountGroupsThatContradictThemselves() throws Exception {
    member.call(Heartbeats.consumer("member", "other", tags("orders")));
    try (RawClient second = RawClient.connect(broker.port())) {
      second.call(Heartbeats.consumer("second", "g", tags("orders", "a")));

      until(() -> figures().contains("\"metaqContradictingGroups\":\"1\""));
    }
  }

  @Test
  void shouldTellTheMembersToMove() throws Exception {
    commit(1);

    RemotingCommand back = broker.ask(reset(0, false));
    RawFrame order = member.awaitRequest(RequestCode.RESET_CONSUMER_CLIENT_OFFSET.wire());
    broker.ask(reset(9_000_000_000_000L, false));
    RawFrame notForced = member.awaitRequest(RequestCode.RESET_CONSUMER_CLIENT_OFFSET.wire());
    broker.ask(reset(9_000_000_000_000L, true));
    RawFrame forced = member.awaitRequest(RequestCode.RESET_CONSUMER_CLIENT_OFFSET.wire());

    assertThat(back.code()).as(back.remark()).isZero();
    assertThat(order.ext()).containsEntry("group", "g").containsEntry("topic", "orders").containsEntry("isForce", "false");
    assertThat(order.flag()).as("one-way").isEqualTo(2);
    assertThat(table(order)).contains("\"queueId\":0,\"topic\":\"orders\"}:0");
    assertThat(table(notForced)).contains("\"queueId\":0,\"topic\":\"orders\"}:1");
    assertThat(table(forced)).contains("\"queueId\":0,\"topic\":\"orders\"}:2");
  }

  @Test
  void shouldSayThatThereIsNobodyToMove() throws Exception {
    member.call(RawFrame.request(35).ext("clientID", "member").ext("consumerGroup", "g"));

    RemotingCommand answer = broker.ask(reset(0, true));

    assertThat(answer.code()).isEqualTo(206);
    assertThat(answer.remark()).contains("Consumer not online");
  }

  private void commit(long queueOffset) throws Exception {
    assertThat(broker.ask(RemotingCommand.request(RequestCode.UPDATE_CONSUMER_OFFSET).ext("consumerGroup", "g").ext("topic", "orders")
        .ext("queueId", 0).ext("commitOffset", queueOffset)).code()).isZero();
  }

  private String figures() throws Exception {
    return new String(broker.ask(RemotingCommand.request(RequestCode.GET_BROKER_RUNTIME_INFO)).body(), StandardCharsets.UTF_8);
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    Await.until("a figure", LIMIT, condition);
  }

  private static String table(RawFrame order) {
    return new String(order.body(), StandardCharsets.UTF_8);
  }

  private static RemotingCommand reset(long timestampMs, boolean force) {
    return RemotingCommand.request(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)
        .ext("group", "g").ext("topic", "orders").ext("timestamp", timestampMs).ext("isForce", force);
  }
}
