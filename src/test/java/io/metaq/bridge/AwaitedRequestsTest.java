package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that do not come whole, over real connections, with a clock that is moved by hand. */
@Timeout(60)
class AwaitedRequestsTest {
  private static final int LIMIT_S = 15;
  private static final long LIMIT_MS = 60_000;
  private static final String HEAD = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx";

  private final HandClock clock = new HandClock();
  private final HandAlarm alarm = new HandAlarm(clock);
  private final Connections connections = new Connections(100, clock);
  private final AwaitedRequests requests = new AwaitedRequests(alarm, clock, LIMIT_MS, connections);
  private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
  private final List<Socket> open = new ArrayList<>();
  private Vertx vertx;
  private Context loop;
  private HttpServer server;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    loop = vertx.getOrCreateContext();
    server = onLoop(() -> vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
        .connectionHandler(connection -> {
          requests.opened(connection);
          arrived.add("connection");
        })
        .requestHandler(this::begin)
        .listen(0, "127.0.0.1"));
  }

  private void begin(HttpServerRequest request) {
    requests.begun(request);
    arrived.add(request.method().name());
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : open) {
      socket.close();
    }
    vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  private <T> T onLoop(Supplier<Future<T>> task) throws Exception {
    return Future.<T>future(promise -> loop.runOnContext(now -> task.get().onComplete(promise)))
        .toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  private void pass(long ms) throws Exception {
    onLoop(() -> {
      alarm.advance(ms);
      return Future.succeededFuture();
    });
  }

  private Socket half(String request) throws Exception {
    Socket socket = new Socket("127.0.0.1", server.actualPort());
    open.add(socket);
    socket.setSoTimeout(LIMIT_S * 1_000);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    assertThat(arrived.poll(LIMIT_S, TimeUnit.SECONDS)).isEqualTo("connection");
    if (request.equals(HEAD)) {
      assertThat(arrived.poll(LIMIT_S, TimeUnit.SECONDS)).isEqualTo("POST");
    }
    return socket;
  }

  private static String toTheEnd(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  /** Each that was ended was once awaited anew, and the others stayed for a minute more. */
  @Test
  void shouldEndAllThatAreLateAtOneLook() throws Exception {
    List<Socket> late = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      late.add(half(HEAD));
      late.add(half("GET / HT"));
    }

    pass(LIMIT_MS);

    for (int i = 0; i < late.size(); i += 2) {
      assertThat(toTheEnd(late.get(i))).startsWith("HTTP/1.1 408 ");
      assertThat(toTheEnd(late.get(i + 1))).isEmpty();
    }
  }

  @Test
  void shouldEndWhoComesLaterWhenItsOwnTimeIsOver() throws Exception {
    List<Socket> early = List.of(half(HEAD), half(HEAD), half(HEAD));
    pass(LIMIT_MS / 2);
    List<Socket> later = List.of(half(HEAD), half("GET / HT"), half(HEAD));

    pass(LIMIT_MS / 2);
    for (Socket socket : early) {
      assertThat(toTheEnd(socket)).startsWith("HTTP/1.1 408 ");
    }
    later.forEach(socket -> assertThat(isSilent(socket)).isTrue());
    pass(LIMIT_MS / 2 + 100);

    assertThat(toTheEnd(later.get(0))).startsWith("HTTP/1.1 408 ");
    assertThat(toTheEnd(later.get(1))).isEmpty();
    assertThat(toTheEnd(later.get(2))).startsWith("HTTP/1.1 408 ");
  }

  private static boolean isSilent(Socket socket) {
    try {
      return socket.getInputStream().available() == 0;
    } catch (IOException ended) {
      return false;
    }
  }
}
