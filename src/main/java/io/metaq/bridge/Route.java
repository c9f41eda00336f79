package io.metaq.bridge;

import io.vertx.core.http.HttpMethod;

/**
 * One method of one path.
 *
 * @param path with its variables in braces, {@code /v1/topics/{topic}}, or all below a folder, {@code /console/*}
 */
record Route(HttpMethod method, String path, Access access, Endpoint endpoint) {
  static Route get(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.GET, path, access, endpoint);
  }

  static Route put(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.PUT, path, access, endpoint);
  }

  static Route post(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.POST, path, access, endpoint);
  }

  static Route delete(String path, Access access, Endpoint endpoint) {
    return new Route(HttpMethod.DELETE, path, access, endpoint);
  }

  /** As a Vert.x router wants it. */
  String routerPath() {
    return path.replaceAll("\\{([a-z]+)}", ":$1");
  }
}
