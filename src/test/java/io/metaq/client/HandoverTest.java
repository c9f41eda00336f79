package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.admin.ConsumerRunning;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues that move between members: what was settled stays settled, and nobody reads before the other has let go. */
@Timeout(180)
class HandoverTest extends ConsumerTestBase {
  private static final String OTHER = "0 comes first";
  private static final String ROUTE_OF_ANOTHER_BROKER =
      """
      {"brokerDatas":[{"brokerAddrs":{"0":"%s"},"brokerName":"b1","cluster":"c"}],"filterServerTable":{},
       "queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":1,"topicSysFlag":0,"writeQueueNums":1}]}""";

  @Test
  void shouldStoreWhatWasSettledBeforeTheQueueIsGivenAway() {
    fill(0, 10);
    Taker taker = take(MEMBER.handover(LIMIT), Long.MAX_VALUE);
    List<Delivery> all = taker.next(10);
    all.subList(0, 4).forEach(delivery -> await(delivery.ack()));

    cluster.member(OTHER, GROUP);
    until(() -> state(0) == MemberStatus.State.LEAVING);
    all.subList(4, 10).forEach(delivery -> await(delivery.ack()));

    until(() -> Long.valueOf(10).equals(cluster.offset(GROUP, TOPIC, 0)));
    until(() -> status().queues().size() == 1);
  }

  @Test
  void shouldNotWaitForeverForWhatIsInHand() {
    fill(0, 3);
    Taker taker = take(MEMBER.handover(Duration.ofMillis(50)), Long.MAX_VALUE);
    List<Delivery> all = taker.next(3);

    cluster.member(OTHER, GROUP);
    until(() -> status().queues().size() == 1);

    assertThat(failure(all.get(0).ack()).reason()).isEqualTo(Reason.QUEUE_LOST);
    assertThat(failure(all.get(0).nack()).reason()).isEqualTo(Reason.QUEUE_LOST);
  }

  @Test
  void shouldLeaveTheProgressOfTheNextReaderWhenItIsFurther() {
    fill(0, 10);
    Taker taker = take(MEMBER.handover(LIMIT), Long.MAX_VALUE);
    List<Delivery> all = taker.next(10);
    cluster.member(OTHER, GROUP);
    until(() -> state(0) == MemberStatus.State.LEAVING);
    until(() -> Long.valueOf(0).equals(cluster.offset(GROUP, TOPIC, 0)));

    cluster.offset(GROUP, TOPIC, 0, 12);
    all.forEach(delivery -> await(delivery.ack()));
    until(() -> status().queues().size() == 1);

    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(12);
  }

  @Test
  void shouldNotReadAQueueBeforeItsFormerReaderHasLetGo() {
    AtomicBoolean holds = new AtomicBoolean(true);
    cluster.script(RequestCode.GET_CONSUMER_RUNNING_INFO, call -> {
      call.answer(call.request().success().body(running(holds.get() ? List.of(0, 1) : List.of())));
      return true;
    });
    cluster.member("z comes last", GROUP);
    fill(0, 5);

    Taker taker = take(MEMBER, Long.MAX_VALUE);
    until(() -> cluster.requests(RequestCode.GET_CONSUMER_RUNNING_INFO).size() >= 3);

    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).isEmpty();
    assertThat(state(0)).isEqualTo(MemberStatus.State.WAITING);
    cluster.offset(GROUP, TOPIC, 0, 2);
    holds.set(false);
    assertThat(taker.next(3)).extracting(Delivery::queueOffset).containsExactly(2L, 3L, 4L);
  }

  @Test
  void shouldAskTheOthersOnWhenOneCannotBeAsked() {
    String readable = "z comes last";
    AtomicBoolean holds = new AtomicBoolean(true);
    cluster.script(RequestCode.GET_CONSUMER_RUNNING_INFO, call -> {
      boolean answers = call.request().requireText("clientId").equals(readable);
      if (answers) {
        call.answer(call.request().success().body(running(holds.get() ? List.of(0) : List.of())));
      }
      return answers;
    });
    cluster.topic(TOPIC, 1);
    cluster.member("y cannot be asked", GROUP);
    cluster.member(readable, GROUP);
    fill(0, 1);

    Taker taker = take(MEMBER, Long.MAX_VALUE);
    until(() -> cluster.requests(RequestCode.GET_CONSUMER_RUNNING_INFO).size() >= 8);

    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).isEmpty();
    holds.set(false);
    taker.next(1);
  }

  @Test
  void shouldWaitForTheFormerReaderInALargeGroupToo() {
    AtomicBoolean holds = new AtomicBoolean(true);
    cluster.script(RequestCode.GET_CONSUMER_RUNNING_INFO, call -> {
      call.answer(call.request().success().body(running(holds.get() ? List.of(0) : List.of())));
      return true;
    });
    cluster.topic(TOPIC, 1);
    for (int i = 10; i < 40; i++) {
      cluster.member("z" + i, GROUP);
    }
    fill(0, 1);

    Taker taker = take(MEMBER, Long.MAX_VALUE);
    until(() -> cluster.requests(RequestCode.GET_CONSUMER_RUNNING_INFO).size() >= 4);

    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).isEmpty();
    assertThat(cluster.requests(RequestCode.GET_CONSUMER_RUNNING_INFO))
        .extracting(request -> request.requireText("clientId")).containsOnly("z10");
    holds.set(false);
    taker.next(1);
  }

  @Test
  void shouldKeepItsShareUntilTheOthersHaveComeBackToABrokerThatWasRestarted() {
    cluster.member(OTHER, GROUP);
    take(MEMBER, Long.MAX_VALUE);
    until(() -> status().queues().stream().map(MemberStatus.Queue::queue).map(TopicQueue::queueId).toList().equals(List.of(1)));

    cluster.forgetMembers();
    int rounds = cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size();
    until(() -> cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size() > rounds + 2);
    assertThat(status().queues()).extracting(MemberStatus.Queue::queue).extracting(TopicQueue::queueId).containsExactly(1);

    cluster.member(OTHER, GROUP);
    until(() -> cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size() > rounds + 4);
    cluster.noMember(OTHER, GROUP);
    until(() -> status().queues().size() == 2);
  }

  @Test
  void shouldStoreItsProgressAgainAtABrokerThatWasRestarted() {
    fill(0, 3);
    take(MEMBER, Long.MAX_VALUE).next(3).forEach(delivery -> await(delivery.ack()));
    until(() -> Long.valueOf(3).equals(cluster.offset(GROUP, TOPIC, 0)));

    cluster.offset(GROUP, TOPIC, 0, 1);
    cluster.forgetMembers();

    until(() -> Long.valueOf(3).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldAskNobodyWhenNoQueueComes() {
    cluster.member("z comes last", GROUP);
    take(MEMBER, 1);
    until(() -> status().queues().stream().anyMatch(queue -> queue.state() == MemberStatus.State.READING));
    int asked = cluster.requests(RequestCode.GET_CONSUMER_RUNNING_INFO).size();

    int rounds = cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size();
    cluster.member("z comes last", GROUP);
    until(() -> cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size() > rounds);
    until(() -> status().queues().stream().allMatch(queue -> queue.state() == MemberStatus.State.READING));

    assertThat(cluster.requests(RequestCode.GET_CONSUMER_RUNNING_INFO)).hasSize(asked);
  }

  @Test
  void shouldReadAfterAPauseWhenTheOtherMemberCannotBeAsked() {
    cluster.member("z comes last", GROUP);
    fill(0, 1);

    take(MEMBER, Long.MAX_VALUE).next(1);

    assertThat(cluster.requests(RequestCode.GET_CONSUMER_RUNNING_INFO)).isNotEmpty();
  }

  @Test
  void shouldReadAQueueAgainThatComesBackWhileItIsLeaving() {
    fill(0, 5);
    Taker taker = take(MEMBER.handover(LIMIT), Long.MAX_VALUE);
    List<Delivery> all = taker.next(5);
    cluster.member(OTHER, GROUP);
    until(() -> state(0) == MemberStatus.State.LEAVING);

    cluster.noMember(OTHER, GROUP);
    all.forEach(delivery -> await(delivery.ack()));
    fill(0, 1);

    Delivery next = taker.next(1).get(0);
    assertThat(next.queueOffset()).isEqualTo(5);
    await(next.ack());
  }

  @Test
  void shouldKeepItsShareWhileTheStrategyThrows() {
    AtomicBoolean broken = new AtomicBoolean();
    Allocation strategy = (queues, members, self) -> {
      if (broken.get()) {
        throw new IllegalStateException("a bug");
      }
      return Allocation.AVERAGE.share(queues, members, self);
    };
    fill(0, 1);
    Taker taker = take(MEMBER.allocation(strategy), Long.MAX_VALUE);
    await(taker.next(1).get(0).ack());

    broken.set(true);
    int rounds = cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size();
    cluster.member(OTHER, GROUP);
    until(() -> cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size() > rounds + 1);

    assertThat(state(0)).isEqualTo(MemberStatus.State.READING);
    broken.set(false);
    until(() -> status().queues().size() == 1);
  }

  @Test
  void shouldKeepAQueueWhoseBrokerIsMissingFromTheRoute() {
    fill(0, 3);
    List<Delivery> inHand = take(MEMBER, Long.MAX_VALUE).next(3);

    cluster.script(RequestCode.PULL_MESSAGE, call -> {
      call.refuse(1, "not now");
      return true;
    });
    cluster.script(RequestCode.GET_ROUTEINFO_BY_TOPIC, call -> {
      call.answer(call.request().success().body(ROUTE_OF_ANOTHER_BROKER.formatted(cluster.address()).getBytes(StandardCharsets.UTF_8)));
      return true;
    });
    cluster.cutAll();
    until(() -> {
      cluster.noMember("nobody", GROUP);
      return status().queues().stream().anyMatch(queue -> queue.queue().broker().equals("b1"));
    });

    assertThat(status().queues()).filteredOn(queue -> queue.queue().broker().equals(FakeCluster.BROKER))
        .extracting(MemberStatus.Queue::state).containsExactly(MemberStatus.State.READING, MemberStatus.State.READING);
    inHand.forEach(delivery -> await(delivery.ack()));
  }

  @Test
  void shouldWaitForWhatIsInHandWhenItIsClosed() {
    fill(0, 2);
    Taker taker = take(MEMBER.handover(LIMIT), Long.MAX_VALUE);
    List<Delivery> both = taker.next(2);

    client.close().subscribe().with(closed -> {});
    assertThat(taker.completed()).isTrue();
    assertThat(client.send(Message.to(TOPIC).body("from a handler")).await().atMost(LIMIT).topic()).isEqualTo(TOPIC);
    both.forEach(delivery -> await(delivery.ack()));

    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(2);
  }

  @Test
  void shouldTellWhatItReadsWhileItLeaves() {
    fill(0, 1);
    Delivery inHand = take(MEMBER.handover(LIMIT), Long.MAX_VALUE).next(1).get(0);
    client.close().subscribe().with(closed -> {});
    int told = cluster.requests(RequestCode.HEART_BEAT).size();

    cluster.cutAll();
    until(() -> {
      client.send(Message.to(TOPIC).body("from a handler")).onFailure().recoverWithNull().await().atMost(LIMIT);
      return cluster.requests(RequestCode.HEART_BEAT).size() > told;
    });

    List<RemotingCommand> beats = cluster.requests(RequestCode.HEART_BEAT);
    assertThat(new String(beats.get(beats.size() - 1).body(), StandardCharsets.UTF_8)).contains("\"topic\":\"T\"", "%RETRY%g");
    await(inHand.ack());
  }

  private MemberStatus status() {
    return client.membership(GROUP).status().await().atMost(LIMIT);
  }

  private MemberStatus.State state(int queueId) {
    return status().queues().stream().filter(queue -> queue.queue().queueId() == queueId).map(MemberStatus.Queue::state)
        .findFirst().orElse(null);
  }

  private static byte[] running(List<Integer> queueIds) {
    return new ConsumerRunning(
        Map.of(),
        List.of(),
        queueIds.stream().map(id -> new ConsumerRunning.QueueState(
            new QueueRef(TOPIC, FakeCluster.BROKER, id), 0, 0, 0, false, 0)).toList(),
        List.of(),
        "").encode();
  }
}
