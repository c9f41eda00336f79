package io.metaq.coordinator;

import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.OwnedBy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** One of the requests that came in one message, whose outcomes go back together. */
@OwnedBy("PopVerticle")
final class SettleTask {
  private final Batch batch;
  private final int index;

  private SettleTask(Batch batch, int index) {
    this.batch = batch;
    this.index = index;
  }

  /** The requests of one message. */
  @OwnedBy("PopVerticle")
  private static final class Batch {
    private final List<SettleRequest> requests;
    private final SettleOutcome[] outcomes;
    private final Consumer<List<SettleOutcome>> answer;
    private int open;

    Batch(List<SettleRequest> requests, Consumer<List<SettleOutcome>> answer) {
      this.requests = requests;
      this.answer = answer;
      outcomes = new SettleOutcome[requests.size()];
      open = outcomes.length;
    }
  }

  /** One task for each request; {@code answer} hears the outcomes when all have theirs. */
  static List<SettleTask> of(List<SettleRequest> requests, Consumer<List<SettleOutcome>> answer) {
    Batch batch = new Batch(requests, answer);
    SettleTask[] tasks = new SettleTask[requests.size()];
    Arrays.setAll(tasks, index -> new SettleTask(batch, index));
    return List.of(tasks);
  }

  SettleRequest request() {
    return batch.requests.get(index);
  }

  void done(SettleOutcome outcome) {
    if (batch.outcomes[index] == null) {
      batch.outcomes[index] = outcome;
      if (--batch.open == 0) {
        batch.answer.accept(List.of(batch.outcomes));
      }
    }
  }
}
