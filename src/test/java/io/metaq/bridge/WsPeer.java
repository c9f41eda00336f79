package io.metaq.bridge;

import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A WebSocket as a page has it; frames wait here until the test asks for them. */
final class WsPeer implements AutoCloseable {
  private static final int LIMIT_S = 60;

  private final WebSocketClient client;
  private final WebSocket socket;
  private final BlockingQueue<JsonObject> frames = new LinkedBlockingQueue<>();
  private final CompletableFuture<Short> closed = new CompletableFuture<>();

  private WsPeer(WebSocketClient client, WebSocket socket) {
    this.client = client;
    this.socket = socket;
    socket.textMessageHandler(text -> frames.add(new JsonObject(text)));
    socket.closeHandler(gone -> closed.complete(socket.closeStatusCode()));
  }

  static WsPeer connect(Vertx vertx, int port) throws Exception {
    return connect(vertx, port, List.of(WebSocketSession.PROTOCOL), null);
  }

  static WsPeer connect(Vertx vertx, int port, List<String> protocols, String origin) throws Exception {
    WebSocketClient client = vertx.createWebSocketClient(new WebSocketClientOptions()
        .setMaxFrameSize(32 << 20).setMaxMessageSize(32 << 20));
    WebSocketConnectOptions options = new WebSocketConnectOptions().setHost("127.0.0.1").setPort(port).setURI("/v1/ws");
    protocols.forEach(options::addSubProtocol);
    if (origin != null) {
      options.putHeader("Origin", origin);
    }
    WsPeer[] peer = new WsPeer[1];
    client.connect(options).onSuccess(socket -> peer[0] = new WsPeer(client, socket))
        .toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    return peer[0];
  }

  WebSocket socket() {
    return socket;
  }

  void send(String text) {
    socket.writeTextMessage(text);
  }

  void send(JsonObject frame) {
    send(frame.encode());
  }

  /** The next frame that is no message of a subscription. */
  JsonObject ask(JsonObject frame) throws Exception {
    send(frame);
    return next();
  }

  JsonObject next() throws Exception {
    JsonObject frame = frames.poll(LIMIT_S, TimeUnit.SECONDS);
    if (frame == null) {
      throw new AssertionError("no frame came within " + LIMIT_S + " s");
    }
    return frame;
  }

  List<JsonObject> next(int count) throws Exception {
    List<JsonObject> all = new ArrayList<>();
    while (all.size() < count) {
      all.add(next());
    }
    return all;
  }

  /** Frames that are there now. */
  int waiting() {
    return frames.size();
  }

  /** The code it was closed with by the server. */
  int closeCode() throws Exception {
    return closed.get(LIMIT_S, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    socket.close();
    client.close();
  }

  /** The connection ends without a word. */
  void cut() {
    client.close();
  }
}
