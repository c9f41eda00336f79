package io.metaq.net;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.function.Function;

/** Makes {@link ByteStream}s on one event loop: accepts them on a port, connects them to one. */
@OwnedBy("the event loop it was made on")
public final class ByteStreams {
  private static final int UNSENT_LIMIT_BYTES = 1024 * 1024;
  private static final int CONNECT_TIMEOUT_MS = 3_000;
  private static final long SWEEP_MS = 1_000;

  private final Vertx vertx;
  private final ContextInternal context;
  private final boolean takesFiles;
  /** Kept, because Vert.x ends the sockets of a client that was collected. */
  private final NetClient client;
  private final RefusalLog refusals;
  private final long sweepTimer;
  private NetServer server;

  /** To be called on an event loop. */
  public ByteStreams(Vertx vertx, Clock clock) {
    this.vertx = vertx;
    this.context = ((VertxInternal) vertx).getOrCreateContext();
    if (!context.isEventLoopContext()) {
      throw new IllegalStateException("byte streams belong on an event loop");
    }
    this.takesFiles = ((VertxInternal) vertx).transport().supportFileRegion();
    this.client = vertx.createNetClient(new NetClientOptions()
        .setTcpNoDelay(true)
        .setTcpKeepAlive(false)
        .setIdleTimeout(0)
        .setConnectTimeout(CONNECT_TIMEOUT_MS));
    this.refusals = new RefusalLog(clock);
    this.sweepTimer = vertx.setPeriodic(SWEEP_MS, tick -> refusals.sweep(clock.nanos()));
  }

  /**
   * Accepts connections; {@code accepted} gives each its listener, or null to have it closed at once. Once.
   *
   * @return the port; fails when the address cannot be had
   */
  public Future<Integer> listen(String host, int port, Function<ByteStream, ByteStream.Listener> accepted) {
    server = vertx.createNetServer(new NetServerOptions()
        .setTcpNoDelay(true)
        .setTcpKeepAlive(false)
        .setReuseAddress(true)
        .setIdleTimeout(0));
    return server.connectHandler(socket -> begin(socket, accepted)).listen(port, host).map(NetServer::actualPort);
  }

  /**
   * Connects; {@code connected} gives the stream its listener. The host name is looked up each time.
   *
   * @return fails when nobody accepts within {@value #CONNECT_TIMEOUT_MS} ms
   */
  public Future<ByteStream> connect(String host, int port, Function<ByteStream, ByteStream.Listener> connected) {
    return client.connect(port, host).map(socket -> begin(socket, connected));
  }

  /** Takes no connection any more and ends all that are there. */
  public Future<Void> close() {
    vertx.cancelTimer(sweepTimer);
    return (server == null ? Future.<Void>succeededFuture() : server.close()).eventually(client::close);
  }

  private ByteStream begin(NetSocket accepted, Function<ByteStream, ByteStream.Listener> listeners) {
    NetSocketInternal socket = (NetSocketInternal) accepted;
    ByteStream stream = new ByteStream(socket, UNSENT_LIMIT_BYTES, takesFiles, refusals);
    ByteStream.Listener listener = listeners.apply(stream);
    if (listener == null) {
      socket.channelHandlerContext().close();
    } else {
      stream.start(context, socket, listener);
    }
    return stream;
  }
}
