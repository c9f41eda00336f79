package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.HandClock;
import io.metaq.client.FakeCluster;
import io.metaq.it.Await;
import io.metaq.model.AddressRanges;
import io.metaq.model.Clock;
import io.metaq.model.RequestCode;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What all connections together send is held in memory up to a bound, and no further. */
@Timeout(120)
class IncomingBytesTest {
  private static final int LIMIT_S = 60;
  private static final Duration LIMIT = Duration.ofSeconds(LIMIT_S);
  private static final long SILENT_MS = 60_000;
  private static final int MOST_BODY = 256 << 10;
  /** Of one body: twice a message's, and what stands around it. */
  private static final int BOUND = 2 * MOST_BODY + (64 << 10);
  private static final String HEAD = "POST /v1/topics/T/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x\r\nContent-Length: ";

  private final List<Socket> sockets = new ArrayList<>();
  private Vertx vertx;
  private FakeCluster cluster;
  private int port;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    cluster = FakeCluster.start(vertx);
    deploy(BridgeLimits.standard().withMaxIncomingBytes(1), Clock.system());
  }

  private void deploy(BridgeLimits limits, Clock clock) throws Exception {
    port = FreePorts.next();
    BridgeOptions options = new BridgeOptions(BridgeOptions.Scope.CLUSTER, "127.0.0.1", port, cluster.address(), MOST_BODY,
        AddressRanges.LOOPBACK, List.of(), List.of(), limits, List.of());
    vertx.deployVerticle(new BridgeVerticle(options, clock)).toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  /** A body of which all but the last byte has come. */
  private Socket unfinished(int bytes) throws Exception {
    Socket socket = new Socket("127.0.0.1", port);
    sockets.add(socket);
    socket.getOutputStream().write((HEAD + bytes + "\r\n\r\n" + "x".repeat(bytes - 1)).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private Http.Reply send(int bytes) throws Exception {
    return new Http(port).call("POST", "/v1/topics/T/messages", "y".repeat(bytes), "Content-Type", "text/x");
  }

  /** Looks at the metrics: a body that is sent to see whether there is room would take the room of what is to fill it. */
  private void awaitHeld(long bytes) throws Exception {
    Await.until(bytes + " bytes in hand", LIMIT, () -> metric("metaq_http_incoming_bytes") >= bytes);
  }

  private long metric(String name) throws Exception {
    String text = new Http(port).get("/metrics").text();
    return (long) Double.parseDouble(text.lines().filter(line -> line.startsWith(name + " ")).findFirst().orElseThrow().split(" ")[1]);
  }

  @Test
  void shouldRefuseABodyForWhichThereIsNoRoomAndTakeItWhenThereIs() throws Exception {
    unfinished(MOST_BODY);
    Socket second = unfinished(MOST_BODY);
    awaitHeld(2 * (MOST_BODY - 1));

    Http.Reply refused = send(MOST_BODY / 2);
    int small = send(100).status();
    second.close();
    Await.until("room", LIMIT, () -> send(MOST_BODY / 2).status() == 201);
    Await.until("the first one's bytes alone", LIMIT, () -> metric("metaq_http_incoming_bytes") == MOST_BODY - 1);

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isEqualTo("5");
    assertThat(refused.json().getString("type")).isEqualTo("urn:metaq:problem:unavailable");
    assertThat(refused.json().getString("detail")).contains(BOUND + " bytes");
    assertThat(small).as("one that fits").isEqualTo(201);
    assertThat(metric("metaq_http_incoming_bound_bytes")).isEqualTo(BOUND);
    assertThat(new Http(port).get("/health/live").status()).isEqualTo(200);
  }

  @Test
  void shouldHoldNothingOfWhatIsAnswered() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(send(MOST_BODY).status()).isEqualTo(201);
      assertThat(send(MOST_BODY + 1).status()).as("too large for a message").isBetween(400, 499);
    }
  }

  /** Messages wait for a broker that does not answer: then no more are read, until it does. */
  @Test
  void shouldNotReadAWebSocketWhileThereIsNoRoomForItsMessages() throws Exception {
    List<FakeCluster.Call> waiting = new ArrayList<>();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> waiting.add(call));
    String body = "z".repeat(MOST_BODY / 2);

    try (WsPeer peer = WsPeer.connect(vertx, port)) {
      for (int i = 0; i < 12; i++) {
        peer.send(new JsonObject().put("op", "publish").put("ref", "" + i).put("topic", "T").put("body", body));
      }
      awaitHeld(BOUND);
      peer.send(new JsonObject().put("op", "ping").put("ref", "ping"));
      cluster.noScript(RequestCode.SEND_MESSAGE_V2);
      List<String> answered = peer.next(13).stream().map(answer -> answer.getString("ref")).toList();

      assertThat(answered).doesNotHaveDuplicates().contains("0", "11", "ping");
      assertThat(answered.get(0)).as("what was not read while there was no room").isNotEqualTo("ping");
    }
  }

  @Test
  void shouldNotTakeAPeerForDeadThatItDoesNotRead() throws Exception {
    HandClock clock = new HandClock();
    int pingMs = 50;
    deploy(new BridgeLimits(15_000, pingMs, SILENT_MS, 60_000, 60_000, 60_000, 1_000, 256, 1_000, 1, 86_400_000), clock);
    AtomicInteger waiting = new AtomicInteger();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> waiting.incrementAndGet() > 0);

    try (WsPeer peer = WsPeer.connect(vertx, port)) {
      for (int i = 0; i < 12; i++) {
        peer.send(new JsonObject().put("op", "publish").put("ref", "" + i).put("topic", "T").put("body", "z".repeat(MOST_BODY / 2)));
      }
      Await.until("no room", LIMIT, () -> waiting.get() >= BOUND / (MOST_BODY / 2) + 1);
      for (int round = 0; round < 2; round++) {
        WsPeer silent = WsPeer.connect(vertx, port);
        Await.until("one that is read and says nothing is dropped", LIMIT, () -> {
          clock.advance(SILENT_MS + 1);
          return silent.socket().isClosed();
        });
        silent.close();
      }

      assertThat(peer.socket().isClosed()).isFalse();
    }
  }

  @Test
  void shouldLetInOnlyAsManyOfThoseWhoWaitAsThereIsRoomFor() {
    IncomingBytes incoming = new IncomingBytes(100);
    List<String> told = new ArrayList<>();
    incoming.add(100);
    List.of("first", "second", "third").forEach(name -> incoming.whenHalfFree(() -> {
      told.add(name);
      incoming.add(40);
    }));

    incoming.release(90);
    assertThat(told).containsExactly("first", "second");
    incoming.release(50);
    assertThat(told).containsExactly("first", "second", "third");
  }

  @Test
  void shouldTellWhoWaitsWhenHalfIsFree() {
    IncomingBytes incoming = new IncomingBytes(100);
    List<String> told = new ArrayList<>();

    assertThat(incoming.take(60)).isTrue();
    assertThat(incoming.take(41)).isFalse();
    assertThat(incoming.take(40)).isTrue();
    assertThat(incoming.isFull()).isTrue();
    incoming.add(10);
    incoming.whenHalfFree(() -> told.add("first"));
    incoming.release(59);
    assertThat(told).isEmpty();
    incoming.release(1);
    assertThat(told).containsExactly("first");
    incoming.release(50);
    assertThat(told).containsExactly("first");
    assertThat(incoming.held()).isZero();
  }
}
