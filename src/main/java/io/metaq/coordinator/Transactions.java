package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.codec.remoting.MessageIds;
import io.metaq.model.Clock;
import io.metaq.model.DelayLevels;
import io.metaq.model.OwnedBy;

/**
 * The transactions of a broker, in rounds: {@link #fill} collects what is to be stored - what has ended, then verdicts, then copies
 * of what producers are asked for - and {@link #settle} draws the conclusions when the batch is back. What is not stored has not
 * happened.
 */
@OwnedBy("TransactionVerticle")
final class Transactions {
  private final TransactionTable table;
  private final OpRecords ops;
  private final VerdictDesk desk;
  private final CheckBack checks;
  private final AppendRound round;

  /**
   * Reads from the log what waits.
   *
   * @param sender number among the senders of the commit log
   * @param storeHost the broker's advertised address as a record has it
   * @param nextHalf noted progress, negative when there is none
   * @param nextOp the same of the op records
   */
  Transactions(
      TransactionLog store, TransactionRules rules, DelayLevels delays, int sender, byte[] storeHost, Clock clock, long nextHalf,
      long nextOp, CheckBack.Listener listener) {
    HalfMessage half = new HalfMessage(storeHost, delays);
    table = new TransactionRecovery(store, half).run(nextHalf, nextOp);
    TransactionParts parts = new TransactionParts(
        store, table, half, new CommittedCopies(store, storeHost, delays), rules, new MessageIds(storeHost), clock);
    ops = new OpRecords(parts, storeHost);
    desk = new VerdictDesk(parts);
    checks = new CheckBack(parts, listener);
    round = new AppendRound(sender);
  }

  /** Takes verdicts in; the next {@link #fill} carries them out. */
  void add(VerdictRequest verdicts) {
    desk.add(verdicts);
  }

  /** Begins to ask about what waits too long; the next calls of {@link #fill} do it. */
  void beginChecks(LiveProducers producers) {
    checks.begin(producers);
  }

  /** Asks about nothing more. */
  void endChecks() {
    checks.end();
  }

  /**
   * Collects what is to be stored now. Afterwards the batch holds records and must come back through {@link #settle}, or it is empty.
   *
   * @return whether more waits for a call of its own
   */
  boolean fill() {
    ops.fill(round);
    desk.fill(round);
    return checks.fill(round) || desk.hasWaiting() || !table.unnamed().isEmpty();
  }

  AppendBatch batch() {
    return round.batch();
  }

  /**
   * Draws the conclusions of what was stored.
   *
   * @return whether nothing of it has to be tried again
   */
  boolean settle() {
    return round.settle();
  }

  /** Nothing before this half message waits. */
  long nextHalf() {
    return table.nextHalf();
  }

  /** No op record before this one is needed any more. */
  long nextOp() {
    return table.nextOp();
  }
}
