package io.metaq.bridge;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Everything of the bridge that can be watched, by its path. */
final class Views {
  private final List<Route> routes;

  Views(List<Route> routes) {
    this.routes = routes.stream().filter(route -> route.view().isPresent()).toList();
  }

  /**
   * A look at what a path shows, to be taken again and again; it never fails: what goes wrong is a problem document.
   *
   * @throws BridgeException {@code NO_SUCH_PATH} when it shows nothing that can be watched
   */
  Supplier<Future<Answer>> at(String path) {
    for (Route route : routes) {
      Optional<AskedPath> asked = AskedPath.of(route.path(), path);
      if (asked.isPresent()) {
        return () -> look(route, asked.get());
      }
    }
    throw Fault.NO_SUCH_PATH.because("there is nothing to watch at '" + Text.printable(path) + "'; watched can be "
        + String.join(", ", routes.stream().map(Route::path).toList()));
  }

  private static Future<Answer> look(Route route, Asked asked) {
    Future<Answer> answer;
    try {
      answer = route.view().orElseThrow().show(asked);
    } catch (RuntimeException failure) {
      answer = Future.failedFuture(failure);
    }
    return answer.otherwise(failure -> HttpDoor.problem(route, failure));
  }
}
