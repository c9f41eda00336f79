package io.metaq.launcher;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts one thing after another, waits for each as soon as it is needed, and stops them in the exact reverse order, each step awaited. Both
 * sides block the calling thread, which is never an event loop: the main thread starts, the one that ends the process stops.
 */
@OwnedBy("its monitor")
final class Steps {
  private static final Logger log = LoggerFactory.getLogger(Steps.class);

  private final Deque<Step> started = new ArrayDeque<>();
  private boolean stopping;
  private boolean clean = true;

  private record Step(String name, Supplier<Future<?>> stop) {}

  /**
   * Starts one more thing and waits for it; {@code stop} undoes it later.
   *
   * @throws StartFailure when stopping began meanwhile
   * @throws RuntimeException what the start failed with
   */
  <T> T start(String name, Supplier<Future<T>> start, Function<T, Future<?>> stop) {
    return await(begin(name, start, stop));
  }

  /**
   * Begins to start one more thing; {@code stop} undoes it later, unless it fails.
   *
   * @return to {@link #await}
   * @throws StartFailure when stopping began meanwhile
   */
  synchronized <T> Future<T> begin(String name, Supplier<Future<T>> start, Function<T, Future<?>> stop) {
    if (stopping) {
      throw new StartFailure("stopped before everything had started");
    }
    log.debug("starting what={}", name);
    Future<T> begun = start.get();
    started.push(new Step(
        name, () -> begun.transform((result, failure) -> failure == null ? stop.apply(result).mapEmpty() : Future.succeededFuture())));
    return begun;
  }

  /**
   * Stops whatever was started, the last first. A step that fails is logged and does not keep the others from stopping. Once.
   *
   * @return whether every step ended well
   */
  synchronized boolean stop() {
    stopping = true;
    while (!started.isEmpty()) {
      Step step = started.pop();
      log.debug("stopping what={}", step.name());
      try {
        await(step.stop().get());
      } catch (RuntimeException failure) {
        clean = false;
        log.error("a part did not stop cleanly what={}", step.name(), failure);
      }
    }
    return clean;
  }

  /**
   * Waits for what was begun.
   *
   * @throws RuntimeException what the start failed with
   */
  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failed;
    }
  }
}
