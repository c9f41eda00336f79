package io.metaq.coordinator;

import static io.metaq.coordinator.PopRig.INVISIBLE_MS;
import static io.metaq.coordinator.PopRig.TOPIC;
import static io.metaq.coordinator.PopRig.bodies;
import static io.metaq.coordinator.PopRig.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.pop.PopHandle;
import io.metaq.coordinator.PopRig.Given;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.AppendStatus;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderedPopsTest {
  @TempDir Path folder;

  private PopRig rig;

  @BeforeEach
  void open() {
    rig = new PopRig(folder);
    for (int i = 0; i < 4; i++) {
      rig.send(0, "m" + i);
    }
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldGiveNothingWhileSomethingIsNeitherSettledNorVisibleAgain() {
    PopAnswer first = rig.popInOrder(2, "one");
    assertThat(first.reviveQueueId()).isEqualTo(PopHandle.ORDERED);
    List<Given> given = given(first);
    assertThat(given).extracting(Given::body).containsExactly("m0", "m1");

    assertThat(rig.popInOrder(2, "two").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    rig.settle(given.get(1).ack());
    assertThat(rig.committed).containsEntry("workers/orders/0", 0L);
    assertThat(rig.popInOrder(2, "two").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    rig.settle(given.get(0).ack());

    assertThat(rig.committed).containsEntry("workers/orders/0", 2L);
    assertThat(bodies(rig.popInOrder(2, "two"))).containsExactly("m2", "m3");
  }

  @Test
  void shouldGiveTheSameAttemptTheSameMessagesWithoutCountingThem() {
    rig.popInOrder(2, "one").release();

    PopAnswer again = rig.popInOrder(2, "one");

    assertThat(again.orderCounts()).isEqualTo("0 0 0");
    assertThat(bodies(again)).containsExactly("m0", "m1");
  }

  @Test
  void shouldGoOnFromTheFirstThatIsNotSettledWhenTheTimeIsOverAndCountDeliveries() {
    List<Given> given = given(rig.popInOrder(2, "one"));
    rig.settle(given.get(0).ack());

    rig.pass(INVISIBLE_MS);
    PopAnswer again = rig.popInOrder(2, "two");

    assertThat(again.orderCounts()).isEqualTo("0 qo0%1 1;0 0 0");
    assertThat(bodies(again)).containsExactly("m1", "m2");
  }

  @Test
  void shouldWakeOneWhoWaitsWhenTheQueueIsFree() {
    List<Given> given = given(rig.popInOrder(1, "one"));
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, true, "two");
    assertThat(rig.ask(waits)).isNull();

    rig.settle(given.get(0).ack());

    assertThat(bodies(rig.answerTo(waits))).containsExactly("m1");
  }

  @Test
  void shouldWakeOneWhoWaitsWhenTheTimeIsOver() {
    rig.popInOrder(1, "one").release();
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 2 * INVISIBLE_MS, true, "two");
    assertThat(rig.ask(waits)).isNull();

    rig.pass(INVISIBLE_MS);

    assertThat(bodies(rig.answerTo(waits))).containsExactly("m0");
  }

  @Test
  void shouldKeepAQueueBlockedForAsLongAsItsConsumerSays() {
    List<Given> given = given(rig.popInOrder(1, "one"));
    rig.clock.advance(30_000);

    SettleOutcome outcome = rig.settle(given.get(0).stayInvisible(INVISIBLE_MS)).get(0);

    assertThat(outcome.popTimeMs()).isEqualTo(given.get(0).popTimeMs());
    assertThat(outcome.invisibleMs()).isEqualTo(30_000 + INVISIBLE_MS);
    rig.pass(INVISIBLE_MS - 1);
    assertThat(rig.popInOrder(1, "two").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    rig.pass(1);
    assertThat(bodies(rig.popInOrder(1, "two"))).containsExactly("m0");
  }

  @Test
  void shouldIgnoreWhatIsSaidOfAnOlderPopAndRefuseWhatWasNotPopped() {
    Given old = given(rig.popInOrder(1, "one")).get(0);
    rig.pass(INVISIBLE_MS);
    Given now = given(rig.popInOrder(1, "two")).get(0);
    SettleRequest unpopped = new SettleRequest(
        "workers", TOPIC, 0, 0, now.popTimeMs(), PopHandle.ORDERED, new long[] {3}, SettleRequest.ACK, false);

    assertThat(rig.settle(old.ack(), unpopped)).extracting(SettleOutcome::code)
        .containsExactly(ResultCode.SUCCESS, ResultCode.MESSAGE_ILLEGAL);
    assertThat(rig.popInOrder(1, "three").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    rig.settle(now.ack());

    assertThat(bodies(rig.popInOrder(1, "three"))).containsExactly("m1");
  }

  @Test
  void shouldStandWhereItWasWhenNothingCanBeNoted() {
    rig.refusal = AppendStatus.UNAVAILABLE;
    assertThat(rig.popInOrder(2, "one").code()).isEqualTo(ResultCode.SYSTEM_ERROR);
    rig.refusal = null;
    List<Given> given = given(rig.popInOrder(2, "two"));
    rig.refusal = AppendStatus.UNAVAILABLE;
    assertThat(rig.settle(given.get(0).ack(), given.get(1).ack())).extracting(SettleOutcome::code)
        .containsOnly(ResultCode.SYSTEM_ERROR);
    rig.refusal = null;

    assertThat(rig.popInOrder(2, "three").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    assertThat(rig.settle(given.get(0).ack(), given.get(1).ack())).containsOnly(SettleOutcome.DONE);
    assertThat(bodies(rig.popInOrder(2, "three"))).containsExactly("m2", "m3");
  }

  @Test
  void shouldBeFreedByWhoeverMovesTheGroup() {
    rig.popInOrder(2, "one").release();

    rig.move(0, 1);

    assertThat(bodies(rig.popInOrder(1, "two"))).containsExactly("m1");
  }

  @Test
  void shouldStandWhereItWasPutWhileSomethingWasOnTheWayThatCouldNotBeNoted() {
    List<Given> given = given(rig.popInOrder(2, "one"));
    rig.settle(given.get(0).ack(), given.get(1).ack());
    rig.pops.add(rig.request(PopRequest.ANY_QUEUE, 2, 0, true, "two"));
    rig.pops.fill();

    rig.move(0, 0);
    rig.pops.batch().refuseRest(AppendStatus.UNAVAILABLE, "not now");
    rig.pops.settle();

    assertThat(bodies(rig.popInOrder(2, "three"))).containsExactly("m0", "m1");
  }

  @Test
  void shouldGiveOneWhoWaitsWhatCouldNotBeNotedForTheOneBefore() {
    PopRequest first = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, true, "one");
    PopRequest second = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, true, "two");
    rig.settle(given(rig.popInOrder(4, "all")).stream().map(Given::ack).toArray(SettleRequest[]::new));
    rig.ask(first);
    rig.ask(second);
    rig.refusal = AppendStatus.UNAVAILABLE;

    rig.send(1, "later");
    rig.runOnce();
    rig.refusal = null;
    rig.pass(50);

    assertThat(rig.answerTo(first).code()).isEqualTo(ResultCode.SYSTEM_ERROR);
    assertThat(bodies(rig.answerTo(second))).containsExactly("later");
  }

  /** Apache RocketMQ gives it out a second time: its unordered pops do not ask what blocks a queue. */
  @Test
  void shouldGiveNobodyElseWhatWasPoppedInOrderWhileItIsInvisible() {
    List<Given> given = given(rig.popInOrder(2, "one"));

    assertThat(rig.pop(4).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    assertThat(rig.ask(rig.look(Kind.PEEK, 0)).queues()).isEmpty();
    assertThat(rig.ask(rig.look(Kind.NOTICE, 0)).rest()).isZero();
    rig.settle(given.get(0).ack());
    assertThat(rig.pop(4).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    rig.settle(given.get(1).ack());

    assertThat(bodies(rig.pop(4))).containsExactly("m2", "m3");
    assertThat(rig.popInOrder(4, "two").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
  }

  @Test
  void shouldWakeOneWhoDoesNotAskForOrderWhenTheQueueIsFree() {
    List<Given> given = given(rig.popInOrder(1, "one"));
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 2 * INVISIBLE_MS, false, "");
    PopRequest waitsLonger = rig.request(PopRequest.ANY_QUEUE, 1, 2 * INVISIBLE_MS, false, "");
    assertThat(rig.ask(waits)).isNull();

    rig.settle(given.get(0).ack());
    assertThat(bodies(rig.answerTo(waits))).containsExactly("m1");
    rig.popInOrder(4, "two").release();
    assertThat(rig.ask(waitsLonger)).isNull();
    rig.pass(INVISIBLE_MS);

    assertThat(bodies(rig.answerTo(waitsLonger))).containsExactly("m2");
  }

  @Test
  void shouldGiveOutOfOrderOnceWhatWasPoppedInOrderAndIsVisibleAgain() {
    List<Given> inOrder = given(rig.popInOrder(2, "one"));
    rig.pass(INVISIBLE_MS);

    assertThat(bodies(rig.pop(3))).containsExactly("m0", "m1", "m2");
    rig.settle(inOrder.get(0).ack());

    assertThat(bodies(rig.popInOrder(4, "two"))).containsExactly("m3");
    assertThat(rig.pop(4).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
  }

  @Test
  void shouldKnowAfterARestartWhatWasPoppedInOrder() {
    List<Given> given = given(rig.popInOrder(2, "one"));

    rig.restart();

    assertThat(rig.pop(4).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    rig.settle(given.get(0).ack(), given.get(1).ack());
    assertThat(bodies(rig.pop(4))).containsExactly("m2", "m3");
  }

  @Test
  void shouldLoseNothingWhenNeitherAnUnorderedPopNorAnOrderedOneBehindItCanBeNoted() {
    rig.refusal = AppendStatus.UNAVAILABLE;
    rig.pops.add(rig.request(PopRequest.ANY_QUEUE, 2, 0, false, ""));
    rig.pops.add(rig.request(PopRequest.ANY_QUEUE, 2, 0, true, "one"));
    rig.run();
    rig.refusal = null;

    assertThat(bodies(rig.popInOrder(4, "two"))).containsExactly("m0", "m1", "m2", "m3");
  }

  @Test
  void shouldGoBackToWhatNobodyGotWhenWhatLiesBehindItIsSettled() {
    PopQueue queue = new PopQueue("workers", TOPIC, 0);
    queue.next(2);
    queue.block(OrderBlock.popped(null, "one", 0, INVISIBLE_MS, new long[] {2, 3}, 0));

    queue.next(0); // an unordered pop in front of it could not be noted
    queue.settledTo(4);

    assertThat(queue.next()).isZero();
  }

  @Test
  void shouldKeepItsFileInRocketMqsForm() throws Exception {
    List<Given> given = given(rig.popInOrder(2, "one"));
    rig.settle(given.get(1).ack(), given.get(0).stayInvisible(1_000));

    OrderFile file = rig.pops.ordered().takeChanged();
    String json = new String(ConfigJson.encode(OrderFile.FORMAT, file), StandardCharsets.UTF_8);

    long nowMs = rig.clock.millis();
    assertThat(json).isEqualTo("{\"table\":{\"orders@workers\":{\"0\":{\"a\":\"one\",\"cm\":2,\"i\":60000,\"l\":" + nowMs
        + ",\"o\":[0,1],\"oc\":{},\"ot\":{\"0\":" + (nowMs + 1_000) + "},\"popTime\":" + nowMs + "}}}}");
    OrderFile read = ConfigJson.decode(OrderFile.FORMAT, json.getBytes(StandardCharsets.UTF_8));
    OrderBlock block = read.blocks().get("orders@workers").get(0);
    assertThat(block.queueOffsets()).containsExactly(0, 1);
    assertThat(block.isAcked(1)).isTrue();
    assertThat(block.freeAtMs()).isEqualTo(nowMs + 1_000);
    assertThat(read.blocks()).containsOnlyKeys("orders@workers");
  }
}
