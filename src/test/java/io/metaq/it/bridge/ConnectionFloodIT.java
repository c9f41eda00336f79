package io.metaq.it.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of pages at a broker of 64 MB, which stays what it is. */
@Timeout(200)
class ConnectionFloodIT {
  private static final int FLOOD = 6_000;
  private static final String UPGRADE = "GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

  @TempDir Path folder;

  @Test
  void shouldServeThoseItHasAndStopInOrderWhateverComesOnTop() throws Exception {
    List<Socket> flood = new ArrayList<>();
    try (BrokerProcess server = BrokerProcess.standalone(folder.resolve("data")).jvm("-Xmx64m").start()) {
      int port = server.httpPort();
      assertThat(Page.json(port, "PUT", "/v1/topics/heard", new JsonObject().put("queues", 1)).statusCode()).isIn(200, 201);
      try (Page page = Page.open(port, false)) {
        int served = 0;
        for (int i = 0; i < FLOOD; i++) {
          Socket socket = upgrading(port);
          flood.add(socket);
          served += isServed(socket) ? 1 : 0;
        }

        assertThat(served).isBetween(1_000, 2_000);
        assertThat(page.ask(new JsonObject().put("op", "publish").put("ref", "1").put("topic", "heard").put("body", "x")).getString("op"))
            .isEqualTo("published");
      }
      assertThat(server.stop()).isZero();
      assertThat(server.logLines()).noneMatch(line -> line.contains(" ERROR "));
      assertThat(server.logLines().stream().filter(line -> line.contains("connections over the bound"))).hasSizeBetween(1, 5);
    } finally {
      for (Socket socket : flood) {
        socket.close();
      }
    }
  }

  private static Socket upgrading(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(30_000);
    try {
      socket.getOutputStream().write(UPGRADE.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException endedAtOnce) {
      // Seen as not served.
    }
    return socket;
  }

  private static boolean isServed(Socket socket) {
    try {
      return new String(socket.getInputStream().readNBytes("HTTP/1.1 101".length()), StandardCharsets.ISO_8859_1).endsWith("101");
    } catch (IOException ended) {
      return false;
    }
  }
}
