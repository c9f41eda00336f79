package io.metaq.net;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A {@link RemotingServer} on a loop of its own, on a free port of the loopback. */
final class TestServer implements AutoCloseable {
  private static final long PATIENCE_MS = 60_000;

  private final Vertx vertx;
  private final Room room;

  TestServer(FrameHandler handler) {
    this(handler, RemotingServerOptions.of("127.0.0.1", 0));
  }

  TestServer(FrameHandler handler, RemotingServerOptions options) {
    this(handler, options, false);
  }

  /** @param nativeTransport instead of the JDK's sockets */
  TestServer(FrameHandler handler, RemotingServerOptions options, boolean nativeTransport) {
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(nativeTransport));
    room = new Room(handler, options);
    await(vertx.deployVerticle(room));
  }

  private static final class Room extends VerticleBase {
    private final FrameHandler handler;
    private final RemotingServerOptions options;
    private volatile RemotingServer server;

    Room(FrameHandler handler, RemotingServerOptions options) {
      this.handler = handler;
      this.options = options;
    }

    Context loop() {
      return context;
    }

    @Override
    public Future<?> start() {
      return RemotingServer.listen(vertx, options, handler).onSuccess(listening -> server = listening);
    }

    @Override
    public Future<?> stop() {
      return server.close();
    }
  }

  Vertx vertx() {
    return vertx;
  }

  int port() {
    return room.server.port();
  }

  TestPeer connect() throws IOException {
    return new TestPeer(port());
  }

  /** Runs something on the server's loop and waits for what it gives. */
  <T> T onLoop(Callable<T> action) {
    return await(Future.future(promise -> room.loop().runOnContext(there -> {
      try {
        promise.complete(action.call());
      } catch (Exception e) {
        promise.fail(e);
      }
    })));
  }

  /** The context of its loop. */
  Context loop() {
    return room.loop();
  }

  RemotingServer server() {
    return room.server;
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      throw new AssertionError("nothing came of it", e);
    }
  }

  @Override
  public void close() {
    await(vertx.undeploy(room.loop().deploymentID()));
    await(vertx.close());
  }
}
