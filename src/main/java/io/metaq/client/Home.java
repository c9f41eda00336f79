package io.metaq.client;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one Vert.x context all state of a client lives on, and the way in and out: {@link #run} brings work here from any thread in
 * its order, {@link #uni} takes the answer back to the caller's context. Work that comes from elsewhere is taken in batches, with
 * one context task for each. When the Vert.x is closed, what comes is refused at once, and when the client ends, whatever is open.
 */
@OwnedBy("any thread for the queue, which is the crossing; the context for the rest")
final class Home {
  private static final Logger log = LoggerFactory.getLogger(Home.class);

  /** So many tasks from elsewhere in one turn of the loop, so that timers and sockets have theirs. */
  private static final int TASKS_A_TURN = 1024;

  private final Vertx vertx;
  private final Context context;
  private final Clock clock;
  private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final Ring open = new Ring();
  private boolean ended;

  Home(Vertx vertx, Clock clock) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.clock = clock;
  }

  Clock clock() {
    return clock;
  }

  Vertx vertx() {
    return vertx;
  }

  /** A task whose caller waits for its end. */
  interface Awaited extends Runnable {
    /** It will never run, or never end. Called from anywhere. */
    void refused(MetaqException reason);
  }

  /** Runs it here: at once when the caller is here already. Never throws; when the Vert.x is closed the task is dropped. */
  void run(Runnable task) {
    // A worker that runs a blocking task of this context has the context too.
    if (Vertx.currentContext() == context && Context.isOnEventLoopThread()) {
      task.run();
    } else {
      inbox.add(task);
      wake();
    }
  }

  /** Runs it here after what is going on, when this round's other work is done. */
  void later(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  /** Runs it here once, after a delay of at least 1 ms. Call from here. */
  long after(long delayMs, Runnable task) {
    return vertx.setTimer(Math.max(1, delayMs), ignored -> task.run());
  }

  /** Runs it here again and again. Call from here. */
  long every(long periodMs, Runnable task) {
    return vertx.setPeriodic(periodMs, ignored -> task.run());
  }

  void cancel(long timer) {
    vertx.cancelTimer(timer);
  }

  /** Runs it on a worker thread; the future completes here. Call from here. */
  <T> Future<T> blocking(Callable<T> task) {
    // A promise without a context calls its listeners in their order at once. The future of Vert.x belongs to whatever duplicate of
    // this context is current, and takes a turn through the loop for listeners of another one.
    Promise<T> promise = Promise.promise();
    vertx
        .executeBlocking(task, false)
        .onComplete(
            done ->
                run(
                    () -> {
                      if (done.succeeded()) {
                        promise.complete(done.result());
                      } else {
                        promise.fail(done.cause());
                      }
                    }));
    return promise.future();
  }

  /**
   * A Uni that does {@code action} here, anew for each subscription, and answers on the subscriber's own context when it has one.
   */
  <T> Uni<T> uni(Supplier<Future<T>> action) {
    return Uni.createFrom()
        .emitter(emitter -> run(new Subscribed<>(Vertx.currentContext(), emitter, () -> Work.of(action.get()))));
  }

  /** Something under way that its subscriber may give up. */
  interface Work<T> {
    Future<T> future();

    /** Gives it up; does nothing once it is done. Called on the client's context. */
    void cancel();

    /** One that is done, or goes on when it is given up. */
    static <T> Work<T> of(Future<T> future) {
      return new Work<>() {
        @Override
        public Future<T> future() {
          return future;
        }

        @Override
        public void cancel() {}
      };
    }

    /** The same work with another result. */
    default <U> Work<U> as(Function<T, U> result) {
      Work<T> whole = this;
      Future<U> mapped = future().map(result);
      return new Work<>() {
        @Override
        public Future<U> future() {
          return mapped;
        }

        @Override
        public void cancel() {
          whole.cancel();
        }
      };
    }
  }

  /** As {@link #uni}, for what can be given up: it is when the subscriber cancels. */
  <T> Uni<T> cancellable(Supplier<? extends Work<T>> action) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              Subscribed<T> subscribed = new Subscribed<>(Vertx.currentContext(), emitter, action);
              emitter.onTermination(subscribed::ended);
              run(subscribed);
            });
  }

  /** Fails every Uni that is still open, and each that comes, with {@code CLOSED}: nobody waits for what does not come any more. */
  void end() {
    ended = true;
    while (open.next != open) {
      open.next.refused(closed("the client is closed"));
    }
  }

  /** Runs it on {@code caller}, or right here when that is null, this context, or of a Vert.x that is closed. Call from here. */
  void runOn(Context caller, Runnable task) {
    if (caller == null || caller == context) {
      task.run();
      return;
    }
    try {
      caller.runOnContext(ignored -> task.run());
    } catch (RejectedExecutionException callerIsGone) {
      task.run();
    }
  }

  private <T> void answer(Context caller, UniEmitter<? super T> emitter, AsyncResult<T> result) {
    tell(
        caller,
        () -> {
          if (result.succeeded()) {
            emitter.complete(result.result());
          } else {
            emitter.fail(typed(result.cause()));
          }
        });
  }

  /** What a subscriber throws must not end what called: the connection that its answer came over, and all that waits for others. */
  private void tell(Context caller, Runnable answer) {
    runOn(
        caller,
        () -> {
          try {
            answer.run();
          } catch (RuntimeException | Error broken) {
            log.error("a subscriber threw at its answer", broken);
          }
        });
  }

  /**
   * What fails with something else than the client's own failures got an answer that cannot be read, or was called with values that cannot be
   * used, as null.
   */
  private static MetaqException typed(Throwable failure) {
    if (failure instanceof MetaqException own) {
      return own;
    }
    return failure instanceof HeaderException || failure instanceof BodyException
        ? MetaqException.of(MetaqException.Reason.CONNECTION, "an answer cannot be read: " + failure.getMessage(), failure)
        : MetaqException.of(MetaqException.Reason.INVALID, "the call cannot be carried out: " + failure, failure);
  }

  private void wake() {
    if (!woken.get() && woken.compareAndSet(false, true)) {
      try {
        context.runOnContext(ignored -> takeInbox());
      } catch (RejectedExecutionException vertxIsClosed) {
        woken.set(false);
        refuseInbox();
      }
    }
  }

  /** A task that throws ends the turn, not the work of those behind it. */
  private void takeInbox() {
    woken.set(false);
    try {
      for (int taken = 0; taken < TASKS_A_TURN; taken++) {
        Runnable task = inbox.poll();
        if (task == null) {
          return;
        }
        task.run();
      }
    } finally {
      if (!inbox.isEmpty()) {
        wake();
      }
    }
  }

  private void refuseInbox() {
    for (Runnable task = inbox.poll(); task != null; task = inbox.poll()) {
      if (task instanceof Awaited awaited) {
        awaited.refused(closed("the Vert.x of this client is closed"));
      }
    }
  }

  private static MetaqException closed(String why) {
    return MetaqException.of(MetaqException.Reason.CLOSED, why);
  }

  /** A ring of what is open, so that coming and going cost nothing to speak of. */
  @OwnedBy("its client's context")
  private static class Ring {
    Ring previous = this;
    Ring next = this;

    void insertBefore(Ring other) {
      previous = other.previous;
      next = other;
      previous.next = this;
      next.previous = this;
    }

    void remove() {
      previous.next = next;
      next.previous = previous;
      previous = this;
      next = this;
    }

    void refused(MetaqException reason) {
      throw new IllegalStateException("nobody waits for the ring itself");
    }
  }

  /** Some work and who waits for it. */
  @OwnedBy("its client's context; the flag is set from anywhere")
  private final class Subscribed<T> extends Ring implements Awaited {
    private final Context caller;
    private final UniEmitter<? super T> emitter;
    private final Supplier<? extends Work<T>> action;
    private Work<T> work;
    private volatile boolean over;

    Subscribed(Context caller, UniEmitter<? super T> emitter, Supplier<? extends Work<T>> action) {
      this.caller = caller;
      this.emitter = emitter;
      this.action = action;
    }

    @Override
    public void run() {
      if (over) {
        return;
      }
      if (ended) {
        done(Future.failedFuture(closed("the client is closed")));
        return;
      }
      try {
        work = action.get();
      } catch (RuntimeException failure) {
        done(Future.failedFuture(typed(failure)));
        return;
      }
      if (!work.future().isComplete()) {
        insertBefore(open);
      }
      work.future().onComplete(this::done);
    }

    @Override
    public void refused(MetaqException reason) {
      remove();
      over = true;
      tell(caller, () -> emitter.fail(reason));
    }

    /** Called when the subscriber has its answer, which needs nothing more, or cancels. */
    void ended() {
      if (!over) {
        over = true;
        Home.this.run(
            () -> {
              remove();
              if (work != null) {
                work.cancel();
              }
            });
      }
    }

    private void done(AsyncResult<T> result) {
      over = true;
      remove();
      answer(caller, emitter, result);
    }
  }
}
