package io.metaq.coordinator;

import io.metaq.codec.remoting.MessageIds;
import io.metaq.model.Clock;

/** What verdicts, questions and op records share; all of one thread. */
record TransactionParts(
    TransactionLog store,
    TransactionTable table,
    HalfMessage half,
    CommittedCopies committed,
    TransactionRules rules,
    MessageIds ids,
    Clock clock) {
  private static final long WARNING_INTERVAL_MS = 10_000;

  /** A warning that is held back while it repeats itself. */
  RepeatedWarning warning() {
    return new RepeatedWarning(clock, WARNING_INTERVAL_MS);
  }
}
