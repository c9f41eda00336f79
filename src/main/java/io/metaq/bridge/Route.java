package io.metaq.bridge;

import io.vertx.core.http.HttpMethod;
import java.util.Optional;

/**
 * One method of one path.
 *
 * @param path with its variables in braces, {@code /v1/topics/{topic}}, or all below a folder, {@code /console/*}
 * @param view what may be watched over a WebSocket
 */
record Route(HttpMethod method, String path, Access access, Endpoint endpoint, Optional<View> view) {
  static Route get(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.GET, path, access, endpoint, Optional.empty());
  }

  static Route head(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.HEAD, path, access, endpoint, Optional.empty());
  }

  /** JSON that can be read, and watched. */
  static Route view(String path, View view) {
    return new Route(HttpMethod.GET, path, Access.READ, view::show, Optional.of(view));
  }

  static Route put(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.PUT, path, access, endpoint, Optional.empty());
  }

  static Route patch(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.PATCH, path, access, endpoint, Optional.empty());
  }

  static Route post(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.POST, path, access, endpoint, Optional.empty());
  }

  static Route delete(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.DELETE, path, access, endpoint, Optional.empty());
  }

  /** As a Vert.x router wants it. */
  String routerPath() {
    return path.replaceAll("\\{([a-z]+)}", ":$1");
  }
}
