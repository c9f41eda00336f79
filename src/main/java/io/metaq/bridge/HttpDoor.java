package io.metaq.bridge;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes each request to the endpoint of its route, after the guard; what fails leaves as a problem document, whatever it is. */
final class HttpDoor {
  private static final Logger log = LoggerFactory.getLogger(HttpDoor.class);
  private static final int PREFLIGHT_LIFE_S = 600;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int FAILED = 500;
  private static final String RETRY_AFTER_S = "5";

  private final List<Route> routes;
  private final RequestGuard guard;
  private final Connections connections;
  private final int maxBodyBytes;
  private final IncomingBytes incoming;
  private final Consumer<Answer> told;

  /** @param told hears of every answer */
  HttpDoor(
      List<Route> routes, RequestGuard guard, Connections connections, int maxBodyBytes, IncomingBytes incoming, Consumer<Answer> told) {
    this.routes = routes;
    this.guard = guard;
    this.connections = connections;
    this.maxBodyBytes = maxBodyBytes;
    this.incoming = incoming;
    this.told = told;
  }

  Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    for (Route route : routes) {
      router.route(route.method(), route.routerPath()).handler(context -> serve(route, context));
    }
    // A path that is known, asked by a method it does not have.
    routes.stream().collect(Collectors.groupingBy(Route::routerPath)).forEach(
        (path, methods) -> router.route(path).handler(context -> otherMethod(methods, context)));
    router.route().handler(context -> problem(context, Fault.NO_SUCH_PATH.because("there is nothing at this path")));
    // What the router fails of itself, before any route: 404 is a path without a slash in front, 400 all else.
    List.of(BAD_REQUEST, NOT_FOUND).forEach(status -> router.errorHandler(status, context -> problem(context,
        Fault.INVALID.because("the path cannot be decoded or has no / in front, or the header Host is none"))));
    router.errorHandler(FAILED, context -> answer(context, bug(context.request().method(), "-", context.failure())));
    return router;
  }

  /** Where there is no route. A page that may see answers may see this, too. */
  private void problem(RoutingContext context, BridgeException problem) {
    allowOrigin(context.request(), context.response());
    answer(context, Answer.problem(problem));
  }

  private void serve(Route route, RoutingContext context) {
    allowOrigin(context.request(), context.response());
    Call call = new Call(context, maxBodyBytes, incoming);
    Future<Answer> answer;
    try {
      checkCoding(context.request());
      refuseOverBound(route, context);
      guard.check(context.request(), route.access());
      answer = route.endpoint().serve(call);
    } catch (RuntimeException failure) {
      answer = Future.failedFuture(failure);
    }
    answer.onComplete(done -> call.done());
    answer.onSuccess(done -> answer(context, done)).onFailure(failure -> answer(context, problem(route, failure)));
  }

  private void refuseOverBound(Route route, RoutingContext context) {
    if (route.access() != Access.OPEN && connections.isSpare(context.request().connection())) {
      throw Fault.UNAVAILABLE.because("the bridge has " + connections.bound() + " connections, as many as it may (httpMaxConnections)");
    }
  }

  /** Of codings a body has chunks alone, so that nobody can see another end of it. */
  private static void checkCoding(HttpServerRequest request) {
    List<String> codings = request.headers().getAll("Transfer-Encoding");
    if (codings.size() > 1 || codings.size() == 1 && !codings.get(0).trim().equalsIgnoreCase("chunked")) {
      throw Fault.INVALID.because("the header Transfer-Encoding must be chunked, once");
    }
  }

  /** What a failure of a route is answered with; a bug goes to the log. */
  static Answer problem(Route route, Throwable failure) {
    return BridgeException.of(failure).map(Answer::problem).orElseGet(() -> bug(route.method(), route.path(), failure));
  }

  private static Answer bug(HttpMethod method, String path, Throwable failure) {
    log.error("a request failed method={} path={}", method, path, failure);
    return Answer.problem(Fault.INTERNAL.because("the bridge failed; its log says why"));
  }

  private void otherMethod(List<Route> methods, RoutingContext context) {
    boolean allowedOrigin = allowOrigin(context.request(), context.response());
    Set<String> allowed = new TreeSet<>();
    methods.forEach(route -> allowed.add(route.method().name()));
    if (context.request().method() == HttpMethod.OPTIONS) {
      preflight(allowed, allowedOrigin, context);
    } else {
      answer(context, Answer.problem(Fault.WRONG_METHOD.because("this path takes " + String.join(", ", allowed) + " only"))
          .with("Allow", String.join(", ", allowed)));
    }
  }

  /** The question of a browser before a call of another origin; without an allowed origin it gets no leave. */
  private static void preflight(Set<String> methods, boolean allowedOrigin, RoutingContext context) {
    HttpServerRequest request = context.request();
    HttpServerResponse response = context.response().setStatusCode(NO_CONTENT).putHeader("Allow", String.join(", ", methods));
    if (allowedOrigin) {
      response.putHeader("Access-Control-Allow-Methods", String.join(", ", methods));
      Optional.ofNullable(request.getHeader("Access-Control-Request-Headers"))
          .filter(headers -> headers.matches("[A-Za-z0-9 ,_-]{1,1000}"))
          .ifPresent(headers -> response.putHeader("Access-Control-Allow-Headers", headers));
      response.putHeader("Access-Control-Max-Age", Integer.toString(PREFLIGHT_LIFE_S));
    }
    response.end();
  }

  /** Whether the page that asks may see the answer; says so in the head of the answer, whoever writes it. */
  private boolean allowOrigin(HttpServerRequest request, HttpServerResponse response) {
    Optional<String> origin = guard.allowedOrigin(request);
    response.putHeader("Vary", "Origin");
    origin.ifPresent(allowed -> response.putHeader("Access-Control-Allow-Origin", allowed)
        .putHeader("Access-Control-Expose-Headers", "Location, Allow, Retry-After"));
    return origin.isPresent();
  }

  private void answer(RoutingContext context, Answer answer) {
    HttpServerResponse response = context.response();
    if (answer == Answer.TAKEN_OVER || response.ended() || response.closed()) {
      return;
    }
    told.accept(answer);
    HttpServerRequest request = context.request();
    if (request.method() == HttpMethod.HEAD && answer.status() != NOT_MODIFIED) {
      response.putHeader("Content-Length", Integer.toString(answer.body().length()));
    }
    if (RequestBody.isHeldBack(request)) {
      // Whether it is sent all the same cannot be known, and so not where another request would begin.
      connections.endAfterThis(request.connection());
      response.putHeader("Connection", "close");
    }
    write(answer, response);
  }

  /** Ends a response; completes when the network has taken it. */
  static Future<Void> write(Answer answer, HttpServerResponse response) {
    response.setStatusCode(answer.status()).putHeader("X-Content-Type-Options", "nosniff").putHeader("Cache-Control", "no-store");
    if (!answer.contentType().isEmpty()) {
      response.putHeader("Content-Type", answer.contentType());
    }
    if (answer.status() == Fault.UNAVAILABLE.status()) {
      response.putHeader("Retry-After", RETRY_AFTER_S);
    }
    if (answer.status() == Fault.TOO_LARGE.status()) {
      // The rest of the body is not wanted.
      response.putHeader("Connection", "close");
    }
    answer.headers().forEach(response::putHeader);
    return response.end(answer.body());
  }
}
