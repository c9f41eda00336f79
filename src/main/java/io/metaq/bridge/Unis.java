package io.metaq.bridge;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;

/** From the client's Mutiny to the futures of the bridge. */
final class Unis {
  private Unis() {}

  /** Subscribes at once. */
  static <T> Future<T> future(Uni<T> uni) {
    Promise<T> promise = Promise.promise();
    uni.subscribe().with(promise::complete, promise::fail);
    return promise.future();
  }

  /** All items; for streams that end. */
  static <T> Future<List<T>> list(Multi<T> items) {
    return future(items.collect().asList());
  }
}
