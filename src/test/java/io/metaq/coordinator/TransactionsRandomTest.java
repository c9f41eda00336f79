package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.StoredMessage;
import io.metaq.coordinator.api.CheckTransaction;
import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.AppendStatus;
import io.metaq.model.ResultCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Producers that decide once and say it more than once, questions, and a process that dies in the middle of its batches. */
class TransactionsRandomTest {
  private static final int STEPS = 400;

  private final TransactionsRig rig = new TransactionsRig(Integer.MAX_VALUE);
  private final List<StoredMessage> halves = new ArrayList<>();
  private final Map<String, Boolean> decisions = new HashMap<>();
  private SplittableRandom random;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void shouldDeliverWhatIsCommittedOnceAndNothingElse(long seed) {
    random = new SplittableRandom(seed);

    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> send();
        case 3, 4 -> rig.ask(verdict(halves));
        case 5 -> answerOneQuestion();
        case 6 -> rig.transactions.beginChecks(rig.producers);
        case 7 -> rig.runOnce(random.nextInt(12), AppendStatus.UNAVAILABLE);
        case 8 -> rig.clock.advance(random.nextInt(8_000));
        default -> die();
      }
    }
    finish();

    List<String> committed = decisions.keySet().stream().filter(decisions::get).sorted().toList();
    List<String> delivered = new ArrayList<>(rig.deliveredKeys());
    Collections.sort(delivered);
    assertThat(delivered).isEqualTo(committed);
    assertThat(rig.transactions.nextHalf()).isEqualTo(rig.log.maxOffset(TransactionLog.Queue.HALF));
  }

  private void send() {
    String key = "k" + halves.size();
    halves.add(rig.half(key));
    decisions.put(key, random.nextBoolean());
  }

  /** What the producer of any half message says of it, maybe not for the first time. */
  private Verdict[] verdict(List<StoredMessage> of) {
    if (of.isEmpty()) {
      return new Verdict[0];
    }
    StoredMessage half = of.get(random.nextInt(of.size()));
    return new Verdict[] {
        decisions.get(half.property("UNIQ_KEY")) ? TransactionsRig.commit(half) : TransactionsRig.rollback(half)};
  }

  private void answerOneQuestion() {
    if (!rig.questions.isEmpty()) {
      CheckTransaction question = rig.questions.get(random.nextInt(rig.questions.size()));
      rig.ask(TransactionsRig.answer(question, decisions.get(question.uniqueKey())));
    }
  }

  private void die() {
    long nextHalf = rig.transactions.nextHalf();
    rig.dieAfter(random.nextInt(4));
    assertThat(rig.transactions.nextHalf()).isGreaterThanOrEqualTo(nextHalf);
    if (random.nextBoolean()) {
      rig.restart();
    } else {
      rig.restartWithoutProgress();
    }
  }

  /** Every producer answers whatever is not known yet. */
  private void finish() {
    rig.run();
    for (StoredMessage half : halves) {
      Verdict verdict = decisions.get(half.property("UNIQ_KEY")) ? TransactionsRig.commit(half) : TransactionsRig.rollback(half);
      List<VerdictOutcome> outcome = rig.end(verdict);
      assertThat(outcome).extracting(VerdictOutcome::code).containsAnyOf(ResultCode.SUCCESS, ResultCode.ILLEGAL_OPERATION);
    }
  }
}
