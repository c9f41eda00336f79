package io.metaq.broker;

import io.metaq.bus.GiantBuffers;
import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/**
 * The rounds of one loop that are not in use. Each has a direct buffer that only the collector frees, and it may not run for long, so
 * rounds are used again rather than made anew: also the many that large bodies fill between two looks at the writer.
 *
 * <p>Bound: {@value #MOST}, and fewer after a while: {@link #trim}.
 */
@OwnedBy("its event loop")
final class SpareRounds {
  static final int MOST = 32;
  static final int KEPT = 8;

  private final int sender;
  private final GiantBuffers giants = new GiantBuffers();
  private final ArrayDeque<SendRound> spare = new ArrayDeque<>();

  SpareRounds(int sender) {
    this.sender = sender;
  }

  /** An empty round. */
  SendRound take() {
    return spare.isEmpty() ? new SendRound(sender, giants) : spare.pop();
  }

  /** Takes an empty round back. */
  void giveBack(SendRound round) {
    if (spare.size() < MOST) {
      spare.push(round);
    }
  }

  /** Lets go of a round and of a buffer, as long as there are more than it takes without large bodies; to be called now and then. */
  void trim() {
    if (spare.size() > KEPT) {
      spare.removeLast();
    }
    giants.trim();
  }
}
