package io.metaq.broker;

import io.metaq.model.OwnedBy;
import io.metaq.store.GetResult;
import io.metaq.store.StoreView;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Reads of what may not be in memory any more, made by a worker so that a page fault never stops the loop. The reads of one loop
 * round share one task.
 */
@OwnedBy("its event loop")
final class ColdReads {
  private final Context context;
  private final WorkerExecutor workers;
  private final StoreView store;
  private List<ColdRead> collected;
  private int running;

  ColdReads(Context context, WorkerExecutor workers, StoreView store) {
    this.context = context;
    this.workers = workers;
    this.store = store;
  }

  private record ColdRead(Pull pull, Consumer<GetResult> done, Consumer<Throwable> failed) {}

  private record Outcome(ColdRead read, GetResult result, Throwable failure) {}

  /** Reads on this loop; empty when the first message lies so far behind the end of the log that it may have to come from disk. */
  Optional<GetResult> getIfHot(Pull pull) {
    return store.getIfHot(pull.topic(), pull.queueId(), pull.queueOffset(), pull.maxMessages(), pull.maxBytes(), pull.filter());
  }

  private GetResult get(Pull pull) {
    return store.getCold(
        pull.topic(), pull.queueId(), pull.queueOffset(), pull.maxMessages(), pull.maxBytes(), pull.filter().get());
  }

  /** Reads on a worker; one of the two is called on this loop. */
  void read(Pull pull, Consumer<GetResult> done, Consumer<Throwable> failed) {
    if (collected == null) {
      collected = new ArrayList<>();
      context.runOnContext(tick -> start());
    }
    collected.add(new ColdRead(pull, done, failed));
  }

  /** Runs any other read of the store on a worker. */
  <T> Future<T> call(Callable<T> read) {
    running++;
    return workers.executeBlocking(read, false).onComplete(done -> running--);
  }

  /** True when no worker is at it. */
  boolean idle() {
    return running == 0 && collected == null;
  }

  private void start() {
    List<ColdRead> reads = collected;
    collected = null;
    call(() -> readAll(reads))
        .onSuccess(outcomes -> outcomes.forEach(ColdReads::tell))
        .onFailure(failure -> reads.forEach(read -> tell(new Outcome(read, null, failure))));
  }

  /** On a worker: one failed read does not fail its neighbours. */
  private List<Outcome> readAll(List<ColdRead> reads) {
    List<Outcome> outcomes = new ArrayList<>(reads.size());
    for (ColdRead read : reads) {
      try {
        outcomes.add(new Outcome(read, get(read.pull()), null));
      } catch (RuntimeException | Error failure) {
        outcomes.add(new Outcome(read, null, failure));
      }
    }
    return outcomes;
  }

  private static void tell(Outcome outcome) {
    Telling.tell(outcome.read().pull().connection(), () -> {
      if (outcome.failure() == null) {
        outcome.read().done().accept(outcome.result());
      } else {
        outcome.read().failed().accept(outcome.failure());
      }
    });
  }
}
