package io.metaq.bridge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/** What an endpoint answers: status, content type, body, further headers. */
record Answer(int status, String contentType, Buffer body, Map<String, String> headers) {
  static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";

  /** The endpoint writes its answer itself. */
  static final Answer TAKEN_OVER = new Answer(0, "", Buffer.buffer(), Map.of());

  private static final int OK = 200;
  private static final int NO_CONTENT = 204;

  static Answer ok(JsonObject json) {
    return json(OK, json.toBuffer());
  }

  /** @param json an object or array as text */
  static Answer json(int status, Buffer json) {
    return new Answer(status, JSON, json, Map.of());
  }

  static Answer of(String contentType, Buffer body) {
    return new Answer(OK, contentType, body, Map.of());
  }

  static Answer empty() {
    return new Answer(NO_CONTENT, "", Buffer.buffer(), Map.of());
  }

  /** A problem document (RFC 9457) with the broker's response code. */
  static Answer problem(BridgeException problem) {
    return problem(problem, new JsonObject());
  }

  /** @param more further members of the document */
  static Answer problem(BridgeException problem, JsonObject more) {
    Fault fault = problem.fault();
    JsonObject document = new JsonObject()
        .put("type", fault.type())
        .put("title", fault.title())
        .put("status", fault.status())
        .put("detail", problem.getMessage())
        .put("code", problem.code())
        .mergeIn(more);
    return new Answer(fault.status(), PROBLEM, document.toBuffer(), Map.of());
  }

  Answer with(String header, String value) {
    return new Answer(status, contentType, body, Map.of(header, value));
  }
}
