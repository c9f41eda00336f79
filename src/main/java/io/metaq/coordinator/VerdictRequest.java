package io.metaq.coordinator;

import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.OwnedBy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Verdicts that came together and are answered together, when the last one has its outcome. */
@OwnedBy("TransactionVerticle")
final class VerdictRequest {
  private final List<Verdict> verdicts;
  private final VerdictOutcome[] outcomes;
  private final Consumer<List<VerdictOutcome>> answer;
  private int open;

  /**
   * @param verdicts at least one
   */
  VerdictRequest(List<Verdict> verdicts, Consumer<List<VerdictOutcome>> answer) {
    this.verdicts = verdicts;
    this.answer = answer;
    outcomes = new VerdictOutcome[verdicts.size()];
    open = outcomes.length;
  }

  int count() {
    return outcomes.length;
  }

  Verdict verdict(int index) {
    return verdicts.get(index);
  }

  /** One verdict has its outcome; once for each. */
  void settled(int index, VerdictOutcome outcome) {
    outcomes[index] = outcome;
    open--;
    if (open == 0) {
      answer.accept(Arrays.asList(outcomes));
    }
  }
}
