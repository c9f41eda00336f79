package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AddressRanges;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that trickle in, and connections on which none comes. */
@Timeout(120)
class SlowRequestsTest {
  private static final String HEAD = "POST /v1/topics/slow/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x\r\n";

  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  private static int port;

  @BeforeAll
  static void startBridgeThatWaitsForSeconds() throws Exception {
    BridgeLimits usual = BridgeLimits.standard();
    port = SERVER.bridge(AddressRanges.LOOPBACK, List.of(), List.of(), 4 << 20,
        new BridgeLimits(200, 300, 60_000, usual.stalledMs(), 3_000, usual.leaseMs(), usual.maxWaitMs(), 8, 1_000, 64 << 20, 86_400_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "",
    "GET / HTTP/1.1\r\nX: ",
    "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nX: "})
  void shouldEndAConnectionOnWhichNoHeadComesWhole(String beginning) throws Exception {
    try (Socket socket = open(beginning)) {
      String answers = trickle(socket, beginning.isEmpty() ? "" : "x");

      assertThat(answers).doesNotContain("408");
    }
    assertThat(new Http(port).get("/health/live").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 100000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"})
  void shouldAnswerThatABodyDidNotComeInTimeAndEndTheConnection(String rest) throws Exception {
    try (Socket socket = open(HEAD + rest)) {
      String answers = trickle(socket, rest.startsWith("Content") ? "x" : "1\r\nx\r\n");

      assertThat(answers).startsWith("HTTP/1.1 408 ").contains("application/problem+json", "urn:metaq:problem:too-slow");
    }
    assertThat(new Http(port).get("/v1/topics/slow").status()).as("nothing was sent").isEqualTo(404);
  }

  @Test
  void shouldLetStreamsAndWebSocketsAndLongReadsGoOn() throws Exception {
    new Http(port).json("PUT", "/v1/topics/kept", new JsonObject().put("queues", 1));
    HttpApiTest.await("the topic is served", () -> status("/v1/topics/kept/queues/" + SERVER.brokerName() + "/0/messages") == 200);
    try (WsPeer peer = WsPeer.connect(SERVER.vertx(), port);
        Socket stream = open("GET /v1/topics/kept/events HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
      Http.Reply waited = new Http(port).get("/v1/topics/kept/queues/" + SERVER.brokerName() + "/0/messages?wait=6s");

      assertThat(waited.status()).isEqualTo(200);
      assertThat(peer.ask(new JsonObject().put("op", "ping")).getString("op")).isEqualTo("pong");
      new Http(port).call("POST", "/v1/topics/kept/messages", "still there", "Content-Type", "text/x");
      assertThat(readUntil(stream.getInputStream(), "still there")).contains("event: message");
    }
  }

  private static int status(String path) {
    try {
      return new Http(port).get(path).status();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private static Socket open(String beginning) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(100);
    socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Sends a part again and again until the other side ends the connection; what it said. */
  private static String trickle(Socket socket, String part) throws IOException {
    StringBuilder said = new StringBuilder();
    OutputStream out = socket.getOutputStream();
    byte[] bytes = new byte[8192];
    while (true) {
      try {
        int read = socket.getInputStream().read(bytes);
        if (read < 0) {
          return said.toString();
        }
        said.append(new String(bytes, 0, read, StandardCharsets.US_ASCII));
      } catch (SocketTimeoutException nothingYet) {
        out.write(part.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException reset) {
        return said.toString();
      }
    }
  }

  private static String readUntil(InputStream in, String text) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      try {
        int next = in.read();
        if (next < 0) {
          return read.toString();
        }
        read.append((char) next);
      } catch (SocketTimeoutException nothingYet) {
        continue;
      }
    }
    return read.toString();
  }
}
