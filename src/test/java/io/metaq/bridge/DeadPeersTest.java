package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AddressRanges;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** WebSockets of peers that fell silent, take nothing, are half gone or want too much; each beside one that is well. */
@Timeout(120)
class DeadPeersTest {
  private static final String UPGRADE = "GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  private static final int TEXT = 0x81;
  private static final int PING = 0x89;
  private static final int PONG = 0x8A;
  private static final int MASKED = 0x80;

  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  private static int port;

  private final String topic = "t" + UUID.randomUUID().toString().replace("-", "");
  private final String group = "g" + topic;

  @BeforeAll
  static void startBridgeThatWaitsForSeconds() throws Exception {
    port = SERVER.bridge(AddressRanges.LOOPBACK, List.of(), List.of(), 4 << 20,
        new BridgeLimits(500, 300, 6_000, 6_000, 60_000, 60_000, 1_000, 256, 1_000, 64 << 20, 86_400_000));
  }

  @BeforeEach
  void makeTopic() throws Exception {
    http().json("PUT", "/v1/topics/" + topic, new JsonObject().put("queues", 1));
    HttpApiTest.await("the topic is served", () -> status("/v1/topics/" + topic + "/queues/" + SERVER.brokerName() + "/0/messages") == 200);
  }

  @Test
  void shouldDropAPeerThatAnswersNoPing() throws Exception {
    try (WsPeer well = WsPeer.connect(SERVER.vertx(), port); Socket silent = member()) {
      byte[] all = silent.getInputStream().readAllBytes();

      assertThat(count(all, PING)).as("pings before it was dropped").isPositive();
      assertWell(well);
      HttpApiTest.await("it is no member any more", () -> members() == 0);
    }
  }

  @Test
  void shouldDropAPeerThatTakesNothingThoughItTalks() throws Exception {
    try (WsPeer well = WsPeer.connect(SERVER.vertx(), port); Socket stuck = member()) {
      for (int i = 0; i < 12; i++) {
        assertThat(http().json("POST", "/v1/topics/" + topic + "/messages", new JsonObject().put("body", "x".repeat(1 << 20))).status())
            .isEqualTo(201);
      }

      HttpApiTest.await("it is no member any more", () -> {
        talk(stuck);
        return members() == 0;
      });
      assertWell(well);
    }
  }

  @Test
  void shouldLetGoOfAPeerThatIsHalfGone() throws Exception {
    try (WsPeer well = WsPeer.connect(SERVER.vertx(), port); Socket half = member()) {
      half.shutdownOutput();

      half.getInputStream().readAllBytes();
      HttpApiTest.await("it is no member any more", () -> members() == 0);
      assertWell(well);
    }
  }

  @Test
  void shouldRefuseEachOfThousandsOfSubscriptionsAndKeepTheConnection() throws Exception {
    int asked = 10_000;
    int granted = 0;
    int refused = 0;
    try (WsPeer greedy = WsPeer.connect(SERVER.vertx(), port)) {
      for (int i = 0; i < asked; i++) {
        greedy.send(new JsonObject().put("op", "subscribe").put("ref", "r" + i).put("sub", "s" + i).put("topic", topic));
      }
      for (JsonObject answer : greedy.next(asked)) {
        granted += answer.getString("op").equals("subscribed") ? 1 : 0;
        refused += "TOO_MANY".equals(answer.getString("code")) ? 1 : 0;
      }

      assertThat(granted).isEqualTo(256);
      assertThat(refused).isEqualTo(asked - granted);
      assertWell(greedy);
    }
  }

  /** Of the group, over a socket that does no more than the test says; the first of the topic's messages may come. */
  private Socket member() throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    socket.getOutputStream().write(UPGRADE.getBytes(StandardCharsets.ISO_8859_1));
    readHead(socket.getInputStream());
    socket.getOutputStream().write(masked(new JsonObject().put("op", "subscribe").put("sub", "s").put("topic", topic).put("group", group)
        .put("from", "earliest").encode()));
    HttpApiTest.await("it is a member", () -> members() == 1);
    return socket;
  }

  private static void readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    assertThat(head).contains(" 101 ");
  }

  private static void talk(Socket socket) {
    try {
      socket.getOutputStream().write(new byte[] {(byte) PONG, (byte) MASKED, 0, 0, 0, 0});
    } catch (IOException dropped) {
      // Which is what is waited for.
    }
  }

  /** As a text frame whose mask is zero; for 126 to 65,535 bytes. */
  private static byte[] masked(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(bytes.length).isBetween(126, 65_535);
    byte[] frame = new byte[bytes.length + 8];
    frame[0] = (byte) TEXT;
    frame[1] = (byte) (MASKED | 126);
    frame[2] = (byte) (bytes.length >> 8);
    frame[3] = (byte) bytes.length;
    System.arraycopy(bytes, 0, frame, 8, bytes.length);
    return frame;
  }

  private static int count(byte[] all, int first) {
    int count = 0;
    for (byte b : all) {
      count += (b & 0xFF) == first ? 1 : 0;
    }
    return count;
  }

  private static void assertWell(WsPeer peer) throws Exception {
    assertThat(peer.ask(new JsonObject().put("op", "ping").put("ref", "well")).getString("ref")).isEqualTo("well");
  }

  private int members() {
    try {
      Http.Reply reply = http().get("/v1/groups/" + group);
      return reply.status() == 200 ? reply.json().getJsonArray("members").size() : 0;
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private int status(String path) {
    try {
      return http().get(path).status();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private static Http http() {
    return new Http(SERVER.httpPort());
  }
}
