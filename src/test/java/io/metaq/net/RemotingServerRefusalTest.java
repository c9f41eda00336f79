package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What strangers and broken peers get: a connection of theirs closed, one line in the log, and nothing else. */
class RemotingServerRefusalTest {
  private static final int MAX_FRAME_BYTES = 1024 * 1024;

  private final TestServer server =
      new TestServer(new EchoHandler(), RemotingServerOptions.of("127.0.0.1", 0).withMaxFrameBytes(MAX_FRAME_BYTES));
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger refusals = (Logger) LoggerFactory.getLogger(RefusalLog.class);

  @BeforeEach
  void listen() {
    lines.start();
    refusals.addAppender(lines);
  }

  @AfterEach
  void close() {
    server.close();
    refusals.detachAppender(lines);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST /x HTTP/1.1\r\n\r\n", "PUT /x HTTP/1.1\r\n\r\n", "HEAD / HTTP/1.1\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"})
  void shouldAnswerHttpInHttp(String text) throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(text.getBytes(StandardCharsets.US_ASCII));

      assertThat(new String(peer.receiveToEnd(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 400 Bad Request\r\n").contains("Connection: close").contains("remoting port of MetaQ");
    }
    assertOneLine("speaks HTTP");
  }

  @Test
  void shouldAnswerTlsWithAnAlert() throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(HexFormat.of().parseHex("160301007a01000076"));

      assertThat(peer.receiveToEnd()).containsExactly(0x15, 3, 1, 0, 2, 2, 40);
    }
    assertOneLine("speaks TLS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"50524f585920544350342031302e302e302e31", "0d0a0d0a000d0a515549540a21"})
  void shouldRefuseTheProxyProtocol(String hex) throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(HexFormat.of().parseHex(hex));

      assertThat(peer.receiveToEnd()).isEmpty();
    }
    assertOneLine("PROXY protocol");
  }

  @ParameterizedTest
  @CsvSource({
      "00000000 00000000, impossible length",
      "00000003 000000, impossible length",
      "ffffffff 00000000, impossible length",
      "80000000 00000000, impossible length",
      "000ffffd 00000000, impossible length",
      "00000008 00000005 7b7d7b7d, longer than its frame",
      "00000004 ff000000, unknown form",
      "00000008 02000004 7b7d7b7d, unknown form",
      "00000004 00000000, cannot be decoded",
      "00000006 00000002 7b7d, cannot be decoded",
      "00000006 01000002 0001, cannot be decoded"})
  void shouldCloseOnAFrameThatMakesNoSense(String hex, String reason) throws Exception {
    try (TestPeer healthy = server.connect(); TestPeer peer = server.connect()) {
      peer.send(HexFormat.of().parseHex(hex.replace(" ", "")));

      assertThat(peer.receiveToEnd()).isEmpty();
      healthy.send(RemotingCommand.decoded(1, "JAVA", 513, 5, 0, SerializeType.JSON));
      assertThat(healthy.receive().opaque()).isEqualTo(5);
    }
    assertOneLine(reason);
  }

  @Test
  void shouldCloseOnABadFrameThatArrivesByteByByteBehindAGoodOne() throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(RemotingCommand.decoded(1, "JAVA", 513, 5, 0, SerializeType.JSON));
      for (byte b : HexFormat.of().parseHex("7fffffff")) {
        peer.send(new byte[] {b});
      }

      assertThat(peer.receive().opaque()).isEqualTo(5);
      assertThat(peer.receiveToEnd()).isEmpty();
    }
    assertOneLine("impossible length");
  }

  @Test
  void shouldAcceptTheLongestFrameAllowed() throws Exception {
    RemotingCommand command = RemotingCommand.decoded(1, "JAVA", 513, 5, 0, SerializeType.JSON);
    int overhead = TestPeer.frame(command).length;

    try (TestPeer peer = server.connect()) {
      peer.send(command.body(new byte[MAX_FRAME_BYTES - overhead]));
      assertThat(peer.receive().body()).hasSize(MAX_FRAME_BYTES - overhead);

      // The length alone is enough; the rest might meet a closed socket.
      peer.send(Arrays.copyOf(TestPeer.frame(command.body(new byte[MAX_FRAME_BYTES - overhead + 1])), 4));
      assertThat(peer.receiveToEnd()).isEmpty();
    }
    assertOneLine("impossible length");
  }

  @Test
  void shouldLogManyBadPeersAsOneLine() throws Exception {
    for (int i = 0; i < 50; i++) {
      try (TestPeer peer = server.connect()) {
        peer.send(new byte[8]);
        assertThat(peer.receiveToEnd()).isEmpty();
      }
    }

    assertOneLine("impossible length");
  }

  private void assertOneLine(String reason) {
    List<ILoggingEvent> seen = server.onLoop(() -> new ArrayList<>(lines.list));
    assertThat(seen).hasSize(1);
    assertThat(seen.get(0).getLevel()).isEqualTo(Level.WARN);
    assertThat(seen.get(0).getFormattedMessage()).contains(reason).contains("remote=127.0.0.1:");
  }
}
