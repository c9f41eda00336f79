package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AddressRanges;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A bridge that has as many connections as it may. */
@Timeout(120)
class ConnectionsTest {
  private static final int BOUND = 4;
  private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
  private static final String UPGRADE = "GET /v1/ws" + HOST + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  private final List<Socket> open = new ArrayList<>();
  private int port;

  @BeforeEach
  void fillABridge() throws Exception {
    port = SERVER.bridge(AddressRanges.LOOPBACK, List.of(), List.of(), 4 << 20, BridgeLimits.standard().withMaxConnections(BOUND));
    for (int i = 0; i < BOUND; i++) {
      assertThat(firstLine(asking(UPGRADE))).contains(" 101 ");
    }
  }

  @AfterEach
  void closeAll() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  @Test
  void shouldRefuseFurtherOnesAndTellThat() throws Exception {
    for (String request : List.of(UPGRADE, "GET /v1/topics" + HOST + "\r\n", "GET /v1/topics/t/events" + HOST + "\r\n")) {
      String answer = allOf(asking(request));

      assertThat(answer.toLowerCase()).startsWith("http/1.1 503 ").contains("retry-after: 5", "connection: close",
          "urn:metaq:problem:unavailable", "the bridge has 4 connections");
    }
  }

  @Test
  void shouldTellHowItIsAllTheSame() throws Exception {
    for (int i = 0; i < 2 * Connections.SPARE; i++) {
      assertThat(allOf(asking("GET /health/live" + HOST + "\r\n"))).startsWith("HTTP/1.1 200 ");
    }
    assertThat(allOf(asking("GET /metrics" + HOST + "\r\n"))).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void shouldEndAtOnceWhatIsOverTheSpareOnes() throws Exception {
    for (int i = 0; i < Connections.SPARE; i++) {
      asking("GET /health/live");
    }

    assertThat(allOf(asking(""))).isEmpty();
  }

  @Test
  void shouldTakeAnotherOnceOneIsGone() throws Exception {
    open.get(0).close();

    HttpApiTest.await("there is room", () -> {
      try {
        return firstLine(asking(UPGRADE)).contains(" 101 ");
      } catch (IOException failure) {
        throw new AssertionError(failure);
      }
    });
  }

  @Test
  void shouldHaveABoundThatGoesWithTheHeap() {
    assertThat(BridgeLimits.connectionsOf(64 << 20)).isEqualTo(1_365);
    assertThat(BridgeLimits.connectionsOf(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }

  private Socket asking(String request) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    open.add(socket);
    socket.setSoTimeout(60_000);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  private static String firstLine(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = socket.getInputStream().read(); c >= 0 && c != '\n'; c = socket.getInputStream().read()) {
      line.append((char) c);
    }
    return line.toString();
  }

  /** Until the connection ends. */
  private static String allOf(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
