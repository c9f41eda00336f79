package io.metaq.bridge;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.Locale;
import java.util.Optional;

/** One request, with its values checked as they are asked for. */
final class Call extends Asked {
  private final RoutingContext context;
  private final RequestBody body;

  Call(RoutingContext context, int maxBodyBytes, IncomingBytes incoming) {
    this.context = context;
    this.body = new RequestBody(context.request(), maxBodyBytes, incoming);
  }

  HttpServerRequest request() {
    return context.request();
  }

  MultiMap headers() {
    return request().headers();
  }

  /** The whole path: without dots as folders; encoded still, but for what need not be. */
  String path() {
    return context.normalizedPath();
  }

  @Override
  String path(String name) {
    return context.pathParam(name);
  }

  @Override
  Optional<String> query(String name) {
    try {
      return context.queryParam(name).stream().findFirst();
    } catch (HttpException malformed) {
      throw Fault.INVALID.because("the query cannot be decoded");
    }
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(request().getHeader(name));
  }

  /** Without parameters, in lower case; empty text when there is none. */
  String contentType() {
    String type = header(HttpHeaders.CONTENT_TYPE.toString()).orElse("");
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).trim().toLowerCase(Locale.ROOT);
  }

  boolean isJson() {
    return contentType().equals(Answer.JSON) || contentType().endsWith("+json");
  }

  /** The body, as far as it keeps to the limits. Ask for it before anything that waits. */
  Future<Buffer> body() {
    return body.read();
  }

  /** It is answered. */
  void done() {
    body.done();
  }

  /** The body of a request that must be JSON. */
  Future<JsonReader> json() {
    if (!isJson()) {
      throw Fault.WRONG_TYPE.because("send JSON with the header Content-Type: application/json");
    }
    return body().map(JsonReader::parse);
  }
}
