package io.metaq.it;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A member of a group over HTTP, which keeps the bodies of what it gets; made of the JDK alone, for any class path. */
public final class HttpMember implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
  private Runnable end = () -> { };

  private HttpMember() {
  }

  /** Acknowledges each message by its handle. */
  public static HttpMember overWebSocket(int port, String topic, String group) throws Exception {
    HttpMember member = new HttpMember();
    Frames frames = member.new Frames();
    WebSocket socket = CLIENT.newWebSocketBuilder().subprotocols("metaq.v1.json")
        .buildAsync(URI.create("ws://localhost:" + port + "/v1/ws"), frames).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    member.end = socket::abort;
    socket.sendText("{\"op\":\"subscribe\",\"ref\":\"1\",\"sub\":\"s\",\"topic\":" + Json.quote(topic) + ",\"group\":" + Json.quote(group)
        + ",\"from\":\"earliest\",\"ack\":\"manual\",\"credit\":1000}", true);
    frames.subscribed.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return member;
  }

  /** What is written counts as acknowledged. */
  public static HttpMember overEvents(int port, String topic, String group) throws Exception {
    HttpMember member = new HttpMember();
    HttpResponse<Stream<String>> events = CLIENT.send(HttpRequest.newBuilder(
        URI.create("http://localhost:" + port + "/v1/topics/" + topic + "/events?from=earliest&group=" + group)).build(),
        HttpResponse.BodyHandlers.ofLines());
    if (events.statusCode() != 200) {
      throw new AssertionError("status " + events.statusCode() + ": " + events.body().toList());
    }
    Stream<String> lines = events.body();
    Thread reader = new Thread(() -> lines.filter(line -> line.startsWith("data: "))
        .forEach(line -> member.bodies.add(body(Json.object(line.substring("data: ".length()))))), "events of " + group);
    reader.setDaemon(true);
    reader.setUncaughtExceptionHandler((thread, closed) -> { });
    reader.start();
    member.end = lines::close;
    return member;
  }

  /** Every body it got, in order, repetitions too. */
  public Queue<String> bodies() {
    return bodies;
  }

  /** One call of the API; a body makes it JSON. */
  public static HttpResponse<String> call(int port, String method, String path, String body) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).timeout(LIMIT)
        .method(method, body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    end.run();
  }

  private static String body(Map<String, Object> message) {
    return String.valueOf(message.get("body"));
  }

  private final class Frames implements WebSocket.Listener {
    private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      socket.request(1);
      if (!last) {
        return null;
      }
      Map<String, Object> frame = Json.object(text.toString());
      text.setLength(0);
      switch (String.valueOf(frame.get("op"))) {
        case "subscribed" -> subscribed.complete(null);
        case "message" -> {
          bodies.add(body(frame));
          return socket.sendText("{\"op\":\"ack\",\"sub\":\"s\",\"handles\":[" + Json.quote(String.valueOf(frame.get("handle"))) + "]}", true);
        }
        default -> subscribed.completeExceptionally(new AssertionError("got " + frame));
      }
      return null;
    }
  }
}
