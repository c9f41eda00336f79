package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemotingLinkTest {
  private static final long LIMIT_MS = 60_000;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private ServerSocket socket;

  @BeforeEach
  void listen() throws IOException {
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setSoTimeout((int) LIMIT_MS);
  }

  @AfterEach
  void stop() throws Exception {
    socket.close();
    vertx.close().await(60, TimeUnit.SECONDS);
  }

  @Test
  void shouldMatchAnswersThatComeInAnotherOrder() throws Exception {
    RemotingLink link = connect();
    try (TestPeer peer = new TestPeer(socket.accept())) {
      Future<RemotingCommand> first = onLoop(() -> link.request(route("first"), LIMIT_MS));
      Future<RemotingCommand> second = onLoop(() -> link.request(route("second"), LIMIT_MS));
      RemotingCommand asked = peer.receive();
      RemotingCommand askedNext = peer.receive();

      peer.send(askedNext.success().remark(askedNext.requireText("topic")));
      peer.send(asked.response(ResultCode.TOPIC_NOT_EXIST, asked.requireText("topic")));

      assertThat(await(second).remark()).isEqualTo("second");
      assertThat(await(first).remark()).isEqualTo("first");
      assertThat(await(first).code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
    }
  }

  @Test
  void shouldFailARequestThatIsNotAnsweredInTime() throws Exception {
    RemotingLink link = connect();
    try (TestPeer peer = new TestPeer(socket.accept())) {
      Future<RemotingCommand> answer = onLoop(() -> link.request(route("T"), 1));
      peer.receive();

      assertThatThrownBy(() -> await(answer)).isInstanceOf(TimeoutException.class).hasMessageContaining("no answer to request 105");
    }
  }

  @Test
  void shouldFailWaitingRequestsAndSayThatItEndedWhenTheOtherSideCloses() throws Exception {
    RemotingLink link = connect();
    TestPeer peer = new TestPeer(socket.accept());
    Future<RemotingCommand> answer = onLoop(() -> link.request(route("T"), LIMIT_MS));
    peer.receive();

    peer.close();

    await(link.closeFuture());
    assertThatThrownBy(() -> await(answer)).hasMessageContaining("ended");
    Future<RemotingCommand> late = onLoop(() -> link.request(route("T"), LIMIT_MS));
    assertThatThrownBy(() -> await(late)).hasMessageContaining("ended");
  }

  @Test
  void shouldCloseAfterWhatWasSent() throws Exception {
    RemotingLink link = connect();
    try (TestPeer peer = new TestPeer(socket.accept())) {
      loop.runOnContext(now -> {
        link.oneway(RemotingCommand.oneway(RequestCode.BROKER_HEARTBEAT));
        link.close();
      });

      assertThat(peer.receive().code()).isEqualTo(RequestCode.BROKER_HEARTBEAT.wire());
      assertThat(peer.receiveToEnd()).isEmpty();
      await(link.closeFuture());
    }
  }

  @Test
  void shouldAnswerRequestsOfTheOtherSideAsUnknown() throws Exception {
    connect();
    try (TestPeer peer = new TestPeer(socket.accept())) {
      peer.send(RemotingCommand.oneway(RequestCode.NOTIFY_CONSUMER_IDS_CHANGED).opaque(1));
      peer.send(route("T").opaque(2));

      RemotingCommand answer = peer.receive();

      assertThat(answer.opaque()).isEqualTo(2);
      assertThat(answer.code()).isEqualTo(ResultCode.REQUEST_CODE_NOT_SUPPORTED.wire());
    }
  }

  @Test
  void shouldFailWhenNobodyListens() throws Exception {
    socket.close();

    assertThatThrownBy(this::connect).hasMessageContaining("refused");
  }

  private RemotingLink connect() throws Exception {
    return await(onLoop(() ->
        RemotingLink.connect(vertx, "127.0.0.1", socket.getLocalPort(), RemotingLinkOptions.defaults())));
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    loop.runOnContext(now -> action.get().onComplete(promise));
    return promise.future();
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.await(LIMIT_MS, TimeUnit.MILLISECONDS);
  }

  private static RemotingCommand route(String topic) {
    return RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC).ext("topic", topic);
  }
}
