package io.metaq.coordinator;

import io.metaq.model.AppendStatus;
import io.metaq.model.OwnedBy;

/**
 * Writes check points anew that have fallen far behind the end of their revive queue, so that a restart never reads far back. One
 * of which something is being settled waits for another round: its record would not say so, and stand behind the one that does.
 */
@OwnedBy("PopVerticle")
final class Renewals {
  private static final int MOST_AT_ONCE = 16;

  private final InFlight inFlight;
  private final ReviveLog reviveLog;
  private final int span;

  Renewals(InFlight inFlight, ReviveLog reviveLog, int span) {
    this.inFlight = inFlight;
    this.reviveLog = reviveLog;
    this.span = span;
  }

  /** Puts what is to be written anew into the round as far as it has room. */
  void fill(PopRound round) {
    for (ReviveQueue queue : inFlight.reviveQueues()) {
      Checkpoint oldest = queue.head();
      for (int i = 0; i < MOST_AT_ONCE && oldest != null && queue.end() - oldest.reviveOffset() > span; i++) {
        Checkpoint renewed = oldest;
        oldest = oldest.behind();
        if (renewed.settling()) {
          continue;
        }
        reviveLog.addCheckpoint(round, renewed, (status, detail, reviveOffset, endOffset) -> {
          if (status == AppendStatus.STORED) {
            queue.wrote(reviveOffset);
            inFlight.renewed(renewed, reviveOffset);
          }
        });
      }
    }
  }
}
