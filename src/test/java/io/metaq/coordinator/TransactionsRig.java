package io.metaq.coordinator;

import io.metaq.HandClock;
import io.metaq.codec.record.StoredMessage;
import io.metaq.coordinator.api.CheckTransaction;
import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.AppendStatus;
import io.metaq.model.DelayLevels;
import io.metaq.model.Topics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** {@link Transactions} over a {@link FakeTransactionLog}, with a clock that is moved by hand and ends of the process at will. */
final class TransactionsRig implements CheckBack.Listener {
  static final long IMMUNITY_MS = 6_000;
  static final int MAX_CHECKS = 3;
  static final long MAX_AGE_MS = 3_600_000;
  static final long MAX_SPAN = 100;
  static final String GROUP = "producers";
  static final String TOPIC = "orders";
  static final int QUEUE_ID = 3;
  private static final long NONE = -1;

  final HandClock clock = new HandClock();
  final FakeTransactionLog log = new FakeTransactionLog(clock);
  final List<CheckTransaction> questions = new ArrayList<>();
  final List<ClientConnection> asked = new ArrayList<>();
  LiveProducers producers = new LiveProducers(Map.of(GROUP, List.of(new ClientConnection(0, 1))));
  int givenUp;
  Transactions transactions;
  private final int maxChecks;

  TransactionsRig() {
    this(MAX_CHECKS);
  }

  TransactionsRig(int maxChecks) {
    this.maxChecks = maxChecks;
    transactions = begin(NONE, NONE);
  }

  /** A new process over the same log, with the progress of the one before. */
  void restart() {
    transactions = begin(transactions.nextHalf(), transactions.nextOp());
  }

  /** A new process over the same log, with this progress. */
  void restart(long nextHalf, long nextOp) {
    transactions = begin(nextHalf, nextOp);
  }

  /** A new process over the same log, where no progress was ever noted. */
  void restartWithoutProgress() {
    transactions = begin(NONE, NONE);
  }

  private Transactions begin(long nextHalf, long nextOp) {
    TransactionRules rules = new TransactionRules(IMMUNITY_MS, 30_000, maxChecks, MAX_AGE_MS, 40, MAX_SPAN);
    return new Transactions(log, rules, DelayLevels.DEFAULT, 2, FakeTransactionLog.STORE_HOST, clock, nextHalf, nextOp, this);
  }

  StoredMessage half(String key) {
    return log.half(GROUP, TOPIC, key, Map.of());
  }

  static Verdict commit(StoredMessage half) {
    return new Verdict(GROUP, half.queueOffset(), half.phyOffset(), true, false, half.property("UNIQ_KEY"), Verdict.NOBODY);
  }

  static Verdict rollback(StoredMessage half) {
    return new Verdict(GROUP, half.queueOffset(), half.phyOffset(), false, false, half.property("UNIQ_KEY"), Verdict.NOBODY);
  }

  static Verdict answer(CheckTransaction question, boolean commit) {
    return new Verdict(GROUP, question.halfQueueOffset(), question.halfPhyOffset(), commit, true, question.uniqueKey(), Verdict.NOBODY);
  }

  /** Brings verdicts in, and stores all that follows from them. */
  List<VerdictOutcome> end(Verdict... verdicts) {
    List<VerdictOutcome> outcomes = ask(verdicts);
    run();
    return outcomes;
  }

  /** Brings verdicts in; the list fills when they have their outcomes. */
  List<VerdictOutcome> ask(Verdict... verdicts) {
    List<VerdictOutcome> outcomes = new ArrayList<>();
    transactions.add(new VerdictRequest(Arrays.asList(verdicts), outcomes::addAll));
    return outcomes;
  }

  /** Begins a round of questions and stores all that follows. */
  void check() {
    transactions.beginChecks(producers);
    run();
  }

  /** Stores whatever there is to store. */
  void run() {
    boolean more = true;
    for (int round = 0; more && round < 10_000; round++) {
      more = transactions.fill() | transactions.batch().count() > 0;
      log.append(transactions.batch(), Integer.MAX_VALUE, AppendStatus.STORED);
      transactions.settle();
    }
  }

  /** One batch, of which only the first records are stored. */
  void runOnce(int stored, AppendStatus refusal) {
    transactions.fill();
    log.append(transactions.batch(), stored, refusal);
    transactions.settle();
  }

  /** One batch, of which the first records are stored before the process ends without hearing of it. */
  void dieAfter(int stored) {
    transactions.fill();
    log.append(transactions.batch(), stored, AppendStatus.FAILED);
  }

  List<StoredMessage> delivered() {
    return log.queue(TOPIC, QUEUE_ID);
  }

  List<String> deliveredKeys() {
    return delivered().stream().map(message -> message.property("UNIQ_KEY")).toList();
  }

  List<String> opBodies() {
    return log.queue(Topics.HALF_OP, 0).stream().map(message -> new String(message.body())).toList();
  }

  StoredMessage newestHalf() {
    List<StoredMessage> all = log.queue(Topics.HALF, 0);
    return all.get(all.size() - 1);
  }

  @Override
  public void ask(ClientConnection producer, CheckTransaction question) {
    asked.add(producer);
    questions.add(question);
  }

  @Override
  public void givenUp() {
    givenUp++;
  }
}
