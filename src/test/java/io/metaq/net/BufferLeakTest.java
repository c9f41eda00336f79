package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Every pooled buffer comes back: Netty's detector follows each one, and what it would report is looked for. */
class BufferLeakTest {
  private static final int ROUNDS = 30;
  private static final int COLLECTIONS = 20;

  private final ListAppender<ILoggingEvent> reports = new ListAppender<>();
  private final Logger detector = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
  private ResourceLeakDetector.Level levelBefore;

  @BeforeEach
  void watch() {
    levelBefore = ResourceLeakDetector.getLevel();
    reports.start();
    detector.addAppender(reports);
    detector.setAdditive(false);
  }

  @AfterEach
  void unwatch() {
    detector.detachAppender(reports);
    detector.setAdditive(true);
    ResourceLeakDetector.setLevel(levelBefore);
  }

  @Test
  void shouldLoseNoBufferOnAnyWayAConnectionCanEnd() throws Exception {
    byte[] frame = TestPeer.frame(RemotingCommand.decoded(1, "JAVA", 513, 1, 0, SerializeType.JSON).body(new byte[20_000]));
    byte[] big = TestPeer.frame(RemotingCommand.decoded(1, "JAVA", 513, 1, 0, SerializeType.JSON).body(new byte[400_000]));

    try (TestServer server = new TestServer(new EchoHandler())) {
      // Not before: the first Vert.x of a process turns the detector off.
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
      for (int i = 0; i < ROUNDS; i++) {
        whole(server, frame);
        whole(server, big);
        abandoned(server, Arrays.copyOf(frame, 2));
        abandoned(server, Arrays.copyOf(frame, 10_000));
        abandoned(server, Arrays.copyOf(big, 300_000));
        abandoned(server, big);
        refused(server, new byte[64]);
        refused(server, "GET / HTTP/1.1\r\n\r\n".getBytes());
      }
    }

    for (int i = 0; i < COLLECTIONS; i++) {
      collectAndReport();
    }
    assertThat(reports.list).isEmpty();
  }

  /** The counter-check: the same look finds a buffer that was lost on purpose. */
  @Test
  void shouldFindABufferThatIsLost() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBuf lost = ByteBufAllocator.DEFAULT.directBuffer(64).writeLong(1);
    assertThat(lost.readableBytes()).isEqualTo(8);
    lost = null;

    for (int i = 0; i < COLLECTIONS; i++) {
      collectAndReport();
    }

    assertThat(reports.list).isNotEmpty();
    assertThat(reports.list.get(0).getFormattedMessage()).contains("LEAK");
  }

  private static void whole(TestServer server, byte[] frame) throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(frame);
      peer.receive();
    }
  }

  private static void abandoned(TestServer server, byte[] bytes) throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(bytes);
    }
  }

  private static void refused(TestServer server, byte[] bytes) throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(bytes);
      peer.receiveToEnd();
    }
  }

  /** Reports come with a later allocation, once the collector has found what nobody holds any more. */
  private static void collectAndReport() {
    System.gc();
    for (int j = 0; j < 200; j++) {
      ByteBufAllocator.DEFAULT.directBuffer(64).release();
    }
  }
}
