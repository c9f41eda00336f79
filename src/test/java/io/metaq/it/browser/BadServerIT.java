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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void shouldBeginAgainWhereNobodyCanServeItYet() {
    ANSWERS.put("subscribe", (socket, frame) -> beginAtTheThirdTry(socket, frame, "subscribed", "message"));
    ANSWERS.put("watch", (socket, frame) -> beginAtTheThirdTry(socket, frame, "watching", "view"));
    Tab tab = page();

    Object outcome = tab.run("""
        Math.random = () => -0.99; // hardly a pause before the next try
        const flows = [mq.subscribe('t'), mq.watch('/v1/topics')];
        await Promise.all(flows.map(flow => flow.ready));
        const first = await Promise.all(flows.map(flow => flow.next()));
        return first.map(({value, done}) => [value.messageId ?? value.value, done]);
        """);

    assertThat(outcome).isEqualTo(List.of(List.of("come", false), List.of("come", false)));
    assertThat(tab.value("errors.sort()")).isEqualTo(List.of("TIMED_OUT", "TIMED_OUT", "UNAVAILABLE", "UNAVAILABLE"));
  }

  private static void beginAtTheThirdTry(ServerWebSocket socket, JsonObject frame, String begun, String item) {
    String op = frame.getString("op");
    long tries = HEARD.stream().filter(op::equals).count();
    JsonObject answer = new JsonObject().put("ref", frame.getString("ref")).put("sub", frame.getString("sub"));
    if (tries < 3) {
      socket.writeTextMessage(answer.put("op", "error").put("code", tries == 1 ? "UNAVAILABLE" : "TIMED_OUT").put("message", "").encode());
    } else {
      socket.writeTextMessage(answer.copy().put("op", begun).encode());
      socket.writeTextMessage(answer.put("op", item).put("messageId", "come").put("value", "come").encode());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UNKNOWN_TOPIC", "BROKER_FAILED", "INVALID_FILTER", "TOO_MANY"})
  void shouldNotTryAgainWhatWasRefusedBeforeItBegan(String code) {
    BiConsumer<ServerWebSocket, JsonObject> refuse = (socket, frame) -> socket.writeTextMessage(new JsonObject().put("op", "error")
        .put("ref", frame.getString("ref")).put("sub", frame.getString("sub")).put("code", code).put("message", "").encode());
    ANSWERS.put("subscribe", refuse);
    ANSWERS.put("watch", refuse);
    Tab tab = page();

    Object outcome = tab.run("""
        const flows = [mq.subscribe('t'), mq.watch('/v1/topics')];
        return await Promise.all(flows.map(flow => flow.next().catch(error => error.code)));
        """);

    assertThat(outcome).isEqualTo(List.of(code, code));
    assertThat(tab.value("errors")).isEqualTo(List.of());
  }

  /** The server's answer to what the page has ended meanwhile is no error: nobody waits for it. */
  @Test
  void shouldTellNoErrorOfASubscriptionThatItHasEndedItself() {
    List<JsonObject> waiting = new CopyOnWriteArrayList<>();
    ANSWERS.put("subscribe", (socket, frame) -> waiting.add(frame));
    ANSWERS.put("unsubscribe", (socket, frame) -> {
      String sub = frame.getString("sub");
      JsonObject ended = new JsonObject().put("op", "error").put("sub", sub).put("message", "");
      socket.writeTextMessage(ended.copy().put("ref", frame.getString("ref")).put("code", "UNKNOWN_SUBSCRIPTION").encode());
      waiting.forEach(asked -> socket.writeTextMessage(ended.copy().put("ref", asked.getString("ref")).put("code", "CONFLICT").encode()));
      socket.writeTextMessage(ended.put("code", "UNAVAILABLE").encode());
      waiting.clear();
    });
    Tab tab = page();

    Object outcome = tab.run("""
        await mq.publish('t', 'the connection is there');
        const sub = mq.subscribe('t');
        const ready = sub.ready.catch(error => error.code);
        await sub.return();
        const aborted = mq.subscribe('t', { signal: AbortSignal.timeout(1) });
        const reason = await aborted.next().catch(error => error.name);
        await mq.publish('t', 'all before is answered');
        return [await ready, reason];
        """);

    assertThat(outcome).isEqualTo(List.of("CLOSED", "TimeoutError"));
    assertThat(HEARD).containsSubsequence("subscribe", "unsubscribe", "subscribe", "unsubscribe");
    assertThat(tab.value("errors")).isEqualTo(List.of());
  }

  @Test
  void shouldTellOfAnAcknowledgementThatCameTooLate() throws Exception {
    ANSWERS.put("subscribe", (socket, frame) -> {
      JsonObject sub = new JsonObject().put("sub", frame.getString("sub"));
      socket.writeTextMessage(sub.copy().put("op", "subscribed").put("ref", frame.getString("ref")).encode());
      socket.writeTextMessage(sub.put("op", "message").put("messageId", "m").put("handle", "h").encode());
    });
    ANSWERS.put("ack", (socket, frame) -> socket.writeTextMessage(new JsonObject().put("op", "error").put("ref", frame.getString("ref"))
        .put("sub", frame.getString("sub")).put("code", "LEASE_LOST").put("message", "").encode()));
    Tab tab = page();
    tab.run("""
        const sub = mq.subscribe('t', { group: 'g', ack: 'manual' });
        const { value } = await sub.next();
        value.ack();
        """);

    tab.await("errors.length > 0");

    assertThat(tab.value("errors")).isEqualTo(List.of("LEASE_LOST"));
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
