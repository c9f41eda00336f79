package io.metaq.bridge;

import io.vertx.core.Future;

/** Serves one method of one path. A failure of the future, or one that is thrown, is answered as a problem document. */
@FunctionalInterface
interface Endpoint {
  Future<Answer> serve(Call call);
}
