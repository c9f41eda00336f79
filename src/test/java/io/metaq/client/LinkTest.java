package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.model.Clock;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One connection whose server has bad days. */
@Timeout(180)
class LinkTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int SMALL_BUFFER_BYTES = 64 << 10;
  private static final long STALL_MS = 300;
  private static final long LONG_MS = 60_000;

  private final Vertx vertx = Vertx.vertx();
  private final Home home = new Home(vertx, Clock.system());

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldGiveUpAPeerThatTakesNothingAndFailWhatWasWritten() throws Exception {
    Link link = linkTo(NetSocket::pause, (request, from) -> {});

    Optional<Throwable> failure =
        here(() -> {
          link.tell(RemotingCommand.oneway(RequestCode.HEART_BEAT).body(new byte[16 << 20]));
          return link.written();
        });

    assertThat(failure).containsInstanceOf(MetaqException.class);
    assertThat(link.hasEnded()).isTrue();
  }

  @Test
  void shouldCloseWhenSomethingThatCameCannotBeDealtWith() throws Exception {
    AtomicInteger handed = new AtomicInteger();
    CompletableFuture<Void> closed = new CompletableFuture<>();
    RemotingCommand told = RemotingCommand.oneway(RequestCode.NOTIFY_CONSUMER_IDS_CHANGED);

    linkTo(
        socket -> {
          socket.closeHandler(ignored -> closed.complete(null));
          socket.write(Buffer.buffer(FakeCluster.Call.bytes(told)).appendBytes(FakeCluster.Call.bytes(told)));
        },
        (request, from) -> {
          handed.incrementAndGet();
          throw new IllegalStateException("thrown by a test");
        });

    closed.get(60, TimeUnit.SECONDS);
    assertThat(handed).hasValue(1);
  }

  @Test
  void shouldWaitForTheAnswersUnderWayWhenTheServerAsksItToGoAway() throws Exception {
    List<FakeCluster.Call> calls = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Link link =
        linkTo(
            socket -> {
              socket.closeHandler(ignored -> closed.complete(null));
              FrameCutter cutter =
                  new FrameCutter(
                      (bytes, from, length) -> calls.add(new FakeCluster.Call(socket, Frames.decode(bytes, from, length))));
              socket.handler(cutter::feed);
            },
            (request, from) -> {});
    CompletableFuture<RemotingCommand> first = new CompletableFuture<>();
    CompletableFuture<Throwable> second = new CompletableFuture<>();
    home.run(() -> link.call(RemotingCommand.request(RequestCode.GET_MAX_OFFSET), LONG_MS).onSuccess(first::complete));
    home.run(() -> link.call(RemotingCommand.request(RequestCode.GET_MIN_OFFSET), LONG_MS).onFailure(second::complete));
    Await.until("both requests", LIMIT, () -> calls.size() == 2);

    calls.get(1).answer(calls.get(1).request().response(ResultCode.GO_AWAY, null));
    assertThat(second.get(60, TimeUnit.SECONDS)).isInstanceOf(MetaqException.class);
    Optional<Throwable> third = here(() -> link.call(RemotingCommand.request(RequestCode.GET_MIN_OFFSET), LONG_MS));
    calls.get(0).answer(calls.get(0).request().success());

    assertThat(third).as("a request after that").containsInstanceOf(MetaqException.class);
    assertThat(first.get(60, TimeUnit.SECONDS).code()).isEqualTo(ResultCode.SUCCESS.wire());
    closed.get(60, TimeUnit.SECONDS);
  }

  @Test
  void shouldGiveItsMemoryBackWhenNothingIsWrittenAnyMore() throws Exception {
    Link link = linkTo(socket -> socket.handler(taken -> {}), (request, from) -> {});

    CompletableFuture<Integer> busy = new CompletableFuture<>();

    home.run(() -> {
      link.tell(RemotingCommand.oneway(RequestCode.HEART_BEAT).body(new byte[1 << 20]));
      busy.complete(link.keptBytes());
    });

    assertThat(busy.get(60, TimeUnit.SECONDS)).isGreaterThan(1 << 20);
    Await.until("a small array", LIMIT, () -> link.keptBytes() <= WriteBuffer.KEPT_TIMES * WriteBuffer.FIRST_BYTES);
  }

  /** What becomes of something done on the client's context: its failure, or nothing. */
  private Optional<Throwable> here(Supplier<Future<?>> action) throws Exception {
    CompletableFuture<Optional<Throwable>> over = new CompletableFuture<>();
    home.run(() -> action.get().onComplete(done -> over.complete(Optional.ofNullable(done.cause()))));
    return over.get(60, TimeUnit.SECONDS);
  }

  /** Connects to a server; the connection is swept as the client does it. */
  private Link linkTo(Consumer<NetSocket> server, BiConsumer<RemotingCommand, Link> onRequest) throws Exception {
    NetServer listening =
        vertx
            .createNetServer(new NetServerOptions().setHost("127.0.0.1").setPort(0).setReceiveBufferSize(SMALL_BUFFER_BYTES))
            .connectHandler(server::accept);
    listening.listen().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    NetClient client = vertx.createNetClient(new NetClientOptions().setSendBufferSize(SMALL_BUFFER_BYTES));
    Address address = new Address("127.0.0.1", listening.actualPort());
    CompletableFuture<Link> made = new CompletableFuture<>();
    home.run(
        () ->
            client
                .connect(address.port(), address.host())
                .onSuccess(
                    socket -> {
                      Link link = new Link(home, address, socket, Optional.empty(), STALL_MS, onRequest);
                      home.every(20, () -> link.sweep(home.clock().nanos()));
                      made.complete(link);
                    }));
    return made.get(60, TimeUnit.SECONDS);
  }
}
