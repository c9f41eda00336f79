package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqException.Reason;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reins of a membership: pause, resume, seek, and what its status tells. */
@Timeout(180)
class MembershipTest extends ConsumerTestBase {
  private static final TopicQueue QUEUE = new TopicQueue(TOPIC, FakeCluster.BROKER, 0);

  private Membership membership;

  @Override
  MetaqClient client() {
    return MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(cluster.address()).setRequestTimeout(LIMIT));
  }

  @BeforeEach
  void hold() {
    cluster.topic(TOPIC, 1);
    membership = client.membership(GROUP);
  }

  @Test
  void shouldDeliverNothingWhilePausedAndGoOnWhereItStopped() {
    fill(0, 10);
    Taker taker = take(MEMBER, 3);
    taker.next(3);

    await(membership.pause());
    taker.request(100);
    fill(0, 5);
    until(() -> cluster.requests(RequestCode.PULL_MESSAGE).size() >= 1);
    await(membership.pause());

    assertThat(taker.waiting()).isZero();
    assertThat(status().paused()).isTrue();
    await(membership.resume());
    assertThat(taker.next(12)).extracting(Delivery::queueOffset).startsWith(3L, 4L).endsWith(14L);
  }

  @Test
  void shouldPauseOneQueueAlone() {
    cluster.topic(TOPIC, 2);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    until(() -> membership.status().await().atMost(LIMIT).queues().size() == 2);

    await(membership.pause(QUEUE));
    fill(0, 2);
    fill(1, 2);

    assertThat(taker.next(2)).extracting(Delivery::queueId).containsOnly(1);
    assertThat(taker.waiting()).isZero();
    await(membership.resume(QUEUE));
    assertThat(taker.next(2)).extracting(Delivery::queueId).containsOnly(0);
  }

  @Test
  void shouldLetWhatIsInHandBeSettledWhilePaused() {
    fill(0, 1);
    Delivery delivery = take(MEMBER, Long.MAX_VALUE).next(1).get(0);

    await(membership.pause());
    await(delivery.ack());

    until(() -> Long.valueOf(1).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldSeekByOffsetForwardsAndBack() {
    fill(0, 10);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> before = taker.next(10);

    await(membership.seek(QUEUE, 4));

    assertThat(taker.next(6)).extracting(Delivery::queueOffset).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(failure(before.get(0).ack()).reason()).isEqualTo(Reason.QUEUE_LOST);
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(4);
    await(membership.seek(QUEUE, 9));
    assertThat(taker.next(1)).extracting(Delivery::queueOffset).containsExactly(9L);
  }

  @Test
  void shouldSeekWhilePausedAndDeliverFromThereWhenItGoesOn() {
    fill(0, 10);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(10);
    await(membership.pause());

    await(membership.seek(QUEUE, 7));
    await(membership.seek(QUEUE, 4));
    assertThat(status().paused()).isTrue();
    assertThat(taker.waiting()).isZero();

    await(membership.resume());
    assertThat(taker.next(6)).extracting(Delivery::queueOffset).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void shouldSeekByPositionAndTimeInTheQueuesOfATopic() {
    fill(0, 10);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(10);
    cluster.script(RequestCode.SEARCH_OFFSET_BY_TIMESTAMP, call -> {
      call.answer(call.request().success().ext("offset", call.request().requireLong("timestamp") == 4711 ? 8 : 0));
      return true;
    });

    await(membership.seek(TOPIC, Position.at(Instant.ofEpochMilli(4711))));
    assertThat(taker.next(2)).extracting(Delivery::queueOffset).containsExactly(8L, 9L);
    await(membership.seek(QUEUE, Position.EARLIEST));
    assertThat(taker.next(10)).extracting(Delivery::queueOffset).startsWith(0L);
    await(membership.seek(TOPIC, Position.LATEST));
    fill(0, 1);

    assertThat(taker.next(1)).extracting(Delivery::queueOffset).containsExactly(10L);
  }

  @Test
  void shouldReadFromTheFirstMessageWhenToldANegativeOffset() {
    fill(0, 3);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(3);

    await(membership.seek(QUEUE, -1));

    assertThat(taker.next(3)).extracting(Delivery::queueOffset).containsExactly(0L, 1L, 2L);
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isZero();
    assertThat(take(ALONE.from(Position.at(Map.of(QUEUE, -5L))), Long.MAX_VALUE).next(1).get(0).queueOffset()).isZero();
  }

  @Test
  void shouldReadEveryMessageOnceAfterTwoSeeksAtOnce() {
    fill(0, 10);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(10);

    await(Uni.join().all(membership.seek(QUEUE, 9), membership.seek(QUEUE, 9)).andFailFast().replaceWithVoid());
    fill(0, 1);
    List<Long> offsets = offsetsUpTo(taker, 10);
    fill(0, 1);
    offsets.addAll(offsetsUpTo(taker, 11));

    assertThat(offsets).containsOnlyOnce(10L);
  }

  @Test
  void shouldGoOnWhereItWasWhenASeekCannotBeStored() {
    fill(0, 3);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(3).forEach(delivery -> await(delivery.ack()));
    until(() -> Long.valueOf(3).equals(cluster.offset(GROUP, TOPIC, 0)));
    cluster.first(1, RequestCode.UPDATE_CONSUMER_OFFSET, call -> call.refuse(1, "not now"));

    assertThat(failure(membership.seek(QUEUE, 0)).code()).isEqualTo(1);

    fill(0, 1);
    assertThat(taker.next(1)).extracting(Delivery::queueOffset).containsExactly(3L);
  }

  @Test
  void shouldGoOnWhereItWasWhenASeekFailsAndNothingWasStored() {
    fill(0, 3);
    cluster.script(RequestCode.UPDATE_CONSUMER_OFFSET, call -> {
      call.refuse(1, "not now");
      return true;
    });
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(3).forEach(delivery -> await(delivery.ack()));

    assertThat(failure(membership.seek(QUEUE, 0)).code()).isEqualTo(1);

    fill(0, 1);
    assertThat(taker.next(1)).extracting(Delivery::queueOffset).containsExactly(3L);
  }

  @Test
  void shouldStoreASeekBeforeItLeaves() {
    fill(0, 5);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(5);
    List<FakeCluster.Call> held = new CopyOnWriteArrayList<>();
    cluster.script(RequestCode.UPDATE_CONSUMER_OFFSET, call -> call.request().requireLong("commitOffset") == 3 && held.add(call));
    membership.seek(QUEUE, 3).subscribe().with(done -> {}, failure -> {});
    until(() -> !held.isEmpty());

    taker.cancel();
    assertThat(failure(client.queues("nowhere")).reason()).isEqualTo(Reason.NO_ROUTE);
    assertThat(cluster.requests(RequestCode.UNREGISTER_CLIENT)).isEmpty();
    cluster.serve(held.get(0));

    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(3);
  }

  @Test
  void shouldReadOnWhereABrokerMovesItAndForgetWhatIsOpen() {
    fill(0, 10);
    List<FakeCluster.Call> held = holdPullsFrom(10);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> before = taker.next(10);
    before.subList(0, 6).forEach(delivery -> await(delivery.ack()));
    until(() -> Long.valueOf(6).equals(cluster.offset(GROUP, TOPIC, 0)));

    move(held, 4);
    List<Delivery> after = taker.next(6);

    assertThat(after).extracting(Delivery::queueOffset).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(failure(before.get(7).ack()).reason()).isEqualTo(Reason.QUEUE_LOST);
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(4);
    after.forEach(delivery -> await(delivery.ack()));
    until(() -> Long.valueOf(10).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldPassOverNothingThatIsOpenWhenABrokerMovesItBack() {
    fill(0, 10);
    List<FakeCluster.Call> held = holdPullsFrom(10);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> before = taker.next(10);
    before.subList(0, 2).forEach(delivery -> await(delivery.ack()));

    move(held, 8);

    assertThat(taker.next(8)).extracting(Delivery::queueOffset).startsWith(2L).endsWith(9L);
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(2);
  }

  @Test
  void shouldReadOnAloneWhereABrokerMovesIt() {
    fill(0, 10);
    List<FakeCluster.Call> held = holdPullsFrom(10);
    Taker taker = take(ALONE, 7);
    assertThat(taker.next(7)).extracting(Delivery::queueOffset).endsWith(6L);

    move(held, 4);
    until(() -> cluster.requests(RequestCode.PULL_MESSAGE).stream().anyMatch(pull -> pull.requireLong("queueOffset") == 4));

    taker.request(Long.MAX_VALUE);

    assertThat(taker.next(6)).extracting(Delivery::queueOffset).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void shouldKeepWhatIsOpenWhenABrokerHasDeletedWhatFollows() {
    fill(0, 10);
    Taker taker = take(MEMBER.readAhead(1).maxUnsettled(20), 1);
    Delivery open = taker.next(1).get(0);
    cluster.script(RequestCode.PULL_MESSAGE, call -> {
      boolean deleted = call.request().requireLong("queueOffset") < 7;
      if (deleted) {
        call.answer(FakeCluster.pulled(call.request(), ResultCode.PULL_OFFSET_MOVED, 7, 10).ext("minOffset", 7));
      }
      return deleted;
    });

    taker.request(Long.MAX_VALUE);
    until(() -> taker.next(1).get(0).queueOffset() == 9);

    await(open.ack());
  }

  @Test
  void shouldRefuseWhatItDoesNotRead() {
    assertThat(failure(membership.status()).reason()).isEqualTo(Reason.INVALID);
    take(MEMBER, 1);
    until(() -> membership.status().await().atMost(LIMIT).queues().size() == 1);

    TopicQueue foreign = new TopicQueue(TOPIC, "elsewhere", 7);
    assertThat(failure(membership.seek(foreign, 0)).reason()).isEqualTo(Reason.QUEUE_LOST);
    assertThat(failure(membership.pause(foreign)).reason()).isEqualTo(Reason.QUEUE_LOST);
    assertThat(failure(membership.seek("other", Position.EARLIEST)).reason()).isEqualTo(Reason.INVALID);
  }

  @Test
  void shouldTellWhereEachQueueStands() {
    fill(0, 10);
    Taker taker = take(MEMBER, 4);
    List<Delivery> four = taker.next(4);
    await(four.get(0).ack());
    await(four.get(1).nack());

    until(() -> status().waiting() == 6);
    MemberStatus.Queue queue = status();
    assertThat(queue.queue()).isEqualTo(QUEUE);
    assertThat(queue.state()).isEqualTo(MemberStatus.State.READING);
    assertThat(queue.progress()).isEqualTo(2);
    assertThat(queue.readUpTo()).isEqualTo(10);
    assertThat(queue.inHand()).isEqualTo(2);
    assertThat(queue.stuck()).isEmpty();
    assertThat(membership.status().await().atMost(LIMIT).topics()).containsExactly(new MemberStatus.Topic(TOPIC, 4, 1, 1));
  }

  @Test
  void shouldTellOfAMessageThatIsNeverSettledWhileOtherQueuesGoOn() {
    cluster.topic(TOPIC, 2);
    fill(0, 5);
    fill(1, 5);
    Taker taker = take(MEMBER.maxUnsettled(2).readAhead(1).stuckAfter(Duration.ofMillis(50)), Long.MAX_VALUE);

    for (int handled = 0; handled < 5; ) {
      Delivery delivery = taker.next(1).get(0);
      if (delivery.queueId() == 1) {
        await(delivery.ack());
        handled++;
      }
    }

    until(() -> status().stuck().isPresent());
    assertThat(status().stuck()).hasValueSatisfying(stuck -> {
      assertThat(stuck.queueOffset()).isZero();
      assertThat(stuck.sinceMs()).isGreaterThanOrEqualTo(50);
    });
    assertThat(status().readUpTo()).isLessThanOrEqualTo(3);
  }

  private static List<Long> offsetsUpTo(Taker taker, long last) {
    List<Long> offsets = new ArrayList<>();
    do {
      offsets.add(taker.next(1).get(0).queueOffset());
    } while (offsets.get(offsets.size() - 1) != last);
    return offsets;
  }

  /** The pulls from an offset, as they come; the broker does not answer them. */
  private List<FakeCluster.Call> holdPullsFrom(long offset) {
    List<FakeCluster.Call> held = new CopyOnWriteArrayList<>();
    cluster.script(RequestCode.PULL_MESSAGE, call -> call.request().requireLong("queueOffset") == offset && held.add(call));
    return held;
  }

  /** Answers the pull that is held, once it is there, with "moved". */
  private void move(List<FakeCluster.Call> held, long to) {
    until(() -> !held.isEmpty());
    cluster.noScript(RequestCode.PULL_MESSAGE);
    FakeCluster.Call call = held.get(0);
    call.answer(FakeCluster.pulled(call.request(), ResultCode.PULL_OFFSET_MOVED, to, 10));
  }

  private MemberStatus.Queue status() {
    return membership.status().await().atMost(LIMIT).queues().stream().filter(one -> one.queue().equals(QUEUE)).findFirst().orElseThrow();
  }
}
