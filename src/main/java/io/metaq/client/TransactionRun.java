package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Function;

/**
 * One transaction from its half message to its verdict. Given up at any time it tells no verdict, so that the broker asks for it.
 */
@OwnedBy("its client's context")
final class TransactionRun implements Home.Work<TransactionReceipt> {
  private final Home home;
  private final Transactions transactions;
  private final String group;
  private final Context caller;
  private final Function<SendReceipt, Uni<Verdict>> work;
  private final Home.Work<SendReceipt> half;
  private final Promise<TransactionReceipt> promise = Promise.promise();
  private Cancellable working;
  private boolean cancelled;

  /**
   * Begins.
   *
   * @param half the half message on its way
   * @param caller where the work is done; null for the client's context
   */
  TransactionRun(
      Home home,
      Transactions transactions,
      String group,
      Home.Work<SendReceipt> half,
      Function<SendReceipt, Uni<Verdict>> work,
      Context caller) {
    this.home = home;
    this.transactions = transactions;
    this.group = group;
    this.half = half;
    this.work = work;
    this.caller = caller;
    half.future().onComplete(this::stored);
  }

  @Override
  public Future<TransactionReceipt> future() {
    return promise.future();
  }

  @Override
  public void cancel() {
    cancelled = true;
    half.cancel();
    if (working != null) {
      working.cancel();
    }
  }

  private void stored(AsyncResult<SendReceipt> sent) {
    if (sent.failed()) {
      promise.fail(sent.cause());
    } else if (sent.result().stage() != SendReceipt.Stage.STORED) {
      SendReceipt unsafe = sent.result();
      transactions.end(group, unsafe, Verdict.ROLLBACK).onComplete(told -> promise.fail(unsafe(unsafe)));
    } else if (!cancelled) {
      home.runOn(caller, () -> begin(sent.result()));
    }
  }

  /** On the caller's context. */
  private void begin(SendReceipt receipt) {
    Cancellable begun =
        Uni.createFrom()
            .deferred(() -> work.apply(receipt))
            .subscribe()
            .with(
                verdict -> home.run(() -> end(receipt, verdict == null ? Verdict.UNKNOWN : verdict)),
                failure -> home.run(() -> promise.tryFail(workFailed(failure))));
    home.run(
        () -> {
          working = begun;
          if (cancelled) {
            begun.cancel();
          }
        });
  }

  private void end(SendReceipt receipt, Verdict verdict) {
    if (!cancelled) {
      transactions
          .end(group, receipt, verdict)
          .onComplete(told -> promise.tryComplete(new TransactionReceipt(receipt, verdict, told.result())));
    }
  }

  private static MetaqException workFailed(Throwable failure) {
    return MetaqException.of(
        MetaqException.Reason.HANDLER,
        "the transaction's work failed, its checker will be asked for the verdict: " + failure,
        failure);
  }

  /** The work is not begun for a message that might be lost. */
  private static MetaqException unsafe(SendReceipt receipt) {
    ResultCode code =
        switch (receipt.stage()) {
          case STORED, FLUSH_PENDING -> ResultCode.FLUSH_DISK_TIMEOUT;
          case NO_REPLICA -> ResultCode.SLAVE_NOT_AVAILABLE;
          case REPLICATION_PENDING -> ResultCode.FLUSH_SLAVE_TIMEOUT;
        };
    return MetaqException.refused(receipt.broker(), code.wire(), "the half message is not safe, so it was rolled back");
  }
}
