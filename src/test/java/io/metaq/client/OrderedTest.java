package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqException.Reason;
import io.metaq.model.RequestCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading in order: one message of a queue at a time, under a lock. */
@Timeout(180)
class OrderedTest extends ConsumerTestBase {
  private static final Subscription ORDERED = MEMBER.ordered();

  @BeforeEach
  void oneQueue() {
    cluster.topic(TOPIC, 1);
  }

  @Test
  void shouldDeliverTheNextMessageOnlyWhenTheOneBeforeIsSettled() {
    fill(0, 5);
    Taker taker = take(ORDERED, Long.MAX_VALUE);

    List<Long> offsets = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Delivery delivery = taker.next(1).get(0);
      assertThat(taker.waiting()).isZero();
      offsets.add(delivery.queueOffset());
      await(delivery.ack());
    }

    assertThat(offsets).containsExactly(0L, 1L, 2L, 3L, 4L);
    until(() -> Long.valueOf(5).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldReadOtherQueuesWhileOneIsHeldUp() {
    cluster.topic(TOPIC, 2);
    fill(0, 3);
    fill(1, 3);
    Taker taker = take(ORDERED, Long.MAX_VALUE);

    List<Delivery> first = taker.next(2);
    Delivery free = first.stream().filter(delivery -> delivery.queueId() == 1).findFirst().orElseThrow();
    await(free.ack());
    Delivery second = taker.next(1).get(0);
    await(second.ack());

    assertThat(taker.next(1).get(0).queueId()).isEqualTo(1);
  }

  @Test
  void shouldDeliverAMessageThatWasSentBackAgainInItsPlace() {
    fill(0, 3);
    Taker taker = take(ORDERED, Long.MAX_VALUE);

    await(taker.next(1).get(0).nack(Duration.ofMillis(5)));
    Delivery again = taker.next(1).get(0);

    assertThat(again.queueOffset()).isZero();
    assertThat(again.reconsumeTimes()).isEqualTo(1);
    await(again.ack());
    assertThat(taker.next(1).get(0).queueOffset()).isEqualTo(1);
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).isEmpty();
  }

  @Test
  void shouldSendAMessageWithoutRetriesToTheDeadLettersAndGoOn() {
    fill(0, 2);
    Taker taker = take(ORDERED.maxRetries(1), Long.MAX_VALUE);

    await(taker.next(1).get(0).nack(Duration.ZERO));
    await(taker.next(1).get(0).nack(Duration.ZERO));

    assertThat(taker.next(1).get(0).queueOffset()).isEqualTo(1);
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK))
        .extracting(request -> request.requireInt("delayLevel"))
        .containsExactly(-1);
  }

  @Test
  void shouldReadNothingWhileAnotherMemberHasTheLock() {
    fill(0, 1);
    cluster.lock(TOPIC, 0, "another");
    Taker taker = take(ORDERED, Long.MAX_VALUE);
    until(() -> cluster.requests(RequestCode.LOCK_BATCH_MQ).size() >= 2);

    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).isEmpty();
    assertThat(client.membership(GROUP).status().await().atMost(LIMIT).queues().get(0).state()).isEqualTo(MemberStatus.State.WAITING);
    cluster.lock(TOPIC, 0, null);
    taker.next(1);
  }

  @Test
  void shouldDeliverNothingWhileTheLockIsLostAndGoOnFromTheProgressWhenItIsBack() {
    fill(0, 5);
    Taker taker = take(ORDERED, Long.MAX_VALUE);
    await(taker.next(1).get(0).ack());
    Delivery open = taker.next(1).get(0);
    until(() -> Long.valueOf(1).equals(cluster.offset(GROUP, TOPIC, 0)));

    cluster.lock(TOPIC, 0, "thief");
    until(() -> client.membership(GROUP).status().await().atMost(LIMIT).queues().get(0).state() == MemberStatus.State.WAITING);

    assertThat(failure(open.ack()).reason()).isEqualTo(Reason.QUEUE_LOST);
    assertThat(taker.waiting()).isZero();
    cluster.offset(GROUP, TOPIC, 0, 3);
    cluster.lock(TOPIC, 0, null);
    assertThat(taker.next(1).get(0).queueOffset()).isEqualTo(3);
  }

  @Test
  void shouldDeliverNothingAgainThatWasAcknowledgedBeforeTheLockWasLost() {
    fill(0, 3);
    cluster.script(RequestCode.UPDATE_CONSUMER_OFFSET, call -> {
      call.refuse(1, "not now");
      return true;
    });
    Taker taker = take(ORDERED, Long.MAX_VALUE);
    await(taker.next(1).get(0).ack());
    taker.next(1);

    cluster.lock(TOPIC, 0, "thief");
    until(() -> client.membership(GROUP).status().await().atMost(LIMIT).queues().get(0).state() == MemberStatus.State.WAITING);
    cluster.noScript(RequestCode.UPDATE_CONSUMER_OFFSET);
    cluster.lock(TOPIC, 0, null);

    assertThat(taker.next(1).get(0).queueOffset()).isEqualTo(1);
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(1);
  }

  @Test
  void shouldGiveTheLockBackWhenItLeaves() {
    fill(0, 1);
    Taker taker = take(ORDERED, Long.MAX_VALUE);
    await(taker.next(1).get(0).ack());
    assertThat(cluster.lock(TOPIC, 0)).startsWith("metaq@");

    taker.cancel();

    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());
    assertThat(cluster.lock(TOPIC, 0)).isNull();
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(1);
  }

  @Test
  void shouldKeepTheLockUntilWhatIsInHandIsSettledWhenTheQueueMovesAway() {
    fill(0, 3);
    Taker taker = take(ORDERED.handover(LIMIT), Long.MAX_VALUE);
    Delivery inHand = taker.next(1).get(0);

    cluster.member("0 comes first", GROUP);
    until(() -> client.membership(GROUP).status().await().atMost(LIMIT).queues().stream()
        .anyMatch(queue -> queue.state() == MemberStatus.State.LEAVING));

    assertThat(cluster.lock(TOPIC, 0)).isNotNull();
    await(inHand.ack());
    until(() -> cluster.lock(TOPIC, 0) == null);
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(1);
    assertThat(taker.waiting()).isZero();
  }
}
