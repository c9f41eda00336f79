package io.metaq.it.bridge;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.Queue;

/** A page with one WebSocket, and the calls of a program. Messages of its subscription are acknowledged as they come, if it likes to. */
final class Page implements WebSocket.Listener, AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final BlockingQueue<JsonObject> answers = new LinkedBlockingQueue<>();
  private final Queue<JsonObject> messages = new ConcurrentLinkedQueue<>();
  private final StringBuilder text = new StringBuilder();
  private final boolean acknowledges;
  private WebSocket socket;

  private Page(boolean acknowledges) {
    this.acknowledges = acknowledges;
  }

  static Page open(int port, boolean acknowledges) throws Exception {
    Page page = new Page(acknowledges);
    page.socket = CLIENT.newWebSocketBuilder().subprotocols("metaq.v1.json")
        .buildAsync(URI.create("ws://localhost:" + port + "/v1/ws"), page).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return page;
  }

  @Override
  public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
    text.append(data);
    if (last) {
      JsonObject frame = new JsonObject(text.toString());
      text.setLength(0);
      if (frame.getString("op").equals("message")) {
        messages.add(frame);
        if (acknowledges) {
          socket.sendText(new JsonObject().put("op", "ack").put("sub", "s")
              .put("handles", new JsonArray().add(frame.getString("handle"))).encode(), true);
        }
      } else {
        answers.add(frame);
      }
    }
    webSocket.request(1);
    return null;
  }

  JsonObject ask(JsonObject frame) throws Exception {
    socket.sendText(frame.encode(), true).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    JsonObject answer = answers.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (answer == null) {
      throw new AssertionError("no answer to " + frame);
    }
    return answer;
  }

  JsonObject join(String topic, String group) throws Exception {
    return ask(new JsonObject().put("op", "subscribe").put("ref", "r").put("sub", "s").put("topic", topic).put("group", group)
        .put("from", "earliest").put("ack", "manual").put("credit", 1000));
  }

  /** Frames of messages so far. */
  Queue<JsonObject> messages() {
    return messages;
  }

  static HttpResponse<String> call(int port, String method, String path, String body, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).timeout(LIMIT)
        .method(method, body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  static HttpResponse<String> get(int port, String path) throws Exception {
    return call(port, "GET", path, "", Map.of());
  }

  static HttpResponse<String> json(int port, String method, String path, JsonObject body) throws Exception {
    return call(port, method, path, body.encode(), Map.of("Content-Type", "application/json"));
  }

  @Override
  public void close() {
    socket.abort();
  }
}
