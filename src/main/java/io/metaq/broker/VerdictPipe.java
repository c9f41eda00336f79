package io.metaq.broker;

import io.metaq.coordinator.api.TransactionsProxy;
import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Verdicts on their way to the coordinator of transactions: all of a loop round leave in one message.
 *
 * <p>Bound: {@value #MAX_WAITING} without an outcome; beyond that the connections that bring more are not read, until half of them
 * are gone.
 */
@OwnedBy("its event loop")
final class VerdictPipe {
  static final int MAX_WAITING = 16_384;

  private final Context context;
  private final TransactionsProxy coordinator;
  private final Set<Connection> paused = new HashSet<>();
  private List<Verdict> verdicts = new ArrayList<>();
  private List<Promise<VerdictOutcome>> promises = new ArrayList<>();
  private int waiting;

  VerdictPipe(Context context, TransactionsProxy coordinator) {
    this.context = context;
    this.coordinator = coordinator;
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
    if (waiting >= MAX_WAITING && paused.add(connection)) {
      connection.pauseReading();
    }
    return promise.future();
  }

  /** True when every verdict has its outcome. */
  boolean idle() {
    return waiting == 0;
  }

  void gone(Connection connection) {
    paused.remove(connection);
  }

  private void send() {
    List<Verdict> sent = verdicts;
    List<Promise<VerdictOutcome>> asked = promises;
    verdicts = new ArrayList<>();
    promises = new ArrayList<>();
    coordinator.end(sent).onComplete(
        outcomes -> settle(asked, outcomes),
        failure -> {
          VerdictOutcome notNow =
              new VerdictOutcome(ResultCode.SERVICE_NOT_AVAILABLE, "transactions cannot be ended now: " + failure.getMessage());
          settle(asked, asked.stream().map(promise -> notNow).toList());
        });
  }

  private void settle(List<Promise<VerdictOutcome>> asked, List<VerdictOutcome> outcomes) {
    waiting -= asked.size();
    for (int i = 0; i < asked.size(); i++) {
      asked.get(i).complete(outcomes.get(i));
    }
    if (waiting <= MAX_WAITING / 2) {
      paused.forEach(Connection::resumeReading);
      paused.clear();
    }
  }
}
