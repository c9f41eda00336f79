package io.metaq.bridge;

import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** One request, with its values checked as they are asked for. */
final class Call {
  private final RoutingContext context;
  private final int maxBodyBytes;

  Call(RoutingContext context, int maxBodyBytes) {
    this.context = context;
    this.maxBodyBytes = maxBodyBytes;
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

  /** A part of the path, decoded. */
  String path(String name) {
    return context.pathParam(name);
  }

  /** The topic in the path. */
  String topic() {
    return checked(path("topic"), Topics.topicFault(path("topic")));
  }

  /** The group in the path. */
  String group() {
    return checked(path("group"), Topics.groupFault(path("group")));
  }

  /** The queue in the path. */
  TopicQueue queue() {
    String number = path("queue");
    if (!number.matches("[0-9]{1,9}")) {
      throw Fault.INVALID.because("the queue in the path must be a number from 0 on");
    }
    return new TopicQueue(topic(), path("broker"), Integer.parseInt(number));
  }

  static String checked(String name, String fault) {
    if (fault != null) {
      throw Fault.INVALID.because(fault);
    }
    return name;
  }

  /** A parameter of the query; the first when it is given more than once. */
  Optional<String> query(String name) {
    try {
      return context.queryParam(name).stream().findFirst();
    } catch (HttpException malformed) {
      throw Fault.INVALID.because("the query cannot be decoded");
    }
  }

  String requiredQuery(String name) {
    return query(name).filter(value -> !value.isEmpty())
        .orElseThrow(() -> Fault.INVALID.because("the query parameter '" + name + "' is missing"));
  }

  long number(String name, long otherwise, long min, long max) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    long value = JsonReader.wholeNumber("the query parameter '" + name + "'", text.get());
    if (value < min || value > max) {
      throw Fault.INVALID.because("the query parameter '" + name + "' must be between " + min + " and " + max);
    }
    return value;
  }

  /** A time span up to a limit; none when it is not given. */
  Duration span(String name, long maxMs) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return Duration.ZERO;
    }
    return text.flatMap(Durations::duration).filter(span -> span.toMillis() <= maxMs).orElseThrow(() -> Fault.INVALID.because(
        "the query parameter '" + name + "' must be a time like 15s or 500ms, at most " + maxMs / 1_000 + "s"));
  }

  Position from() {
    return Durations.position("the query parameter 'from'", query("from").orElse("latest"));
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

  /** The body, as far as it keeps to the limit. Ask for it before anything that waits. */
  Future<Buffer> body() {
    return RequestBody.of(request(), maxBodyBytes);
  }

  /** The body of a request that must be JSON. */
  Future<JsonReader> json() {
    if (!isJson()) {
      throw Fault.WRONG_TYPE.because("send JSON with the header Content-Type: application/json");
    }
    return body().map(JsonReader::parse);
  }
}
