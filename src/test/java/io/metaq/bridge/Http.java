package io.metaq.bridge;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Calls of a program or a page, answered as they come. */
record Http(int port) {
  static {
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,connection,content-length,origin");
  }

  private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** @param headers of the answer, the first value of each, names in lower case */
  record Reply(int status, Map<String, List<String>> headers, String text) {
    JsonObject json() {
      return new JsonObject(text);
    }

    JsonArray array() {
      return new JsonArray(text);
    }

    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(), List.of()).stream().findFirst().orElse(null);
    }
  }

  Reply get(String path, String... headers) throws Exception {
    return call("GET", path, null, headers);
  }

  Reply delete(String path, String... headers) throws Exception {
    return call("DELETE", path, null, headers);
  }

  Reply json(String method, String path, Object body, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Content-Type", "application/json"));
    return call(method, path, body.toString(), all.toArray(String[]::new));
  }

  Reply call(String method, String path, String body, String... headers) throws Exception {
    return reply(CLIENT.send(request(method, path, body, headers), HttpResponse.BodyHandlers.ofString()));
  }

  /** As {@link #call}, without the wait for its answer. */
  CompletableFuture<Reply> begin(String method, String path, String body, String... headers) {
    return CLIENT.sendAsync(request(method, path, body, headers), HttpResponse.BodyHandlers.ofString()).thenApply(Http::reply);
  }

  private HttpRequest request(String method, String path, String body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(LIMIT)
        .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.build();
  }

  private static Reply reply(HttpResponse<String> response) {
    return new Reply(response.statusCode(), response.headers().map(), response.body());
  }

  /** Of an answer that does not end, the head with the first line that begins so. */
  Reply line(String path, String beginning) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(LIMIT).build();
    HttpResponse<Stream<String>> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofLines());
    try (Stream<String> lines = response.body()) {
      String found = lines.filter(line -> line.startsWith(beginning)).findFirst().orElse("");
      return new Reply(response.statusCode(), response.headers().map(), found);
    }
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
