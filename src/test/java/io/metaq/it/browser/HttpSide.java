package io.metaq.it.browser;

import io.metaq.it.Await;
import io.metaq.it.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The other client: a program that speaks HTTP with the bridge. */
record HttpSide(int port) {
  private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  String url(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  /** Made, and served by its broker. */
  void createTopic(String name, int queues) throws Exception {
    call("PUT", "/v1/topics/" + name, "{\"queues\":" + queues + "}");
    Await.until("the topic " + name + " is served", LIMIT, () -> status("GET", "/v1/topics/" + name, null) == 200);
  }

  void publish(String topic, String body) throws Exception {
    call("POST", "/v1/topics/" + topic + "/messages", "{\"body\":" + Json.quote(body) + "}");
  }

  void publishAll(String topic, List<String> bodies) throws Exception {
    String messages = String.join(",", bodies.stream().map(body -> "{\"body\":" + Json.quote(body) + "}").toList());
    call("POST", "/v1/topics/" + topic + "/messages", "{\"messages\":[" + messages + "]}");
  }

  /** A POST that is done. */
  void post(String path, String json) throws Exception {
    call("POST", path, json);
  }

  /** Of a GET. */
  int status(String path) throws Exception {
    return status("GET", path, null);
  }

  Map<String, Object> get(String path) throws Exception {
    return Json.object(call("GET", path, null));
  }

  /** The first message of a topic of one queue. */
  Map<?, ?> first(String topic) throws Exception {
    Map<?, ?> queue = (Map<?, ?>) ((List<?>) get("/v1/topics/" + topic).get("queues")).get(0);
    return (Map<?, ?>) ((List<?>) get("/v1/topics/" + topic + "/queues/" + queue.get("broker") + "/0/messages").get("messages")).get(0);
  }

  String text(String path) throws Exception {
    return call("GET", path, null);
  }

  /** Messages that a topic has in all of its queues. */
  long stored(String topic) throws Exception {
    return ((List<?>) get("/v1/topics/" + topic).get("queues")).stream()
        .mapToLong(queue -> (Long) ((Map<?, ?>) queue).get("maxOffset") - (Long) ((Map<?, ?>) queue).get("minOffset")).sum();
  }

  private String call(String method, String path, String json) throws Exception {
    HttpResponse<String> response = send(method, path, json);
    if (response.statusCode() / 100 != 2) {
      throw new IOException(method + " " + path + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  private int status(String method, String path, String json) throws Exception {
    return send(method, path, json).statusCode();
  }

  private HttpResponse<String> send(String method, String path, String json) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url(path))).timeout(LIMIT).header("Content-Type", "application/json")
        .method(method, json == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(json)).build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
