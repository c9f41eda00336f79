package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.SharedBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bounds of memory and time, and the flow control that keeps to them. */
class RemotingServerLimitsTest {
  private static final int UNSENT_LIMIT_BYTES = 64 * 1024;
  private static final int ANSWER_BYTES = 32 * 1024;
  private static final long SHORT_MS = 300;
  private static final long LONG_MS = 60_000;

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  @Test
  void shouldDropAPeerThatDoesNotReadAndHoldLittleForIt() throws Exception {
    AtomicLong mostUnsent = new AtomicLong();
    CompletableFuture<Void> dropped = new CompletableFuture<>();
    TestServer server = server(new EchoHandler() {
      @Override
      public void request(Connection connection, InboundFrame frame) {
        connection.write(frame.command().success().body(new byte[ANSWER_BYTES]));
        mostUnsent.accumulateAndGet(connection.unsentBytes(), Math::max);
      }

      @Override
      public void closed(Connection connection) {
        dropped.complete(null);
      }
    }, options().withUnsentLimit(UNSENT_LIMIT_BYTES, SHORT_MS));

    TestPeer deaf = connect(server);
    deaf.send(frames(1_000));
    dropped.get(60, TimeUnit.SECONDS);

    assertThat(mostUnsent.get()).isBetween((long) UNSENT_LIMIT_BYTES, UNSENT_LIMIT_BYTES + 3L * ANSWER_BYTES);
    TestPeer healthy = connect(server);
    healthy.send(request(7));
    assertThat(healthy.receive().opaque()).isEqualTo(7);
  }

  @Test
  void shouldGoOnWithAPeerThatReadsAfterAll() throws Exception {
    TestServer server = server(new EchoHandler() {
      @Override
      public void request(Connection connection, InboundFrame frame) {
        connection.write(frame.command().success().body(new byte[ANSWER_BYTES]));
      }
    }, options().withUnsentLimit(UNSENT_LIMIT_BYTES, LONG_MS));

    TestPeer slow = connect(server);
    slow.send(frames(1_000));

    for (int i = 0; i < 1_000; i++) {
      RemotingCommand answer = slow.receive();
      assertThat(answer.opaque()).isEqualTo(i);
      assertThat(answer.body()).hasSize(ANSWER_BYTES);
    }
  }

  @Test
  void shouldHoldFramesBackWhileReadingIsPaused() throws Exception {
    AtomicInteger seen = new AtomicInteger();
    CompletableFuture<Connection> paused = new CompletableFuture<>();
    TestServer server = server(new EchoHandler() {
      @Override
      public void request(Connection connection, InboundFrame frame) {
        super.request(connection, frame);
        if (seen.incrementAndGet() == 3) {
          connection.pauseReading();
          connection.pauseReading();
          paused.complete(connection);
        }
      }
    }, options());

    TestPeer peer = connect(server);
    peer.send(frames(10));
    Connection connection = paused.get(60, TimeUnit.SECONDS);
    for (int i = 0; i < 3; i++) {
      assertThat(peer.receive().opaque()).isEqualTo(i);
    }
    peer.send(frames(10));
    run(server, connection::resumeReading);
    TestPeer other = connect(server);
    other.send(request(1));
    other.receive();
    assertThat(seen).hasValue(4);

    run(server, connection::resumeReading);
    for (int i = 3; i < 20; i++) {
      assertThat(peer.receive().opaque()).isEqualTo(i % 10);
    }
  }

  @Test
  void shouldCloseAnIdleConnectionAndKeepABusyOne() throws Exception {
    CompletableFuture<Long> closed = new CompletableFuture<>();
    TestServer server = server(new EchoHandler() {
      @Override
      public void closed(Connection connection) {
        closed.complete(connection.id());
      }
    }, options().withIdleTimeoutMs(4_000));

    TestPeer idle = connect(server);
    TestPeer busy = connect(server);
    int answers = 0;
    while (!closed.isDone()) {
      busy.send(request(answers));
      assertThat(busy.receive().opaque()).isEqualTo(answers++);
    }

    assertThat(idle.receiveToEnd()).isEmpty();
    busy.send(request(-1));
    assertThat(busy.receive().opaque()).isEqualTo(-1);
  }

  @Test
  void shouldDropAPeerThatDoesNotFinishABigFrame() throws Exception {
    TestServer server = server(new EchoHandler(), options().withUnsentLimit(UNSENT_LIMIT_BYTES, SHORT_MS));
    byte[] frame = TestPeer.frame(request(1).body(new byte[BigFrames.BIG + 1]));

    TestPeer peer = connect(server);
    peer.send(Arrays.copyOf(frame, frame.length - 1));

    assertThat(peer.receiveToEnd()).isEmpty();
  }

  @Test
  void shouldReadABigFrameInPieces() throws Exception {
    TestServer server = server(new EchoHandler(), options());
    byte[] frame = TestPeer.frame(request(1).body(new byte[3 * 1024 * 1024]));

    TestPeer peer = connect(server);
    for (int at = 0; at < frame.length; at += 100_000) {
      peer.send(Arrays.copyOfRange(frame, at, Math.min(frame.length, at + 100_000)));
    }

    assertThat(peer.receive().body()).hasSize(3 * 1024 * 1024);
  }

  @Test
  void shouldTurnAwayTheConnectionBeyondTheMaximum() throws Exception {
    TestServer server = server(new EchoHandler(), options().withMaxConnections(2));
    TestPeer first = connect(server);
    TestPeer second = connect(server);
    for (TestPeer peer : List.of(first, second)) {
      peer.send(request(1));
      peer.receive();
    }

    assertThat(connect(server).receiveToEnd()).isEmpty();

    first.close();
    second.send(request(2));
    assertThat(second.receive().opaque()).isEqualTo(2);
  }

  @Test
  void shouldKeepItsConnectionsWhenItStopsAccepting() throws Exception {
    TestServer server = server(new EchoHandler(), options());
    int port = server.port();
    TestPeer peer = connect(server);
    peer.send(request(1));
    peer.receive();

    server.onLoop(() -> server.server().stopAccepting());

    peer.send(request(2));
    assertThat(peer.receive().opaque()).isEqualTo(2);
    assertThatThrownBy(() -> {
      while (true) {
        new TestPeer(port).close();
      }
    }).isInstanceOf(IOException.class);
  }

  @Test
  void shouldSendWhatWasWrittenBeforeAClose() throws Exception {
    TestServer server = server(new EchoHandler() {
      @Override
      public void request(Connection connection, InboundFrame frame) {
        connection.write(frame.command().success().body(new byte[ANSWER_BYTES]));
        connection.close("the test wants it");
        connection.write(frame.command().success());
      }
    }, options());

    TestPeer peer = connect(server);
    peer.send(frames(3));

    assertThat(peer.receive().body()).hasSize(ANSWER_BYTES);
    assertThat(peer.receiveToEnd()).isEmpty();
  }

  @Test
  void shouldSendSharedBytesInOrderAndGiveEachBackOnce() throws Exception {
    Shared small = new Shared(100, 1);
    Shared big = new Shared(500_000, 2);
    Shared late = new Shared(10_000, 3);
    TestServer server = server(new EchoHandler() {
      @Override
      public void request(Connection connection, InboundFrame frame) {
        connection.write(new byte[] {9}, 0, 1);
        connection.writeShared(List.of(small, big, small));
        connection.write(ByteBuffer.wrap(new byte[] {8}));
        connection.close("the test wants it");
        connection.writeShared(List.of(late));
      }
    }, options());

    TestPeer peer = connect(server);
    peer.send(request(1));
    byte[] all = peer.receiveToEnd();
    server.onLoop(() -> null);

    assertThat(all).hasSize(1 + 100 + 500_000 + 100 + 1);
    assertThat(all[0]).isEqualTo((byte) 9);
    assertThat(all[1]).isEqualTo((byte) 1);
    assertThat(all[101]).isEqualTo((byte) 2);
    assertThat(all[500_101]).isEqualTo((byte) 1);
    assertThat(all[500_201]).isEqualTo((byte) 8);
    assertThat(big.released).hasValue(1);
    assertThat(small.released).hasValue(2);
    assertThat(late.released).hasValue(1);
  }

  @Test
  void shouldGiveSharedBytesBackAndEndTheConnectionWhenTheyCannotBeWritten() throws Exception {
    Shared sound = new Shared(100, 1);
    Shared broken = new Shared(-1, 2);
    TestServer server = server(new EchoHandler() {
      @Override
      public void request(Connection connection, InboundFrame frame) {
        connection.writeShared(List.of(sound, broken, sound));
      }
    }, options());

    TestPeer peer = connect(server);
    peer.send(request(1));

    assertThat(peer.receiveToEnd()).isEmpty();
    server.onLoop(() -> null);
    assertThat(sound.released).hasValue(2);
    assertThat(broken.released).hasValue(1);
  }

  @Test
  void shouldGiveSharedBytesBackWhenThePeerIsGone() throws Exception {
    Shared big = new Shared(8 * 1024 * 1024, 1);
    CompletableFuture<Void> closed = new CompletableFuture<>();
    TestServer server = server(new EchoHandler() {
      @Override
      public void request(Connection connection, InboundFrame frame) {
        connection.writeShared(List.of(big, big));
      }

      @Override
      public void closed(Connection connection) {
        closed.complete(null);
      }
    }, options().withUnsentLimit(UNSENT_LIMIT_BYTES, SHORT_MS));

    connect(server).send(request(1));
    closed.get(60, TimeUnit.SECONDS);

    server.onLoop(() -> null);
    assertThat(big.released).hasValue(2);
  }

  @Test
  void shouldAskThePeerAndHearItsAnswer() throws Exception {
    CompletableFuture<Connection> opened = new CompletableFuture<>();
    TestServer server = server(opening(opened), options());
    TestPeer peer = connect(server);
    Connection connection = opened.get(60, TimeUnit.SECONDS);

    CompletableFuture<RemotingCommand> answer = new CompletableFuture<>();
    run(server, () -> connection.request(RemotingCommand.request(221), LONG_MS).onSuccess(answer::complete));
    RemotingCommand question = peer.receive();
    peer.send(RemotingCommand.decoded(0, "JAVA", 513, question.opaque() + 1, 1, SerializeType.JSON));
    peer.send(question.success().body(new byte[] {5}));

    assertThat(question.code()).isEqualTo(221);
    assertThat(answer.get(60, TimeUnit.SECONDS).body()).containsExactly(5);
  }

  @Test
  void shouldFailAQuestionThatIsNotAnsweredInTimeOrAtAll() throws Exception {
    CompletableFuture<Connection> opened = new CompletableFuture<>();
    TestServer server = server(opening(opened), options());
    TestPeer peer = connect(server);
    Connection connection = opened.get(60, TimeUnit.SECONDS);

    CompletableFuture<Throwable> late = new CompletableFuture<>();
    CompletableFuture<Throwable> never = new CompletableFuture<>();
    run(server, () -> {
      connection.request(RemotingCommand.request(221), 1).onFailure(late::complete);
      connection.request(RemotingCommand.request(307), LONG_MS).onFailure(never::complete);
    });
    assertThat(late.get(60, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class).hasMessageContaining("221");
    peer.close();

    assertThat(never.get(60, TimeUnit.SECONDS)).hasMessageContaining("ended");
  }

  private static FrameHandler opening(CompletableFuture<Connection> opened) {
    return new EchoHandler() {
      @Override
      public void opened(Connection connection) {
        opened.complete(connection);
      }
    };
  }

  private static RemotingServerOptions options() {
    return RemotingServerOptions.of("127.0.0.1", 0);
  }

  private TestServer server(FrameHandler handler, RemotingServerOptions options) {
    TestServer server = new TestServer(handler, options);
    open.add(server);
    return server;
  }

  private TestPeer connect(TestServer server) throws IOException {
    TestPeer peer = server.connect();
    open.add(0, peer);
    return peer;
  }

  private static void run(TestServer server, Runnable action) {
    server.onLoop(() -> {
      action.run();
      return null;
    });
  }

  private static RemotingCommand request(int opaque) {
    return RemotingCommand.decoded(1, "JAVA", 513, opaque, 0, SerializeType.JSON);
  }

  private static byte[] frames(int count) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(TestPeer.frame(request(i)));
    }
    return all.toByteArray();
  }

  private static final class Shared implements SharedBytes {
    private final AtomicInteger released = new AtomicInteger();
    private final int length;
    private final byte value;

    Shared(int length, int value) {
      this.length = length;
      this.value = (byte) value;
    }

    @Override
    public ByteBuffer bytes() {
      ByteBuffer bytes = ByteBuffer.allocateDirect(length);
      for (int i = 0; i < length; i++) {
        bytes.put(i, value);
      }
      return bytes.asReadOnlyBuffer();
    }

    @Override
    public void release() {
      released.incrementAndGet();
    }
  }
}
