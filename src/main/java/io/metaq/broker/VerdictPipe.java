package io.metaq.broker;

import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.Watermark;
import io.metaq.coordinator.api.TransactionsProxy;
import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * Verdicts on their way to the coordinator of transactions: all of a loop round leave in one message. A commit whose answer waits has
 * it when the message is safe, as one that was sent would be.
 *
 * <p>Bound: {@value #MAX_WAITING} without an outcome; beyond that the connections that bring more are not read, until half of them
 * are gone.
 */
@OwnedBy("its event loop")
final class VerdictPipe {
  static final int MAX_WAITING = 16_384;

  private final Context context;
  private final TransactionsProxy coordinator;
  private final Clock clock;
  private final SafeAcks<Committed> acks;
  private final PausedReaders paused = new PausedReaders();
  private List<Verdict> verdicts = new ArrayList<>();
  private List<Promise<VerdictOutcome>> promises = new ArrayList<>();
  private int waiting;

  /** A message that is stored for its consumers, while its producer waits. */
  private record Committed(Promise<VerdictOutcome> promise, VerdictOutcome outcome, long storedNs) implements Unanswered<Committed> {
    @Override
    public long endOffset() {
      return outcome.endOffset();
    }

    @Override
    public Committed with(ResultCode code) {
      return new Committed(promise, new VerdictOutcome(code, "the message is " + code.meaning(), endOffset()), storedNs);
    }
  }

  VerdictPipe(Context context, int loop, TransactionsProxy coordinator, ReplicaProgress replicas, Clock clock, BrokerOptions options) {
    this.context = context;
    this.coordinator = coordinator;
    this.clock = clock;
    this.acks = new SafeAcks<>(options, replicas, loop, committed -> complete(committed.promise(), committed.outcome()));
  }

  /** Has a verdict carried out; the future never fails. */
  Future<VerdictOutcome> end(Connection connection, Verdict verdict) {
    if (verdicts.isEmpty()) {
      context.runOnContext(tick -> send());
    }
    Promise<VerdictOutcome> promise = Promise.promise();
    verdicts.add(verdict);
    promises.add(promise);
    waiting++;
    if (waiting >= MAX_WAITING) {
      paused.pause(connection);
    }
    return promise.future();
  }

  /** True when every verdict has its outcome. */
  boolean idle() {
    return waiting == 0;
  }

  void gone(Connection connection) {
    paused.gone(connection);
  }

  void watermark(Watermark watermark) {
    acks.watermark(watermark);
  }

  /** Answers whatever has waited too long. */
  void sweep() {
    acks.expire(clock.nanos());
  }

  private void send() {
    List<Verdict> sent = verdicts;
    List<Promise<VerdictOutcome>> asked = promises;
    verdicts = new ArrayList<>();
    promises = new ArrayList<>();
    coordinator.end(sent).onComplete(
        outcomes -> settle(sent, asked, outcomes),
        failure -> {
          VerdictOutcome notNow =
              VerdictOutcome.refused(ResultCode.SERVICE_NOT_AVAILABLE, "transactions cannot be ended now: " + failure.getMessage());
          asked.forEach(promise -> complete(promise, notNow));
        });
  }

  private void settle(List<Verdict> sent, List<Promise<VerdictOutcome>> asked, List<VerdictOutcome> outcomes) {
    for (int i = 0; i < asked.size(); i++) {
      VerdictOutcome outcome = outcomes.get(i);
      if (sent.get(i).waits() && outcome.endOffset() > 0) {
        acks.await(new Committed(asked.get(i), outcome, clock.nanos()));
      } else {
        complete(asked.get(i), outcome);
      }
    }
  }

  private void complete(Promise<VerdictOutcome> promise, VerdictOutcome outcome) {
    waiting--;
    Telling.tell("a commit or rollback", () -> promise.complete(outcome));
    if (waiting <= MAX_WAITING / 2) {
      paused.resume();
    }
  }
}
