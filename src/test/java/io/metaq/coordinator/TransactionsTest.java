package io.metaq.coordinator;

import static io.metaq.coordinator.TransactionsRig.GROUP;
import static io.metaq.coordinator.TransactionsRig.TOPIC;
import static io.metaq.coordinator.TransactionsRig.answer;
import static io.metaq.coordinator.TransactionsRig.commit;
import static io.metaq.coordinator.TransactionsRig.rollback;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.metaq.codec.record.StoredMessage;
import io.metaq.coordinator.api.CheckTransaction;
import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.AppendStatus;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.metaq.model.TimerMoments;
import io.metaq.model.Topics;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransactionsTest {
  private static final long PAST_IMMUNITY_MS = TransactionsRig.IMMUNITY_MS + 1;

  private final TransactionsRig rig = new TransactionsRig();

  @AfterEach
  void shouldHaveReleasedWhatItRead() {
    assertThat(rig.log.lent()).isZero();
  }

  @Test
  void shouldLetACommittedMessageWaitForItsTime() {
    long nowMs = rig.clock.millis();
    StoredMessage half = rig.log.half(GROUP, TOPIC, "k", Map.of("TIMER_DELAY_MS", "5000"));

    rig.end(commit(half));

    assertThat(rig.delivered()).isEmpty();
    StoredMessage waits = rig.log.queue(Topics.TIMER, 0).get(0);
    assertThat(waits.property("TIMER_OUT_MS")).isEqualTo(Long.toString(TimerMoments.written(nowMs + 5_000)));
    assertThat(waits.properties()).containsEntry("REAL_TOPIC", TOPIC).doesNotContainKey("TRAN_MSG");
  }

  @Test
  void shouldFindACommittedMessageThatWaitsAfterADeath() {
    StoredMessage half = rig.log.half(GROUP, TOPIC, "k", Map.of("TIMER_DELAY_MS", "50000"));
    rig.ask(commit(half));
    rig.dieAfter(1);
    rig.restart();
    rig.clock.advance(TransactionsRig.IMMUNITY_MS + 1);

    rig.check();

    assertThat(rig.questions).isEmpty();
    assertThat(rig.log.queue(Topics.TIMER, 0)).hasSize(1);
  }

  @Test
  void shouldStoreTheMessageForItsConsumersAndThenNoteTheEnd() {
    StoredMessage half = rig.log.half(GROUP, TOPIC, "k", Map.of("TAGS", "t", "own", "kept"));

    List<VerdictOutcome> outcomes = rig.end(commit(half));

    StoredMessage delivered = rig.delivered().get(0);
    assertThat(outcomes).containsExactly(VerdictOutcome.stored(delivered.phyOffset() + delivered.size()));
    assertThat(delivered.body()).isEqualTo(half.body());
    assertThat(delivered.flag()).isEqualTo(half.flag());
    assertThat(delivered.bornTimestamp()).isEqualTo(half.bornTimestamp());
    assertThat(delivered.bornHost()).isEqualTo(half.bornHost());
    assertThat(delivered.sysFlag() & SysFlag.TRANSACTION_MASK).isEqualTo(SysFlag.TRANSACTION_COMMIT);
    assertThat(delivered.preparedTransactionOffset()).isEqualTo(half.phyOffset());
    assertThat(delivered.properties()).isEqualTo(Map.of(
        "PGROUP", GROUP, "UNIQ_KEY", "k", "__transactionId__", "k", "TAGS", "t", "own", "kept"));
    assertThat(rig.opBodies()).containsExactly("0,");
    assertThat(rig.log.queue(Topics.HALF_OP, 0).get(0).property("TAGS")).isEqualTo("d");
  }

  @Test
  void shouldOnlyNoteTheEndOfWhatIsRolledBack() {
    List<VerdictOutcome> outcomes = rig.end(rollback(rig.half("k")));

    assertThat(outcomes).containsExactly(VerdictOutcome.DROPPED);
    assertThat(rig.delivered()).isEmpty();
    assertThat(rig.opBodies()).containsExactly("0,");
  }

  @Test
  void shouldParkACommittedMessageThatHasADelayLevel() {
    StoredMessage half = rig.log.half(GROUP, TOPIC, "k", Map.of("DELAY", "99"));

    rig.end(commit(half));

    StoredMessage parked = rig.log.queue(Topics.SCHEDULE, 17).get(0);
    assertThat(parked.property("REAL_TOPIC")).isEqualTo(TOPIC);
    assertThat(parked.property("REAL_QID")).isEqualTo("3");
    assertThat(parked.property("TRAN_MSG")).isEmpty();
    assertThat(rig.delivered()).isEmpty();
  }

  @Test
  void shouldRefuseAVerdictAfterAVerdict() {
    StoredMessage committed = rig.half("c");
    StoredMessage rolledBack = rig.half("r");
    rig.end(commit(committed), rollback(rolledBack));

    List<VerdictOutcome> outcomes = rig.end(commit(committed), rollback(committed), commit(rolledBack), rollback(rolledBack));

    assertThat(outcomes).extracting(VerdictOutcome::code).containsOnly(ResultCode.ILLEGAL_OPERATION);
    assertThat(rig.deliveredKeys()).containsExactly("c");
  }

  @Test
  void shouldTakeTheFirstOfVerdictsThatComeTogether() {
    StoredMessage half = rig.half("k");

    List<VerdictOutcome> outcomes = rig.end(commit(half), rollback(half), commit(half));

    assertThat(outcomes).extracting(VerdictOutcome::code)
        .containsExactly(ResultCode.SUCCESS, ResultCode.ILLEGAL_OPERATION, ResultCode.ILLEGAL_OPERATION);
    assertThat(rig.deliveredKeys()).containsExactly("k");
  }

  @Test
  void shouldTakeTheVerdictAgainWhenTheFirstCommitWasNotStored() {
    StoredMessage half = rig.half("k");
    List<VerdictOutcome> outcomes = rig.ask(commit(half), commit(half));

    rig.runOnce(0, AppendStatus.UNAVAILABLE);
    rig.run();

    assertThat(outcomes).extracting(VerdictOutcome::code).containsExactly(ResultCode.SERVICE_NOT_AVAILABLE, ResultCode.SUCCESS);
    assertThat(rig.deliveredKeys()).containsExactly("k");
  }

  @Test
  void shouldRefuseAVerdictThatDoesNotFitItsHalfMessage() {
    StoredMessage half = rig.half("k");
    StoredMessage other = rig.half("other");
    long place = half.phyOffset();
    StoredMessage ordinary = rig.log.store(TOPIC, 0, 0, Map.of("PGROUP", GROUP), "m", 0);

    List<VerdictOutcome> outcomes = rig.end(
        new Verdict("strangers", 0, place, true, false, "k", Verdict.NOBODY),
        new Verdict(GROUP, 1, place, true, false, "k", Verdict.NOBODY),
        new Verdict(GROUP, 0, other.phyOffset(), true, false, "other", Verdict.NOBODY),
        new Verdict(GROUP, 0, place, true, false, "other", Verdict.NOBODY),
        new Verdict(GROUP, 0, place + 1, true, false, "k", Verdict.NOBODY),
        new Verdict(GROUP, 0, -1, true, false, "k", Verdict.NOBODY),
        new Verdict(GROUP, 0, ordinary.phyOffset(), true, false, "", Verdict.NOBODY));

    assertThat(outcomes).hasSize(7).extracting(VerdictOutcome::code).containsOnly(ResultCode.SYSTEM_ERROR);
    assertThat(outcomes).extracting(VerdictOutcome::remark).doesNotHaveDuplicates().doesNotContain("");
    assertThat(rig.delivered()).isEmpty();
    assertThat(rig.end(commit(half))).extracting(VerdictOutcome::code).containsOnly(ResultCode.SUCCESS);
  }

  @Test
  void shouldTakeTheIdOfThePlaceOrNoIdForTheMessagesId() {
    StoredMessage first = rig.half("a");
    StoredMessage second = rig.half("b");
    String id = "7F000001" + "00002A9F" + String.format("%016X", first.phyOffset());

    List<VerdictOutcome> outcomes = rig.end(
        new Verdict(GROUP, first.queueOffset(), first.phyOffset(), true, false, id, Verdict.NOBODY),
        new Verdict(GROUP, second.queueOffset(), second.phyOffset(), true, false, "", Verdict.NOBODY));

    assertThat(outcomes).extracting(VerdictOutcome::code).containsOnly(ResultCode.SUCCESS);
  }

  @Test
  void shouldRefuseALateVerdictOnlyWhereTheMessageSetATimeAndNobodyAsked() {
    StoredMessage own = rig.log.half(GROUP, TOPIC, "own", Map.of("CHECK_IMMUNITY_TIME_IN_SECONDS", "10"));
    StoredMessage usual = rig.half("usual");
    rig.clock.advance(10_001);

    List<VerdictOutcome> outcomes = rig.end(commit(own), commit(usual));

    assertThat(outcomes).extracting(VerdictOutcome::code).containsExactly(ResultCode.ILLEGAL_OPERATION, ResultCode.SUCCESS);
    rig.check();
    assertThat(rig.end(answer(rig.questions.get(0), true))).extracting(VerdictOutcome::code).containsOnly(ResultCode.SUCCESS);
  }

  @Test
  void shouldAskTheProducerWithACopyThatCounts() {
    StoredMessage half = rig.half("k");
    rig.clock.advance(TransactionsRig.IMMUNITY_MS);
    rig.check();
    assertThat(rig.questions).isEmpty();

    rig.clock.advance(1);
    rig.check();

    StoredMessage copy = rig.newestHalf();
    assertThat(copy.property("TRANSACTION_CHECK_TIMES")).isEqualTo("1");
    assertThat(copy.property("TRAN_PREPARED_QUEUE_OFFSET")).isEqualTo("0");
    assertThat(copy.body()).isEqualTo(half.body());
    CheckTransaction question = rig.questions.get(0);
    assertThat(question.topic()).isEqualTo(TOPIC);
    assertThat(question.halfQueueOffset()).isEqualTo(copy.queueOffset());
    assertThat(question.halfPhyOffset()).isEqualTo(copy.phyOffset());
    assertThat(question.uniqueKey()).isEqualTo("k");
    StoredMessage shown = StoredMessage.decode(ByteBuffer.wrap(question.message()), 0);
    assertThat(shown.topic()).isEqualTo(TOPIC);
    assertThat(shown.queueId()).isEqualTo(TransactionsRig.QUEUE_ID);
    assertThat(shown.queueOffset()).isEqualTo(copy.queueOffset());
    assertThat(shown.phyOffset()).isEqualTo(copy.phyOffset());
    assertThat(shown.bodyCrc()).isEqualTo(copy.bodyCrc());
    assertThat(shown.properties()).isEqualTo(copy.properties());
  }

  @Test
  void shouldCommitByTheCopyAndRefuseTheLateVerdictOnTheFirst() {
    StoredMessage half = rig.half("k");
    rig.clock.advance(PAST_IMMUNITY_MS);
    rig.check();

    List<VerdictOutcome> outcomes = rig.end(answer(rig.questions.get(0), true), commit(half));

    assertThat(outcomes).extracting(VerdictOutcome::code).containsExactly(ResultCode.SUCCESS, ResultCode.ILLEGAL_OPERATION);
    assertThat(rig.deliveredKeys()).containsExactly("k");
    assertThat(rig.opBodies()).containsExactly("0,1,");
  }

  @Test
  void shouldCommitByTheFirstAndRefuseTheAnswerForTheCopy() {
    StoredMessage half = rig.half("k");
    rig.clock.advance(PAST_IMMUNITY_MS);
    rig.check();
    rig.clock.advance(30_000);
    rig.check();

    List<VerdictOutcome> outcomes = rig.end(commit(half), answer(rig.questions.get(0), true), answer(rig.questions.get(1), false));

    assertThat(outcomes).extracting(VerdictOutcome::code)
        .containsExactly(ResultCode.SUCCESS, ResultCode.ILLEGAL_OPERATION, ResultCode.ILLEGAL_OPERATION);
    assertThat(rig.deliveredKeys()).containsExactly("k");
  }

  @Test
  void shouldAskTheMembersOfAGroupInTurn() {
    ClientConnection one = new ClientConnection(0, 1);
    ClientConnection two = new ClientConnection(1, 1);
    rig.producers = new LiveProducers(Map.of(GROUP, List.of(one, two), "others", List.of(new ClientConnection(0, 7))));
    for (int i = 0; i < 2; i++) {
      rig.half("k" + i);
      rig.log.half("others", TOPIC, "o" + i, Map.of());
    }
    rig.clock.advance(PAST_IMMUNITY_MS);

    rig.check();

    assertThat(rig.asked).containsExactly(one, new ClientConnection(0, 7), two, new ClientConnection(0, 7));
  }

  @Test
  void shouldWaitUncountedWhileNoProducerIsThere() {
    rig.half("k");
    LiveProducers there = rig.producers;
    rig.producers = new LiveProducers(Map.of());
    rig.clock.advance(PAST_IMMUNITY_MS);
    for (int i = 0; i <= TransactionsRig.MAX_CHECKS; i++) {
      rig.check();
      rig.clock.advance(30_000);
    }
    assertThat(rig.log.queue(Topics.HALF, 0)).hasSize(1);

    rig.producers = there;
    rig.check();

    assertThat(rig.newestHalf().property("TRANSACTION_CHECK_TIMES")).isEqualTo("1");
    assertThat(rig.questions).hasSize(1);
  }

  @Test
  void shouldGiveUpLoudlyAfterTheMostQuestions() {
    StoredMessage half = rig.half("k");
    rig.clock.advance(PAST_IMMUNITY_MS);
    for (int i = 0; i < TransactionsRig.MAX_CHECKS; i++) {
      rig.check();
      rig.clock.advance(30_000);
    }
    assertThat(rig.questions).hasSize(TransactionsRig.MAX_CHECKS);

    try (LogCapture lines = new LogCapture(CheckBack.class)) {
      rig.check();

      assertThat(lines.at(Level.ERROR)).singleElement().asString().contains("group=producers", "messageId=k", "transactionCheckMax");
    }
    StoredMessage kept = rig.log.queue(Topics.TRANS_CHECK_MAX_TIME, 0).get(0);
    assertThat(kept.body()).isEqualTo(half.body());
    assertThat(kept.property("REAL_TOPIC")).isEqualTo(TOPIC);
    assertThat(rig.givenUp).isEqualTo(1);
    assertThat(rig.questions).hasSize(TransactionsRig.MAX_CHECKS);
    assertThat(rig.end(commit(half))).extracting(VerdictOutcome::code).containsExactly(ResultCode.ILLEGAL_OPERATION);
    assertThat(rig.delivered()).isEmpty();
  }

  @Test
  void shouldGiveUpWhatIsOlderThanMessagesAreKept() {
    rig.half("k");
    rig.producers = new LiveProducers(Map.of());
    rig.clock.advance(TransactionsRig.MAX_AGE_MS + 1);

    rig.check();

    assertThat(rig.log.queue(Topics.TRANS_CHECK_MAX_TIME, 0)).hasSize(1);
  }

  @Test
  void shouldLetNoPoisonedHalfMessageStopTheOthers() {
    long bornMs = rig.clock.millis();
    rig.log.store(Topics.HALF, 0, 0, Map.of("REAL_TOPIC", TOPIC, "REAL_QID", "0"), "nobody to ask", bornMs);
    rig.log.half(GROUP, Topics.SCHEDULE, "system topic", Map.of());
    rig.log.half(GROUP, TOPIC, "no queue", Map.of("REAL_QID", "x"));
    rig.log.half(GROUP, TOPIC, "no number", Map.of("TRANSACTION_CHECK_TIMES", "x", "CHECK_IMMUNITY_TIME_IN_SECONDS", "x"));
    rig.log.half(GROUP, TOPIC, "long", Map.of("p", "x".repeat(32_640)));
    rig.log.store(Topics.HALF, 0, 0, Map.of("REAL_TOPIC", TOPIC, "REAL_QID", "0", "PGROUP", GROUP, "UNIQ_KEY", "future"), "future",
        Long.MAX_VALUE);
    rig.log.damage(rig.half("damaged").phyOffset());
    StoredMessage sound = rig.half("sound");
    rig.clock.advance(PAST_IMMUNITY_MS);

    rig.check();

    assertThat(rig.questions).extracting(CheckTransaction::uniqueKey).containsExactly("no number", "future", "sound");
    assertThat(rig.log.queue(Topics.TRANS_CHECK_MAX_TIME, 0)).hasSize(4);
    assertThat(rig.end(commit(sound))).extracting(VerdictOutcome::code).containsOnly(ResultCode.SUCCESS);
  }

  @Test
  void shouldRefuseToCommitWhatCannotBeDeliveredAndGoOn() {
    StoredMessage poisoned = rig.log.half(GROUP, Topics.SCHEDULE, "p", Map.of());
    StoredMessage sound = rig.half("s");

    List<VerdictOutcome> outcomes = rig.end(commit(poisoned), commit(sound));

    assertThat(outcomes).extracting(VerdictOutcome::code).containsExactly(ResultCode.SYSTEM_ERROR, ResultCode.SUCCESS);
    assertThat(rig.deliveredKeys()).containsExactly("s");
  }

  @Test
  void shouldNotCountAQuestionThatCouldNotBeStored() {
    rig.half("k");
    rig.clock.advance(PAST_IMMUNITY_MS);
    rig.transactions.beginChecks(rig.producers);
    rig.runOnce(0, AppendStatus.UNAVAILABLE);
    assertThat(rig.questions).isEmpty();

    rig.run();
    rig.check();

    assertThat(rig.questions).hasSize(1);
    assertThat(rig.newestHalf().property("TRANSACTION_CHECK_TIMES")).isEqualTo("1");
  }

  @Test
  void shouldNoteTheEndAgainWhenThatCouldNotBeStored() {
    rig.ask(commit(rig.half("k")));
    rig.runOnce(1, AppendStatus.UNAVAILABLE);
    rig.runOnce(0, AppendStatus.UNAVAILABLE);
    assertThat(rig.opBodies()).isEmpty();

    rig.run();

    assertThat(rig.opBodies()).containsExactly("0,");
  }

  @Test
  void shouldSplitLongNotesOfEnds() {
    Verdict[] verdicts = new Verdict[15];
    for (int i = 0; i < verdicts.length; i++) {
      verdicts[i] = rollback(rig.half("k" + i));
    }

    rig.end(verdicts);

    assertThat(rig.opBodies()).allSatisfy(body -> assertThat(body.length()).isLessThanOrEqualTo(40));
    assertThat(String.join("", rig.opBodies())).isEqualTo("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,");
  }

  @Test
  void shouldKeepWhatWaitsNearTheEndOfItsQueueWithoutCounting() {
    rig.log.half(GROUP, TOPIC, "patient", Map.of("CHECK_IMMUNITY_TIME_IN_SECONDS", "100000"));
    for (int i = 0; i < TransactionsRig.MAX_SPAN - 1; i++) {
      rig.end(rollback(rig.half("k" + i)));
    }
    rig.check();
    assertThat(rig.transactions.nextHalf()).isZero();

    rig.end(rollback(rig.half("one more")));
    rig.check();

    StoredMessage copy = rig.newestHalf();
    assertThat(copy.property("UNIQ_KEY")).isEqualTo("patient");
    assertThat(copy.property("TRANSACTION_CHECK_TIMES")).isEqualTo("0");
    assertThat(rig.transactions.nextHalf()).isEqualTo(copy.queueOffset());
    assertThat(rig.questions).isEmpty();
  }

  @Test
  void shouldMoveItsProgressOverWhatHasEnded() {
    StoredMessage first = rig.half("a");
    StoredMessage second = rig.half("b");
    rig.end(commit(second));
    assertThat(List.of(rig.transactions.nextHalf(), rig.transactions.nextOp())).containsExactly(0L, 0L);

    rig.end(commit(first));

    assertThat(List.of(rig.transactions.nextHalf(), rig.transactions.nextOp())).containsExactly(2L, 2L);
  }

  @Test
  void shouldKnowAfterARestartWhatHasEndedAndWhatWaits() {
    StoredMessage waiting = rig.half("w");
    StoredMessage ended = rig.half("e");
    rig.end(commit(ended));

    rig.restart();

    assertThat(rig.end(commit(ended), commit(waiting))).extracting(VerdictOutcome::code)
        .containsExactly(ResultCode.ILLEGAL_OPERATION, ResultCode.SUCCESS);
    assertThat(rig.deliveredKeys()).containsExactly("e", "w");
  }

  @Test
  void shouldFollowCopiesAfterARestartWithoutProgress() {
    StoredMessage asked = rig.half("asked");
    StoredMessage ended = rig.half("ended");
    rig.clock.advance(PAST_IMMUNITY_MS);
    rig.check();
    rig.clock.advance(30_000);
    rig.check();
    rig.end(commit(ended));

    rig.restartWithoutProgress();
    rig.questions.clear();
    rig.clock.advance(30_000);
    rig.check();

    assertThat(rig.questions).extracting(CheckTransaction::uniqueKey).containsExactly("asked");
    assertThat(rig.newestHalf().property("TRANSACTION_CHECK_TIMES")).isEqualTo("3");
    assertThat(rig.newestHalf().property("TRAN_PREPARED_QUEUE_OFFSET")).isEqualTo("0");
    assertThat(rig.end(commit(asked), answer(rig.questions.get(0), true))).extracting(VerdictOutcome::code)
        .containsExactly(ResultCode.SUCCESS, ResultCode.ILLEGAL_OPERATION);
    assertThat(rig.deliveredKeys()).containsExactly("ended", "asked");
  }

  @Test
  void shouldFindTheCommitWhoseEndWasNotNotedBeforeTheProcessDied() {
    StoredMessage half = rig.half("k");
    rig.clock.advance(PAST_IMMUNITY_MS);
    rig.check();
    rig.ask(commit(half));
    rig.dieAfter(1);
    assertThat(rig.opBodies()).isEmpty();

    rig.restart();
    rig.questions.clear();
    rig.clock.advance(30_000);
    rig.check();

    assertThat(rig.questions).isEmpty();
    assertThat(rig.end(commit(half))).extracting(VerdictOutcome::code).containsExactly(ResultCode.ILLEGAL_OPERATION);
    assertThat(rig.deliveredKeys()).containsExactly("k");
    assertThat(rig.opBodies()).containsExactly("0,1,");
  }

  @Test
  void shouldAskAgainWhereTheProgressIsAheadOfTheLog() {
    StoredMessage old = rig.half("old");
    rig.clock.advance(TransactionRecovery.READ_AGAIN_MS + 1);
    StoredMessage ended = rig.half("ended");
    rig.half("end not copied");

    rig.end(commit(ended));
    rig.restart(3, 1);
    rig.check();
    rig.clock.advance(PAST_IMMUNITY_MS);
    rig.check();

    assertThat(rig.questions).extracting(CheckTransaction::uniqueKey).containsExactly("end not copied");
    assertThat(rig.end(commit(old))).extracting(VerdictOutcome::code).containsExactly(ResultCode.ILLEGAL_OPERATION);
  }

  @Test
  void shouldNotTakeTheCommitOfAnotherTransactionOfTheSameMessageForItsOwn() {
    StoredMessage first = rig.half("same");
    StoredMessage second = rig.half("same");
    rig.end(commit(first));
    rig.restart();

    assertThat(rig.end(commit(second))).extracting(VerdictOutcome::code).containsOnly(ResultCode.SUCCESS);
    assertThat(rig.deliveredKeys()).containsExactly("same", "same");
  }

  @Test
  void shouldAskAgainAfterADeathInFrontOfTheNoteWhenThereIsNoIndex() {
    rig.log.withoutIndex();
    rig.ask(commit(rig.half("k")));
    rig.dieAfter(1);

    rig.restart();
    rig.clock.advance(PAST_IMMUNITY_MS);
    rig.check();

    assertThat(rig.questions).hasSize(1);
  }

  @Test
  void shouldReadWhatRocketMqHasWritten() {
    long bornMs = rig.clock.millis();
    StoredMessage ended = rig.half("ended");
    StoredMessage immune = rig.log.half(GROUP, TOPIC, "immune", Map.of("CHECK_IMMUNITY_TIME_IN_SECONDS", "60"));
    StoredMessage waiting = rig.half("waiting");
    StoredMessage copy = rig.log.half(GROUP, TOPIC, "immune",
        Map.of("CHECK_IMMUNITY_TIME_IN_SECONDS", "60", "TRAN_PREPARED_QUEUE_OFFSET", Long.toString(immune.queueOffset())));
    Map<String, String> op = Map.of("TAGS", "d", "WAIT", "false", "UNIQ_KEY", "0123456789ABCDEF");
    rig.log.store(Topics.HALF_OP, 0, 0, op, Long.toString(ended.queueOffset()), bornMs);
    rig.log.store(Topics.HALF_OP, 0, 0, op, immune.queueOffset() + ",", bornMs);
    rig.log.store(Topics.HALF_OP, 0, 0, op, "rubbish,,", bornMs);
    rig.log.store(Topics.HALF_OP, 0, 0, Map.of("TAGS", "other"), Long.toString(waiting.queueOffset()), bornMs);

    rig.restartWithoutProgress();

    assertThat(rig.end(commit(ended), commit(immune), commit(copy), commit(waiting))).extracting(VerdictOutcome::code)
        .containsExactly(
            ResultCode.ILLEGAL_OPERATION, ResultCode.ILLEGAL_OPERATION, ResultCode.ILLEGAL_OPERATION, ResultCode.SUCCESS);
    assertThat(rig.deliveredKeys()).containsExactly("waiting");
  }

  @Test
  void shouldGoOnInsideItsQueueWhenTheLogWasCleaned() {
    rig.half("gone");
    StoredMessage there = rig.half("there");
    rig.log.cleaned(TransactionLog.Queue.HALF, there.queueOffset());

    rig.restart();

    assertThat(rig.transactions.nextHalf()).isEqualTo(there.queueOffset());
    assertThat(rig.end(commit(there))).extracting(VerdictOutcome::code).containsOnly(ResultCode.SUCCESS);
  }

  @Test
  void shouldNotLetAForgedRootStandForAnotherTransaction() {
    StoredMessage half = rig.half("k");
    Map<String, String> forged = new HashMap<>();
    forged.put("TRAN_PREPARED_QUEUE_OFFSET", "7777");
    StoredMessage forger = rig.log.half(GROUP, TOPIC, "f", forged);

    rig.restart();

    assertThat(rig.end(commit(forger), commit(half))).extracting(VerdictOutcome::code).containsOnly(ResultCode.SUCCESS);
  }
}
