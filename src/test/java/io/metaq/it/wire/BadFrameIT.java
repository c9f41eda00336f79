package io.metaq.it.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.io.EOFException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that are no frame: that connection ends, a bystander on another one notices nothing. */
@ExtendWith(SharedServer.class)
class BadFrameIT {

  private static final int FRAME_LIMIT = 16 * 1024 * 1024;

  private final Server server;
  private RawClient bystander;
  private String topic;

  BadFrameIT(Server server) {
    this.server = server;
  }

  @BeforeEach
  void connectBystander() throws Exception {
    topic = Queues.freshName("bystander");
    bystander = RawClient.connect(server.brokerPort());
    assertThat(bystander.call(Requests.send(topic, 0, "before")).code()).isZero();
  }

  @AfterEach
  void bystanderShouldBeServedAsBefore() throws Exception {
    assertThat(bystander.call(Requests.send(topic, 0, "after")).code()).isZero();
    bystander.close();
  }

  static Stream<Arguments> badFrames() {
    byte[] rest = new byte[64];
    return Stream.of(
        Arguments.of("length 0", bytes(0, 0, rest)),
        Arguments.of("length 3, less than its own header word", bytes(3, 0, rest)),
        Arguments.of("length -1", bytes(-1, 0, rest)),
        Arguments.of("smallest length", bytes(Integer.MIN_VALUE, 0, rest)),
        Arguments.of("largest length", bytes(Integer.MAX_VALUE, 0, rest)),
        Arguments.of("length just over the limit", bytes(FRAME_LIMIT - 3, 10, rest)),
        Arguments.of("header longer than its frame", bytes(64, 61, rest)),
        Arguments.of("header of 16 MiB in a small frame", bytes(64, 0xFFFFFF, rest)),
        Arguments.of("unknown serialization", bytes(64, 7 << 24 | 20, rest)),
        Arguments.of("negative serialization", bytes(64, 0x80 << 24 | 20, rest)),
        Arguments.of("header that is no JSON", RawFrame.frame(0, "}{ hello".getBytes(UTF_8), rest)),
        Arguments.of("header that is cut JSON", RawFrame.frame(0, "{\"code\":310,\"opa".getBytes(UTF_8), rest)),
        Arguments.of("header of another JSON kind", RawFrame.frame(0, "[1,2,3]".getBytes(UTF_8), rest)),
        Arguments.of("empty header", RawFrame.frame(0, new byte[0], rest)),
        Arguments.of("binary header of 3 bytes", RawFrame.frame(1, new byte[3], rest)),
        Arguments.of("binary header with a block beyond its end", RawFrame.frame(1, binaryHeader(0, 5_000), rest)),
        Arguments.of("binary header with a negative remark", RawFrame.frame(1, binaryHeader(-5, 0), rest)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badFrames")
  void shouldEndTheConnectionOrAnswerAnError(String name, byte[] bad) throws Exception {
    for (int port : List.of(server.brokerPort(), server.namesrvPort())) {
      int linesBefore = logLines();

      try (RawClient client = RawClient.connect(port)) {
        client.write(bad);
        assertThat(endsOrAnswersAnError(client)).isTrue();
      }

      assertThat(logLines() - linesBefore).as("log lines").isLessThanOrEqualTo(1);
    }
  }

  @Test
  void shouldLogARefusedFrame() throws Exception {
    assumeTrue(server.isMetaq());

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.write(bytes(-1, 0, new byte[8]));
      client.endedByPeer();
    }

    Await.until("a log line about the frame", Duration.ofSeconds(60),
        () -> server.process().standardError().toLowerCase().contains("frame"));
  }

  @Test
  void shouldReadAFrameThatComesByteByByte() throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      byte[] frame = Requests.send(topic, 1, "slow").opaque(77).encode();
      for (byte b : frame) {
        client.write(new byte[] {b});
      }
      RawFrame answer = client.receive();

      assertThat(answer.opaque()).isEqualTo(77);
      assertThat(answer.code()).isZero();
    }
  }

  @Test
  void shouldForgetHalfAFrameWhenItsConnectionEnds() throws Exception {
    byte[] frame = Requests.send(topic, 2, "never whole").encode();

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.write(ByteBuffer.allocate(frame.length / 2).put(frame, 0, frame.length / 2).array());
    }

    assertThat(bystander.call(Requests.maxOffset(topic, 2)).number("offset")).isZero();
  }

  @Test
  void shouldKeepMemoryFlatWhenManyClaimGiantFrames() throws Exception {
    assumeTrue(server.isMetaq());
    long before = server.process().anonymousMemoryBytes();

    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      RawClient client = RawClient.connect(server.brokerPort());
      clients.add(client);
      client.write(bytes(FRAME_LIMIT - 4, 100, new byte[8 * 1024]));
    }
    assertThat(bystander.call(Requests.send(topic, 0, "meanwhile")).code()).isZero();
    long grown = server.process().anonymousMemoryBytes() - before;
    for (RawClient client : clients) {
      client.close();
    }

    assertThat(grown).as("bytes for 100 frames of 16 MiB, of which 8 KiB came").isLessThan(64L * 1024 * 1024);
  }

  @Test
  void shouldTellAnHttpClientWhereItIs() throws Exception {
    assumeTrue(server.isMetaq());

    for (int port : List.of(server.brokerPort(), server.namesrvPort())) {
      try (RawClient client = RawClient.connect(port)) {
        client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
        String answer = new String(client.readToEnd(), UTF_8);

        assertThat(answer).startsWith("HTTP/1.1 400").contains("MetaQ");
      }
    }
  }

  @Test
  void shouldRefuseTlsWithAnAlert() throws Exception {
    assumeTrue(server.isMetaq());

    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.write(new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0});
      byte[] answer = client.readToEnd();

      assertThat(answer).startsWith(0x15);
    }
  }

  private static boolean endsOrAnswersAnError(RawClient client) throws Exception {
    try {
      return client.receive().code() != 0;
    } catch (EOFException | SocketException e) {
      return true;
    }
  }

  private int logLines() {
    return server.isMetaq() ? server.process().logLines().size() : 0;
  }

  private static byte[] bytes(int length, int headerWord, byte[] rest) {
    return ByteBuffer.allocate(8 + rest.length).putInt(length).putInt(headerWord).put(rest).array();
  }

  private static byte[] binaryHeader(int remarkLength, int blockLength) {
    return ByteBuffer.allocate(21).putShort((short) 30).put((byte) 0).putShort((short) 513).putInt(1).putInt(0)
        .putInt(remarkLength).putInt(blockLength).array();
  }
}
