package io.metaq.it.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random bytes and mutated requests and frames at the HTTP port of a small process. */
@Timeout(200)
class HttpNoiseIT {
  private static final int CONNECTIONS = 1_000;
  private static final String UPGRADE = "GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  private static final String SEND = "POST /v1/topics/noise/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "MQ-Tag: a\r\nContent-Length: 25\r\n\r\n{\"body\":\"x\",\"tag\":\"noise\"}";

  @TempDir Path folder;

  @Test
  void shouldServeOthersAndLogNoErrorWhateverComesIn() throws Exception {
    SplittableRandom random = new SplittableRandom(42);
    try (BrokerProcess server = BrokerProcess.standalone(folder.resolve("data")).jvm("-Xmx64m").start()) {
      int port = server.httpPort();
      Page.json(port, "PUT", "/v1/topics/heard", new JsonObject().put("queues", 1));
      Await.until("the topic is served", Duration.ofSeconds(60), () -> Page.get(port, "/v1/topics/heard").statusCode() == 200);
      try (Page page = Page.open(port, false)) {
        for (int i = 0; i < CONNECTIONS; i++) {
          shout(port, noise(random, i % 4));
          if (i % 100 == 0) {
            assertThat(page.ask(new JsonObject().put("op", "ping").put("ref", "p" + i)).getString("ref")).isEqualTo("p" + i);
            assertThat(Page.json(port, "POST", "/v1/topics/heard/messages", new JsonObject().put("body", "x")).statusCode()).isEqualTo(201);
          }
        }
      }

      assertThat(Page.get(port, "/health/ready").statusCode()).isEqualTo(200);
      assertThat(server.logLines()).noneMatch(line -> line.contains(" ERROR "));
      assertThat(server.standardError().chars()).as("no control characters of strangers in the log")
          .noneMatch(c -> c < ' ' && c != '\n' && c != '\t');
    }
  }

  private static byte[] noise(SplittableRandom random, int kind) {
    byte[] bytes = switch (kind) {
      case 0 -> new byte[random.nextInt(1, 4_000)];
      case 1 -> SEND.getBytes(StandardCharsets.ISO_8859_1);
      case 2 -> UPGRADE.getBytes(StandardCharsets.ISO_8859_1);
      default -> frames(random);
    };
    if (kind == 0) {
      random.nextBytes(bytes);
    }
    int first = kind == 3 ? UPGRADE.length() : 0;
    for (int changes = kind == 0 ? 0 : random.nextInt(6); changes > 0; changes--) {
      bytes[random.nextInt(first, bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  /** An upgrade, then frames of clients with some text. */
  private static byte[] frames(SplittableRandom random) {
    StringBuilder all = new StringBuilder(UPGRADE);
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      String text = "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"heard\",\"credit\":" + random.nextInt() + "}";
      all.append((char) 0x81).append((char) (0x80 | text.length())).append("\0\0\0\0").append(text);
    }
    return all.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void shout(int port, byte[] bytes) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      out.flush();
    } catch (IOException refused) {
      // That is an answer, too; whether the server is there is asked elsewhere.
    }
  }
}
