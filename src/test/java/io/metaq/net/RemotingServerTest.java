package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.ResultCode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RemotingServerTest {
  private static final int ECHO = 900;
  private static final int HOLD = 901;
  private static final int RELEASE_LAST_FIRST = 902;
  private static final int FAIL = 903;
  private static final int REFUSE = 904;
  private static final int BREAK = 905;

  private final TestServer server = new TestServer(new Echo());

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(SerializeType.class)
  void shouldAnswerInTheHeaderFormOfTheRequest(SerializeType type) throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(request(ECHO, 7, type).ext("x", "y").body(new byte[] {1, 2, 3}));

      RemotingCommand answer = peer.receive();

      assertThat(answer.type()).isEqualTo(type);
      assertThat(answer.opaque()).isEqualTo(7);
      assertThat(answer.isResponse()).isTrue();
      assertThat(answer.ext()).containsEntry("x", "y");
      assertThat(answer.body()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void shouldReadAFrameThatArrivesByteByByte() throws Exception {
    try (TestPeer peer = server.connect()) {
      for (byte b : TestPeer.frame(request(ECHO, 1, SerializeType.JSON).body(new byte[40]))) {
        peer.send(new byte[] {b});
      }

      assertThat(peer.receive().body()).hasSize(40);
    }
  }

  @Test
  void shouldReadManyFramesOfOneWriteInOrder() throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 2_000; i++) {
      all.writeBytes(TestPeer.frame(request(ECHO, i, SerializeType.of(i % 2).orElseThrow()).body(new byte[i % 300])));
    }

    try (TestPeer peer = server.connect()) {
      peer.send(all.toByteArray());

      for (int i = 0; i < 2_000; i++) {
        RemotingCommand answer = peer.receive();
        assertThat(answer.opaque()).isEqualTo(i);
        assertThat(answer.body()).hasSize(i % 300);
      }
    }
  }

  @Test
  void shouldLetAnswersOvertakeEachOther() throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(request(HOLD, 1, SerializeType.JSON));
      peer.send(request(HOLD, 2, SerializeType.JSON));
      peer.send(request(RELEASE_LAST_FIRST, 3, SerializeType.JSON));

      assertThat(peer.receive().opaque()).isEqualTo(2);
      assertThat(peer.receive().opaque()).isEqualTo(1);
    }
  }

  @Test
  void shouldSayNothingToAOnewayRequestThatFails() throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(RemotingCommand.decoded(FAIL, "JAVA", 513, 1, 2, SerializeType.JSON));
      peer.send(RemotingCommand.decoded(REFUSE, "JAVA", 513, 2, 2, SerializeType.JSON));
      peer.send(request(ECHO, 3, SerializeType.JSON));

      assertThat(peer.receive().opaque()).isEqualTo(3);
    }
  }

  @Test
  void shouldAnswerWithTheReasonWhenARequestFails() throws Exception {
    try (TestPeer peer = server.connect()) {
      peer.send(request(REFUSE, 1, SerializeType.ROCKETMQ));
      peer.send(request(FAIL, 2, SerializeType.JSON));

      RemotingCommand refused = peer.receive();
      assertThat(refused.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
      assertThat(refused.remark()).isEqualTo("the request lacks the field 'topic'");
      assertThat(refused.type()).isEqualTo(SerializeType.ROCKETMQ);
      assertThat(peer.receive().remark()).contains("broken on purpose");
    }
  }

  /** What the heap or a disk does to one request must not repeat those that came in one read with it. */
  @Test
  void shouldAnswerOnceWhatCameInOneReadWithAnError() throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(TestPeer.frame(request(ECHO, 1, SerializeType.JSON)));
    all.writeBytes(TestPeer.frame(request(BREAK, 2, SerializeType.JSON)));
    all.writeBytes(TestPeer.frame(request(ECHO, 3, SerializeType.JSON)));

    try (TestPeer peer = server.connect()) {
      peer.send(all.toByteArray());
      peer.send(request(ECHO, 4, SerializeType.JSON));

      assertThat(peer.receive().opaque()).isEqualTo(1);
      RemotingCommand broken = peer.receive();
      assertThat(broken.opaque()).isEqualTo(2);
      assertThat(broken.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
      assertThat(broken.remark()).contains("a page that the disk does not give");
      assertThat(peer.receive().opaque()).isEqualTo(3);
      assertThat(peer.receive().opaque()).isEqualTo(4);
    }
  }

  private static RemotingCommand request(int code, int opaque, SerializeType type) {
    return RemotingCommand.decoded(code, "JAVA", 513, opaque, 0, type);
  }

  private static final class Echo implements FrameHandler {
    private final Deque<RemotingCommand> held = new ArrayDeque<>();

    @Override
    public void opened(Connection connection) {}

    @Override
    public void request(Connection connection, InboundFrame frame) {
      RemotingCommand request = frame.command();
      switch (frame.code()) {
        case HOLD -> held.push(request);
        case RELEASE_LAST_FIRST -> held.forEach(waiting -> connection.write(waiting.success()));
        case FAIL -> throw new IllegalStateException("broken on purpose");
        case BREAK -> throw new InternalError("a page that the disk does not give");
        case REFUSE -> throw new HeaderException("the request lacks the field 'topic'");
        default -> {
          byte[] body = new byte[frame.body().remaining()];
          frame.body().get(body);
          assertThat(Arrays.equals(body, request.body())).isTrue();
          RemotingCommand answer = request.success().body(body);
          request.ext().forEach(answer::ext);
          connection.write(answer);
        }
      }
    }

    @Override
    public void closed(Connection connection) {}
  }
}
