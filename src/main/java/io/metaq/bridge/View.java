package io.metaq.bridge;

import io.vertx.core.Future;

/** Shows something as JSON, at every look as it is then. Reads only, and asks for nothing but its path and query. */
@FunctionalInterface
interface View {
  Future<Answer> show(Asked asked);
}
