package io.metaq.coordinator;

import static io.metaq.coordinator.PopRig.INVISIBLE_MS;
import static io.metaq.coordinator.PopRig.RETRY;
import static io.metaq.coordinator.PopRig.TOPIC;
import static io.metaq.coordinator.PopRig.bodies;
import static io.metaq.coordinator.PopRig.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.StoredMessage;
import io.metaq.coordinator.PopRig.Given;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopProxy.Gone;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.AppendStatus;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

class PopsTest {
  private static final int ALL = 32;

  @TempDir Path folder;

  private PopRig rig;

  @BeforeEach
  void open() {
    rig = new PopRig(folder);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldGiveEachMessageOnceWhileItIsInvisible() {
    for (int i = 0; i < 10; i++) {
      rig.send(i % 2, "m" + i);
    }

    List<String> first = bodies(rig.pop(6));
    List<String> second = bodies(rig.pop(ALL));

    assertThat(first).hasSize(6);
    assertThat(second).hasSize(4).doesNotContainAnyElementsOf(first);
    assertThat(rig.pop(ALL).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    assertThat(rig.committed).containsEntry("workers/orders/0", 5L).containsEntry("workers/orders/1", 5L);
  }

  @Test
  void shouldTellHowManyMessagesAreLeft() {
    for (int i = 0; i < 5; i++) {
      rig.send(0, "m" + i);
    }

    PopAnswer answer = rig.pop(2);

    assertThat(answer.rest()).isEqualTo(3);
    answer.release();
  }

  @Test
  void shouldReviveWhatIsNotAcknowledgedInTimeAndNothingElse() {
    rig.send(0, "kept");
    rig.send(0, "acknowledged");
    List<Given> given = rig.popped(ALL);
    rig.settle(given.get(1).ack());

    rig.pass(INVISIBLE_MS - 1);
    assertThat(rig.queue(RETRY, 0)).isEmpty();
    rig.pass(1);
    rig.pass(2_000);

    assertThat(rig.topics).containsExactly(RETRY);
    assertThat(rig.queue(RETRY, 0)).singleElement().satisfies(message -> {
      assertThat(message.body()).asString().isEqualTo("kept");
      assertThat(message.reconsumeTimes()).isEqualTo(1);
      assertThat(message.flag()).isEqualTo(5);
      assertThat(message.properties()).containsEntry("TAGS", "a").containsEntry("RETRY_TOPIC", TOPIC)
          .containsEntry("ORIGIN_GROUP", "workers")
          .containsEntry("1ST_POP_TIME", Long.toString(given.get(0).popTimeMs()));
    });
    assertThat(rig.pops.inFlight().size()).isZero();
    rig.pass(10 * INVISIBLE_MS);
    assertThat(rig.queue(RETRY, 0)).hasSize(1);
  }

  @Test
  void shouldPopTheRetryTopicWithTheTopicAndReviveFromItIntoItself() {
    rig.send(0, "m");
    Given first = rig.popped(ALL).get(0);
    rig.pass(INVISIBLE_MS);
    rig.pass(100);

    Given second = rig.popped(ALL).get(0);
    assertThat(second.topic()).isEqualTo(RETRY);
    assertThat(second.attempts()).isEqualTo(1);
    rig.pass(INVISIBLE_MS + 1_000);
    Given third = rig.popped(ALL).get(0);

    assertThat(third.topic()).isEqualTo(RETRY);
    assertThat(third.attempts()).isEqualTo(2);
    assertThat(rig.queue(RETRY, 0)).extracting(message -> message.property("1ST_POP_TIME"))
        .containsOnly(Long.toString(first.popTimeMs()));
    assertThat(rig.settle(third.ack())).containsExactly(SettleOutcome.DONE);
    rig.pass(10 * INVISIBLE_MS);
    assertThat(rig.queue(RETRY, 0)).hasSize(2);
  }

  @Test
  void shouldNoteAcknowledgementsOfOneCheckPointInOneRecord() {
    for (int i = 0; i < 8; i++) {
      rig.send(0, "m" + i);
    }
    List<Given> given = rig.popped(ALL);

    List<SettleOutcome> outcomes = rig.settle(given.stream().map(Given::ack).toArray(SettleRequest[]::new));

    assertThat(outcomes).hasSize(8).containsOnly(SettleOutcome.DONE);
    assertThat(rig.reviveLog("bAck")).singleElement().asString()
        .contains("\"aol\":[0,1,2,3,4,5,6,7]", "\"c\":\"workers\"", "\"t\":\"orders\"", "\"so\":0", "\"q\":0", "\"bn\":\"b1\"");
    assertThat(rig.pops.inFlight().size()).isZero();
  }

  @Test
  void shouldWriteCheckPointsInRocketMqsForm() {
    rig.send(0, "m0");
    rig.send(TOPIC, 0, "other tag", Map.of("TAGS", "b"));
    rig.send(0, "m2");

    Given given = rig.popped(ALL).get(0);

    assertThat(rig.reviveLog("ck"))
        .containsExactly("{\"bm\":0,\"bn\":\"b1\",\"c\":\"workers\",\"d\":[0,2],\"it\":60000,\"n\":2,\"pt\":"
        + given.popTimeMs() + ",\"q\":0,\"so\":0,\"t\":\"orders\"}");
  }

  @Test
  void shouldAcceptAnAcknowledgementOfWhatIsSettledAndRefuseOneOfWhatNeverWas() {
    rig.send(0, "m");
    Given given = rig.popped(ALL).get(0);
    rig.settle(given.ack());

    SettleRequest forged = new SettleRequest("workers", TOPIC, 0, 0, 12345, 0, new long[] {0}, SettleRequest.ACK, false);
    SettleRequest outside = new SettleRequest("workers", TOPIC, 0, 0, 12345, 0, new long[] {7}, SettleRequest.ACK, false);
    SettleRequest stranger = new SettleRequest("strangers", TOPIC, 1, 0, 12345, 0, new long[] {-1}, SettleRequest.ACK, false);

    assertThat(rig.settle(given.ack(), forged, outside, stranger)).extracting(SettleOutcome::code)
        .containsExactly(ResultCode.SUCCESS, ResultCode.SUCCESS, ResultCode.NO_MESSAGE, ResultCode.NO_MESSAGE);
    assertThat(rig.reviveLog("ack")).hasSize(1);
  }

  @Test
  void shouldKeepAMessageInvisibleForAsLongAsItsConsumerSays() {
    rig.send(0, "m0");
    rig.send(0, "m1");
    List<Given> given = rig.popped(ALL);
    rig.clock.advance(50_000);

    SettleOutcome outcome = rig.settle(given.get(1).stayInvisible(30_000)).get(0);
    assertThat(outcome.code()).isEqualTo(ResultCode.SUCCESS);
    assertThat(outcome.popTimeMs()).isEqualTo(rig.clock.millis());
    assertThat(outcome.invisibleMs()).isEqualTo(30_000);

    rig.pass(10_000);
    rig.pass(1_000);
    assertThat(rig.queue(RETRY, 0)).extracting(PopsTest::body).containsExactly("m0");
    rig.pass(19_000);
    rig.pass(1_000);
    assertThat(rig.queue(RETRY, 0)).extracting(PopsTest::body).containsExactly("m0", "m1");
  }

  @Test
  void shouldTakeTheNewHandleAndNotTheOldOneOnceTheTimeIsChanged() {
    rig.send(0, "m");
    Given given = rig.popped(ALL).get(0);
    SettleOutcome changed = rig.settle(given.stayInvisible(INVISIBLE_MS)).get(0);
    Given renewed = new Given("m", TOPIC, 0, given.queueOffset(), changed.popTimeMs(), given.reviveQueueId(), given.queueOffset(),
        0);

    assertThat(rig.settle(given.stayInvisible(5))).extracting(SettleOutcome::code).containsExactly(ResultCode.NO_MESSAGE);
    assertThat(rig.settle(given.ack())).containsExactly(SettleOutcome.DONE);
    assertThat(rig.pops.inFlight().size()).isEqualTo(1);
    assertThat(rig.settle(renewed.ack())).containsExactly(SettleOutcome.DONE);

    assertThat(rig.pops.inFlight().size()).isZero();
  }

  @Test
  void shouldGiveAMessageBackAtOnceWhenItIsToBeInvisibleForNoTime() {
    rig.send(0, "m");
    Given given = rig.popped(ALL).get(0);

    rig.settle(given.stayInvisible(0));
    rig.pass(50);
    rig.pass(50);

    assertThat(rig.popped(ALL)).extracting(Given::body).containsExactly("m");
  }

  @Test
  void shouldNotCountADeliveryThatWasSuspended() {
    rig.send(0, "m");
    Given given = rig.popped(ALL).get(0);

    rig.settle(given.settle(0, true));
    rig.pass(50);
    rig.pass(50);

    assertThat(rig.popped(ALL)).extracting(Given::attempts).containsExactly(0);
  }

  @Test
  void shouldPassOverWhatTheFilterDoesNotWant() {
    for (int i = 0; i < 20; i++) {
      rig.send(TOPIC, 0, "unwanted", Map.of("TAGS", "b"));
    }
    rig.send(0, "wanted");

    assertThat(bodies(rig.pop(ALL))).containsExactly("wanted");
    assertThat(rig.committed).containsEntry("workers/orders/0", 21L);
  }

  @Test
  void shouldWakeThoseWhoWaitInTheirOrder() {
    PopRequest first = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    PopRequest second = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    assertThat(rig.ask(first)).isNull();
    assertThat(rig.ask(second)).isNull();
    assertThat(rig.pops.waiting("workers", TOPIC, PopRequest.ANY_QUEUE)).isEqualTo(2);

    rig.send(1, "m0");
    rig.run();
    assertThat(bodies(rig.answerTo(first))).containsExactly("m0");
    assertThat(rig.answerTo(second)).isNull();
    rig.send(0, "m1");
    rig.run();

    assertThat(bodies(rig.answerTo(second))).containsExactly("m1");
    assertThat(rig.pops.waiting("workers", TOPIC, PopRequest.ANY_QUEUE)).isZero();
  }

  @Test
  void shouldWakeOneWhoWaitsWhenAMessageBecomesVisibleAgain() {
    rig.send(0, "m");
    rig.popped(ALL);
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 2 * INVISIBLE_MS, false, "");
    assertThat(rig.ask(waits)).isNull();

    rig.pass(INVISIBLE_MS);
    rig.pass(100);

    assertThat(bodies(rig.answerTo(waits))).containsExactly("m");
  }

  @Test
  void shouldTellANoticeOfAMessageThatCameWhileItWasLookedAt() {
    PopRequest notice = rig.look(Kind.NOTICE, 10_000);
    rig.afterLook = () -> rig.afterLook = () -> rig.afterLook = () -> rig.send(0, "m");

    rig.ask(notice);

    assertThat(rig.answerTo(notice)).isNotNull().extracting(PopAnswer::code).isEqualTo(ResultCode.SUCCESS);
  }

  @Test
  void shouldGiveOneWhoWaitsWhatCouldNotBeNotedForTheOneBefore() {
    PopRequest first = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    PopRequest second = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.ask(first);
    rig.ask(second);
    rig.refusal = AppendStatus.UNAVAILABLE;

    rig.send(0, "m");
    rig.runOnce();
    rig.refusal = null;
    rig.pass(50);

    assertThat(rig.answerTo(first).code()).isEqualTo(ResultCode.SYSTEM_ERROR);
    assertThat(bodies(rig.answerTo(second))).containsExactly("m");
  }

  @Test
  void shouldWakeOneForWhomMoreQueuesAreLookedAtThanForTheOneBefore() {
    PopRequest narrow = rig.request(PopRequest.ANY_QUEUE, 1, 1, 10_000, false, "");
    PopRequest wide = rig.request(PopRequest.ANY_QUEUE, 2, 1, 10_000, false, "");
    rig.ask(narrow);
    rig.ask(wide);

    rig.send(1, "m");
    rig.run();

    assertThat(rig.answerTo(narrow)).isNull();
    assertThat(bodies(rig.answerTo(wide))).containsExactly("m");
  }

  @Test
  void shouldWakeOneWhoWaitsWhenTheRetryTopicIsPutBack() {
    rig.send(RETRY, 0, "again", Map.of());
    rig.popped(ALL);
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.ask(waits);

    rig.move(RETRY, 0, 0);
    rig.run();

    assertThat(bodies(rig.answerTo(waits))).containsExactly("again");
  }

  @Test
  void shouldNotKeepWhatComesAgainFromOneWhoWaitsBehindAnOrderedPop() {
    PopRequest ordered = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, true, "one");
    PopRequest behind = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.ask(ordered);
    rig.ask(behind);

    rig.send(RETRY, 0, "again", Map.of());
    rig.run();

    assertThat(rig.answerTo(ordered)).isNull();
    assertThat(bodies(rig.answerTo(behind))).containsExactly("again");
  }

  @Test
  void shouldAnswerOneWhoHasWaitedLongEnough() {
    PopRequest waits = rig.request(0, 1, 10_000, false, "");
    rig.ask(waits);

    rig.pass(9_999);
    assertThat(rig.answerTo(waits)).isNull();
    rig.pass(1);

    assertThat(rig.answerTo(waits).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
  }

  @Test
  void shouldRefuseToLetMoreWaitThanAreAllowed() {
    rig.ask(rig.request(0, 1, 10_000, false, ""));
    rig.ask(rig.request(0, 1, 10_000, false, ""));
    PopRequest thirdOfTheQueue = rig.request(0, 1, 10_000, false, "");
    PopRequest thirdInAll = rig.request(1, 1, 10_000, false, "");
    PopRequest fourthInAll = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");

    assertThat(rig.ask(thirdOfTheQueue).code()).isEqualTo(ResultCode.POLLING_FULL);
    assertThat(rig.ask(thirdInAll)).isNull();
    assertThat(rig.ask(fourthInAll).code()).isEqualTo(ResultCode.POLLING_FULL);
  }

  @Test
  void shouldForgetWhoWaitedOnAConnectionThatEnded() {
    PopRequest gone = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.ask(gone);

    rig.pops.gone(new Gone(0, 1));
    rig.send(0, "m");
    rig.run();

    assertThat(rig.answerTo(gone)).isNull();
    assertThat(bodies(rig.pop(ALL))).containsExactly("m");
  }

  @Test
  void shouldGiveNothingToAConnectionThatEndedBeforeItsPopWasLookedAt() {
    rig.send(0, "m");
    PopRequest gone = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.pops.add(gone);

    rig.pops.gone(new Gone(0, 1));

    assertThat(bodies(rig.pop(ALL))).containsExactly("m");
    assertThat(rig.answerTo(gone)).isNull();
  }

  /** Seen before: each of them read all queues whenever a message came, when the topic had had more of them. */
  @Test
  void shouldLookOnceForAllWhoWaitThoughTheTopicHadMoreQueues() {
    int waiting = 100;
    rig.rules = PopRig.roomy(waiting);
    rig.restart();
    rig.ask(rig.request(PopRequest.ANY_QUEUE, 8, 1, 0, false, ""));
    for (int i = 0; i < waiting; i++) {
      rig.ask(rig.request(i % 2 == 0 ? PopRequest.ANY_QUEUE : 1, 4, 1, 10_000, false, ""));
    }
    int before = rig.looks;

    rig.send(2, "m");
    rig.run();

    assertThat(rig.answers).filteredOn(answer -> answer.code() == ResultCode.SUCCESS).hasSize(1);
    assertThat(rig.looks - before).isLessThan(30);
  }

  @Test
  void shouldServeWhoAsksForMoreQueuesThanWereFoundEmpty() {
    PopRequest few = rig.request(PopRequest.ANY_QUEUE, 2, 1, 10_000, false, "");
    PopRequest one = rig.request(3, 4, 1, 10_000, false, "");
    PopRequest many = rig.request(PopRequest.ANY_QUEUE, 4, 1, 10_000, true, "");
    rig.ask(few);
    rig.ask(one);
    rig.ask(many);

    rig.send(3, "m3");
    rig.send(2, "m2");
    rig.run();

    assertThat(rig.answerTo(few)).isNull();
    assertThat(bodies(rig.answerTo(one))).containsExactly("m3");
    assertThat(bodies(rig.answerTo(many))).containsExactly("m2");
  }

  @Test
  void shouldAnswerAllWhoWaitOnALoopThatStops() {
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.ask(waits);

    rig.pops.gone(new Gone(0, Gone.ALL));

    assertThat(rig.answerTo(waits).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
  }

  @Test
  void shouldGiveNothingMoreWhileTooMuchIsInFlight() {
    rig.rules = PopRig.rules(2, false);
    rig.restart();
    for (int i = 0; i < 3; i++) {
      rig.send(0, "m" + i);
    }
    Given first = rig.popped(1).get(0);
    rig.popped(1);

    PopAnswer third = rig.pop(1);
    assertThat(third.code()).isEqualTo(ResultCode.FLOW_CONTROL);
    assertThat(third.remark()).contains("popCkMaxBufferSize");
    rig.settle(first.ack());

    assertThat(rig.popped(1)).extracting(Given::body).containsExactly("m2");
  }

  @Test
  void shouldMakeNoMoreCheckPointsOfOneThanMayBeInFlight() {
    rig.rules = PopRig.rules(1, false);
    rig.restart();
    rig.send(0, "m0");
    rig.send(0, "m1");
    List<Given> given = rig.popped(ALL);

    SettleOutcome refused = rig.settle(given.get(0).stayInvisible(1_000)).get(0);
    rig.settle(given.get(1).ack());
    SettleOutcome changed = rig.settle(given.get(0).stayInvisible(1_000)).get(0);

    assertThat(refused.code()).isEqualTo(ResultCode.FLOW_CONTROL);
    assertThat(refused.remark()).contains("popCkMaxBufferSize");
    assertThat(changed.code()).isEqualTo(ResultCode.SUCCESS);
    assertThat(rig.pops.inFlight().size()).isEqualTo(1);
  }

  @Test
  void shouldGiveNothingThatCouldNotBeNotedAndGiveItLater() {
    rig.send(0, "m");
    rig.refusal = AppendStatus.UNAVAILABLE;
    PopAnswer refused = rig.pop(ALL);
    assertThat(refused.code()).isEqualTo(ResultCode.SYSTEM_ERROR);
    assertThat(refused.remark()).endsWith("not now");

    rig.refusal = null;

    assertThat(bodies(rig.pop(ALL))).containsExactly("m");
    assertThat(rig.pops.inFlight().size()).isEqualTo(1);
  }

  /** Seen before: the queue was put back behind the back of whoever moved the group on. */
  @Test
  void shouldNotGoBackBehindAMoveWhenWhatWasPoppedBeforeItCouldNotBeNoted() {
    for (int i = 0; i < 4; i++) {
      rig.send(0, "m" + i);
    }
    rig.pops.add(rig.request(PopRequest.ANY_QUEUE, 2, 0, false, ""));
    rig.pops.fill();

    rig.move(0, 3);
    rig.pops.batch().refuseRest(AppendStatus.UNAVAILABLE, "not now");
    rig.pops.settle();

    assertThat(bodies(rig.pop(ALL))).containsExactly("m3");
  }

  @Test
  void shouldFailAnAcknowledgementThatCouldNotBeNoted() {
    rig.send(0, "m");
    Given given = rig.popped(ALL).get(0);
    rig.refusal = AppendStatus.FAILED;

    assertThat(rig.settle(given.ack())).extracting(SettleOutcome::code).containsExactly(ResultCode.SYSTEM_ERROR);
    assertThat(rig.pops.inFlight().size()).isEqualTo(1);
    rig.refusal = null;
    rig.run();

    assertThat(rig.pops.inFlight().size()).isZero();
  }

  @Test
  void shouldTryAgainToReviveWhatCouldNotBeStored() {
    rig.send(0, "m");
    rig.popped(ALL);
    rig.refusal = AppendStatus.UNAVAILABLE;
    rig.pass(INVISIBLE_MS);
    rig.pass(1_000);
    assertThat(rig.queue(RETRY, 0)).isEmpty();

    rig.refusal = null;
    rig.pass(1_000);

    assertThat(rig.queue(RETRY, 0)).hasSize(1);
  }

  @Test
  void shouldAnswerWhenItIsOnDiskWhereThatIsAskedFor() {
    rig.rules = PopRig.rules(100, true);
    rig.restart();
    rig.send(0, "m");
    PopRequest request = rig.request(PopRequest.ANY_QUEUE, 1, 0, false, "");

    assertThat(rig.ask(request)).isNull();
    assertThat(rig.committed).doesNotContainKey("workers/orders/0");
    assertThat(rig.pops.progressWaits()).isTrue();
    rig.pops.flushed(Long.MAX_VALUE);

    assertThat(bodies(rig.answerTo(request))).containsExactly("m");
    assertThat(rig.committed).containsEntry("workers/orders/0", 1L);
  }

  @Test
  void shouldShowWithoutTakingAndTellWhetherThereIsAnything() {
    PopRequest notice = rig.look(Kind.NOTICE, 10_000);
    assertThat(rig.ask(notice)).isNull();
    rig.send(0, "m");
    rig.run();

    assertThat(rig.answerTo(notice).rest()).isPositive();
    PopRequest peek = rig.look(Kind.PEEK, 0);
    assertThat(bodies(rig.ask(peek))).containsExactly("m");
    assertThat(bodies(rig.pop(ALL))).containsExactly("m");
    assertThat(rig.ask(rig.look(Kind.PEEK, 0)).code()).isEqualTo(ResultCode.PULL_NOT_FOUND);
    assertThat(rig.ask(rig.look(Kind.NOTICE, 0)).rest()).isZero();
  }

  /** It was looked at again and again, because the queue does reach beyond where the group stands. */
  @Test
  @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
  void shouldTellANoticeOfWhatItsFilterDoesNotWant() {
    PopRequest notice = rig.look(Kind.NOTICE, 10_000, tagsCode -> false);
    rig.ask(notice);

    rig.send(0, "m");
    rig.run();

    assertThat(rig.answerTo(notice).rest()).isPositive();
  }

  @Test
  void shouldEndALookAtMuchThatItsFilterDoesNotWant() {
    for (int i = 0; i < 13_000; i++) {
      rig.send(0, "m");
    }

    PopAnswer peeked = rig.ask(rig.look(Kind.PEEK, 0, tagsCode -> false));

    assertThat(peeked.code()).isEqualTo(ResultCode.PULL_NOT_FOUND);
    assertThat(rig.popped(1)).hasSize(1);
  }

  @Test
  void shouldGoWhereSomebodyElseMovedTheGroup() {
    for (int i = 0; i < 4; i++) {
      rig.send(0, "m" + i);
    }
    rig.popped(ALL);

    rig.move(0, 2);

    assertThat(rig.adopted).containsExactly("orders@workers/0 2");
    assertThat(bodies(rig.pop(ALL))).containsExactly("m2", "m3");
  }

  @Test
  void shouldForgetWhatADeletedGroupPopped() {
    rig.send(0, "m");
    rig.popped(ALL);

    rig.pops.forgetGroup("workers");
    rig.committed.clear();
    rig.pass(2 * INVISIBLE_MS);

    assertThat(rig.queue(RETRY, 0)).isEmpty();
    assertThat(bodies(rig.pop(ALL))).containsExactly("m");
  }

  @Test
  void shouldKeepNothingOfADeletedGroupAndAnswerWhoWaitsInIt() {
    rig.send(0, "m");
    rig.popped(ALL);
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.ask(waits);

    rig.pops.forgetGroup("workers");

    assertThat(rig.answerTo(waits).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    assertThat(rig.pops.table().queues()).isEmpty();
    assertThat(rig.pops.table().targets()).isEmpty();
    assertThat(rig.pops.table().targetsOf(TOPIC)).isEmpty();
    rig.pass(20_000);
    assertThat(rig.answers).filteredOn(answer -> answer.ticket() == waits.ticket()).hasSize(1);
  }

  @Test
  void shouldKeepNothingOfADeletedTopicAndAnswerWhoWaitsInIt() {
    rig.send(0, "m");
    rig.popped(ALL);
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.ask(waits);

    rig.pops.forgetTopic(TOPIC);

    assertThat(rig.answerTo(waits).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    assertThat(rig.pops.table().queues()).isEmpty();
    assertThat(rig.pops.table().targets()).isEmpty();
    assertThat(rig.pops.table().targetsOf(RETRY)).isEmpty();
  }

  @Test
  void shouldGoOnWithATopicWhoseRetryTopicAloneWasDeleted() {
    rig.send(RETRY, 0, "again", Map.of());
    rig.popped(ALL);
    PopRequest waits = rig.request(PopRequest.ANY_QUEUE, 1, 10_000, false, "");
    rig.ask(waits);

    rig.pops.forgetTopic(RETRY);
    rig.send(0, "m");
    rig.run();

    assertThat(bodies(rig.answerTo(waits))).containsExactly("m");
  }

  /** Seen before: it came back as a copy in the retry topic of the topic that was deleted. */
  @Test
  void shouldNotBringBackWhatWasOnItsWayWhenItsTopicWasDeleted() {
    rig.send(0, "m");
    rig.pops.add(rig.request(PopRequest.ANY_QUEUE, 1, 0, false, ""));
    rig.pops.fill();

    rig.pops.forgetTopic(TOPIC);
    rig.round();
    rig.pass(INVISIBLE_MS);
    rig.pass(100);

    assertThat(rig.topics).isEmpty();
    assertThat(rig.queue(RETRY, 0)).isEmpty();
  }

  @Test
  void shouldGiveEverybodyAMessageWhoseBodyFillsABatch() {
    rig.send(0, "x".repeat(300 << 10));
    rig.popped(ALL);

    rig.pass(INVISIBLE_MS);
    rig.pass(100);

    assertThat(rig.popped(ALL)).extracting(message -> message.body().length()).containsExactly(300 << 10);
  }

  static String body(StoredMessage message) {
    return new String(message.body(), StandardCharsets.UTF_8);
  }
}
