package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** What can be asked of TransactionVerticle: to carry verdicts out. */
public final class TransactionsProxy {
  public static final String END = "metaq.transactions.end";

  private final Vertx vertx;

  public TransactionsProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Carries the verdicts of one loop round out, in their order; there is an outcome for each. */
  public Future<List<VerdictOutcome>> end(List<Verdict> verdicts) {
    return vertx.eventBus().<List<VerdictOutcome>>request(END, List.copyOf(verdicts), LocalBus.LOCAL).map(message -> message.body());
  }
}
