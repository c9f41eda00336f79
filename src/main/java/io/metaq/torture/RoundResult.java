package io.metaq.torture;

import io.metaq.store.FlushMode;
import java.util.List;

/**
 * What came of one round.
 *
 * @param acknowledged messages that were acknowledged, or shown by a restart
 * @param lost those of them that were lost although they must not be
 * @param lostAsExpected those that ASYNC_FLUSH may lose with the power, and did
 * @param duplicates messages found twice because a client sent them again
 * @param repaired starts that found the store not closed in order, or damaged, and brought it back
 * @param faults sentences about all that was not as it must be; empty when the round was passed
 */
public record RoundResult(
    Kind kind, FlushMode mode, long acknowledged, long lost, long lostAsExpected, long duplicates, int repaired, List<String> faults) {
  static RoundResult of(Kind kind, FlushMode mode, Ledger ledger, int repaired) {
    return new RoundResult(kind, mode, ledger.acknowledged(), ledger.lost(), ledger.lostUnpromised(), ledger.duplicates(), repaired,
        ledger.faults());
  }

  public boolean passed() {
    return lost == 0 && faults.isEmpty();
  }

  /** Messages that were found where they were acknowledged. */
  public long found() {
    return acknowledged - lost - lostAsExpected;
  }
}
