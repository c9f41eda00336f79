package io.metaq.broker;

import static io.metaq.it.Heartbeats.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Heartbeats;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.model.RequestCode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves of groups while their members read. */
class OffsetResetTest {
  private static final int COMMIT = 15;
  private static final int FOUND = 0;
  private static final int NOT_FOUND = 19;
  private static final int MOVED = 21;

  @TempDir
  Path folder;
  private TestBroker broker;
  private RawClient member;

  @BeforeEach
  void startWithThreeMessagesAndAMember() throws Exception {
    broker = new TestBroker(folder, false, true);
    for (int i = 0; i < 3; i++) {
      broker.sendAndDispatch("orders", "m" + i);
    }
    member = RawClient.connect(broker.port());
    member.call(Heartbeats.consumer("member", "g", tags("orders")));
  }

  @AfterEach
  void stop() throws Exception {
    member.close();
    broker.close();
  }

  @Test
  void shouldSendAReaderThatWaitsToTheNewOffsetAtOnce() throws Exception {
    int waiting = member.send(pull(3, 60_000));

    reset(1);
    RawFrame answer = member.await(waiting);

    assertThat(answer.code()).isEqualTo(MOVED);
    assertThat(answer.number("nextBeginOffset")).isEqualTo(1);
    assertThat(answer.number("maxOffset")).isEqualTo(3);
    assertThat(member.call(pull(1, 0)).code()).isEqualTo(FOUND);
    assertThat(offset()).isEqualTo(1);
  }

  @Test
  void shouldSendAReaderThatComesLaterToTheNewOffsetOnce() throws Exception {
    reset(1);

    RawFrame first = member.call(pull(3, 0));
    RawFrame second = member.call(pull(3, 0));

    assertThat(first.code()).isEqualTo(MOVED);
    assertThat(first.number("nextBeginOffset")).isEqualTo(1);
    assertThat(second.code()).isEqualTo(NOT_FOUND);
  }

  @Test
  void shouldLetAMemberDropWhatItHasFetchedEvenWhenItComesWithTheNewOffset() throws Exception {
    reset(3);

    assertThat(member.call(pull(3, 0)).code()).isEqualTo(MOVED);
    assertThat(member.call(pull(3, 0)).code()).isEqualTo(NOT_FOUND);
  }

  @Test
  void shouldLeaveOutWhatAMemberCommitsBeforeItKnows() throws Exception {
    reset(1);

    RawFrame late = member.call(commit(3));
    long held = offset();
    member.call(pull(3, 0));
    member.call(commit(2));

    assertThat(late.code()).isZero();
    assertThat(late.remark()).contains("the group was moved to 1 here");
    assertThat(held).isEqualTo(1);
    assertThat(offset()).isEqualTo(2);
  }

  @Test
  void shouldLetAReaderOfAStoppedGroupBeginAtTheNewOffset() throws Exception {
    leave();
    reset(1);

    assertThat(member.call(stranger(1, 0)).code()).isEqualTo(FOUND);
    member.call(commit(2));
    assertThat(offset()).isEqualTo(2);
  }

  @Test
  void shouldSendAReaderOfAStoppedGroupThatComesFromElsewhere() throws Exception {
    leave();
    reset(1);
    member.send(commit(3).oneway());

    assertThat(offset()).isEqualTo(1);
    assertThat(member.call(stranger(3, 0)).code()).isEqualTo(MOVED);
  }

  @Test
  void shouldTakeTheLaterWordOfATool() throws Exception {
    leave();
    reset(1);

    member.call(commit(2));

    assertThat(offset()).isEqualTo(2);
    assertThat(member.call(stranger(3, 0)).code()).isEqualTo(NOT_FOUND);
  }

  @Test
  void shouldLeaveOtherGroupsAlone() throws Exception {
    member.call(Heartbeats.consumer("member", "other", tags("orders")));
    int other = member.send(pull(3, 60_000).ext("consumerGroup", "other"));
    int own = member.send(pull(3, 60_000));

    reset(0);
    assertThat(member.await(own).code()).isEqualTo(MOVED);
    broker.sendAndDispatch("orders", "m3");

    assertThat(member.await(other).code()).isEqualTo(FOUND);
  }

  @Test
  void shouldForgetAMoveWithItsGroup() throws Exception {
    reset(1);

    broker.ask(RemotingCommand.request(RequestCode.DELETE_SUBSCRIPTIONGROUP).ext("groupName", "g").ext("cleanOffset", true));
    member.call(Heartbeats.consumer("member", "g", tags("orders")));
    offset();

    assertThat(member.call(pull(3, 0)).code()).isEqualTo(NOT_FOUND);
  }

  private void reset(long queueOffset) throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)
        .ext("group", "g").ext("topic", "orders").ext("timestamp", 0).ext("isForce", true).ext("queueId", 0).ext("offset", queueOffset));
    assertThat(answer.code()).as(answer.remark()).isZero();
    offset();
  }

  private void leave() throws Exception {
    member.call(RawFrame.request(35).ext("clientID", "member").ext("consumerGroup", "g"));
  }

  /** What is said over the member's connection; its loop has heard by then of whatever the coordinator of offsets told all loops before. */
  private long offset() throws Exception {
    return member.call(Requests.committedOffset("g", "orders", 0)).number("offset");
  }

  private static RawFrame commit(long queueOffset) {
    return RawFrame.request(COMMIT).ext("consumerGroup", "g").ext("topic", "orders").ext("queueId", 0).ext("commitOffset", queueOffset);
  }

  /** A pull that brings its subscription, as of one that is no member. */
  private static RawFrame stranger(long queueOffset, long holdMs) {
    return Requests.pull("orders", 0, queueOffset, 32, holdMs).ext("consumerGroup", "g");
  }

  private static RawFrame pull(long queueOffset, long holdMs) {
    return Requests.pull("orders", 0, queueOffset, 32, holdMs).ext("consumerGroup", "g").ext("sysFlag", holdMs > 0 ? 2 : 0);
  }
}
