package io.metaq.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What {@code metaq.js}, loaded by a page of another origin, makes of a server that says what none should. */
@Timeout(300)
class BadServerIT {
  @RegisterExtension
  static final Chromium BROWSER = new Chromium();

  private static final Map<String, BiConsumer<ServerWebSocket, JsonObject>> ANSWERS = new ConcurrentHashMap<>();
  private static final List<String> HEARD = new CopyOnWriteArrayList<>();

  @TempDir
  static Path data;
  private static BrokerProcess broker;
  private static Vertx vertx;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    broker = BrokerProcess.standalone(data).start();
    vertx = Vertx.vertx();
    HttpServer server = vertx.createHttpServer(new HttpServerOptions().addWebSocketSubProtocol("metaq.v1.json"))
        .requestHandler(request -> request.response().putHeader("Content-Type", "text/html").end("<!doctype html>"))
        .webSocketHandler(BadServerIT::serve);
    port = server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS).actualPort();
  }

  private static void serve(ServerWebSocket socket) {
    socket.textMessageHandler(text -> {
      JsonObject frame = new JsonObject(text);
      if (socket.isClosed()) {
        return;
      }
      HEARD.add(frame.getString("op"));
      ANSWERS.getOrDefault(frame.getString("op"), (to, what) -> { }).accept(socket, frame);
    });
  }

  @AfterAll
  static void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    broker.close();
  }

  @BeforeEach
  void forget() {
    ANSWERS.clear();
    HEARD.clear();
    ANSWERS.put("publish", BadServerIT::publish);
  }

  private static void publish(ServerWebSocket socket, JsonObject frame) {
    socket.writeTextMessage(new JsonObject().put("op", "published").put("ref", frame.getString("ref"))
        .put("messageId", frame.getString("idempotencyKey")).encode());
  }

  private static Tab page() {
    Tab tab = BROWSER.open("http://127.0.0.1:" + port + "/");
    tab.run("""
        window.metaq = await import(args[0]);
        window.errors = [];
        window.got = [];
        window.mq = metaq.connect(args[1]);
        mq.on('error', event => errors.push(event.detail.code));
        window.closes = [];
        mq.on('close', event => closes.push(event.detail.code));
        """, "http://127.0.0.1:" + broker.httpPort() + "/metaq.js", "http://127.0.0.1:" + port);
    return tab;
  }

  @Test
  void shouldPassOverFramesThatAreNone() {
    List<String> nonsense = List.of("{", "", "null", "[]", "7", "\"x\"", "{}", "{\"op\":1}");
    List<String> unknown = List.of("{\"op\":\"dance\"}", "{\"op\":\"dance\",\"ref\":\"1\",\"sub\":\"1\"}",
        "{\"op\":\"message\",\"sub\":\"none\",\"body\":\"x\"}", "{\"op\":\"published\",\"ref\":\"none\"}",
        "{\"op\":\"view\",\"ref\":\"none\"}");
    ANSWERS.put("publish", (socket, frame) -> {
      nonsense.forEach(socket::writeTextMessage);
      unknown.forEach(socket::writeTextMessage);
      publish(socket, frame);
    });
    Tab tab = page();

    Object receipt = tab.run("return await mq.publish('t', 'x', {})");

    assertThat(receipt).asString().contains("messageId=");
    assertThat(tab.value("errors")).isEqualTo(nonsense.stream().map(frame -> "MALFORMED_FRAME").toList());
    assertThat(tab.value("mq.state")).isEqualTo("open");
  }

  @Test
  void shouldRejectTheLargestWhenTheServerClosesForSize() {
    ANSWERS.put("publish", (socket, frame) -> {
      if (frame.getString("body").length() > 1_000) {
        socket.close((short) 1009, "a message has at most 1000 bytes");
      } else {
        publish(socket, frame);
      }
    });
    Tab tab = page();

    Object outcome = tab.run("""
        return await Promise.all(['a', 'x'.repeat(2000), 'b'].map(body =>
            mq.publish('t', body).then(() => 'stored', error => error.code)));
        """);

    assertThat(outcome).as(tab.value("closes").toString()).isEqualTo(List.of("stored", "TOO_LARGE", "stored"));
  }

  @Test
  void shouldGiveUpAMessageUnderWhichTheConnectionBreaksAgainAndAgain() {
    ANSWERS.put("publish", (socket, frame) -> {
      if (frame.getString("body").equals("poison")) {
        socket.close((short) 1011, "");
      } else {
        publish(socket, frame);
      }
    });
    Tab tab = page();

    Object outcome = tab.run("""
        Math.random = () => -0.99; // hardly a pause before the next try
        const poison = mq.publish('t', 'poison').catch(error => [error.code, error.message]);
        const others = ['a', 'b', 'c'].map(body => mq.publish('t', body));
        return [...await poison, (await Promise.all(others)).length];
        """);

    assertThat(outcome).isEqualTo(List.of("UNAVAILABLE", "the connection broke 8 times before a receipt came", 3L));
  }

  @Test
  void shouldTryASubscriptionAgainThatEndsForReasonsThatPass() throws Exception {
    ANSWERS.put("subscribe", (socket, frame) -> {
      String sub = frame.getString("sub");
      if (HEARD.stream().filter("subscribe"::equals).count() % 2 == 0) {
        socket.writeTextMessage(
            "{\"op\":\"error\",\"ref\":\"" + sub + "\",\"sub\":\"" + sub + "\",\"code\":\"UNKNOWN_TOPIC\",\"message\":\"\"}");
        return;
      }
      socket.writeTextMessage("{\"op\":\"subscribed\",\"ref\":\"" + sub + "\",\"sub\":\"" + sub + "\",\"position\":\"p0\"}");
      String position = frame.getString("position", "none");
      socket.writeTextMessage("{\"op\":\"message\",\"sub\":\"" + sub + "\",\"position\":\"p1\",\"body\":\"" + position + "\"}");
      socket.writeTextMessage("{\"op\":\"error\",\"sub\":\"" + sub + "\",\"code\":\"UNAVAILABLE\",\"message\":\"\"}");
    });
    Tab tab = page();
    tab.run("(async () => { for await (const m of mq.subscribe('t')) got.push(m.body); })()");

    tab.await("got.length === 2");

    assertThat(tab.value("got")).isEqualTo(List.of("none", "p1"));
    assertThat(tab.value("errors.slice(0, 2)")).isEqualTo(List.of("UNAVAILABLE", "UNKNOWN_TOPIC"));
  }

  @Test
  void shouldEndASubscriptionThatCannotGoOnWithTheServersReason() {
    ANSWERS.put("subscribe", (socket, frame) -> {
      String sub = frame.getString("sub");
      socket.writeTextMessage("{\"op\":\"subscribed\",\"ref\":\"" + sub + "\",\"sub\":\"" + sub + "\"}");
      socket.writeTextMessage("{\"op\":\"error\",\"sub\":\"" + sub + "\",\"code\":\"REFUSED_BY_BROKER\",\"message\":\"no\"}");
    });
    Tab tab = page();

    Object outcome = tab.run("""
        const sub = mq.subscribe('t');
        const error = await sub.next().catch(error => error);
        return [error.name, error.code, error.message, (await sub.next()).done];
        """);

    assertThat(outcome).isEqualTo(List.of("MetaqError", "REFUSED_BY_BROKER", "no", true));
  }

  @Test
  void shouldHaveNoMoreUnderWayThanTheServerTakes() {
    long[] most = new long[1];
    List<JsonObject> waiting = new CopyOnWriteArrayList<>();
    ANSWERS.put("publish", (socket, frame) -> {
      waiting.add(frame);
      most[0] = Math.max(most[0], waiting.size());
      // Answers come when what was sent meanwhile is here.
      vertx.setTimer(1, later -> {
        JsonObject next = waiting.remove(0);
        publish(socket, next);
      });
    });
    Tab tab = page();

    Object stored = tab.run("""
        const receipts = await Promise.all(Array.from({length: 10000}, (_, i) => mq.publish('t', String(i))));
        return new Set(receipts.map(receipt => receipt.messageId)).size;
        """);

    assertThat(stored).isEqualTo(10_000L);
    assertThat(most[0]).isBetween(2L, 256L);
  }
}
