package io.metaq.net;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;

/**
 * A connection to another server. Belongs to the event loop on which it was made; everything it promises is kept there. It does not
 * come back by itself: whoever made it hears of its end and decides.
 */
@OwnedBy("the event loop it was made on")
public final class RemotingLink {
  private static final long SWEEP_MS = 250;

  private final Vertx vertx;
  /** Kept, because Vert.x ends the sockets of a client that was collected. */
  private final NetClient client;
  private final RemotingConnection connection;
  private final Promise<Void> ended;
  private final long sweepTimer;

  private RemotingLink(
      Vertx vertx, ContextInternal context, NetClient client, NetSocketInternal socket, RemotingLinkOptions options) {
    this.vertx = vertx;
    this.client = client;
    this.ended = context.promise();
    WireLoop loop = new WireLoop(context, options.limits(), options.clock());
    ChannelHandlerContext vertxHandler = socket.channelHandlerContext();
    this.connection = new RemotingConnection(loop, vertxHandler.channel(), BigFrames.PROCESS, NoRequests.INSTANCE);
    this.sweepTimer = vertx.setPeriodic(SWEEP_MS, tick -> sweep(options.clock().nanos(), loop));
    connection.start(vertxHandler.name(), this::closed);
  }

  /**
   * Connects; to be called on an event loop. The host name is looked up each time.
   *
   * @return the link once it is connected; fails when nobody accepts within the time-out
   */
  public static Future<RemotingLink> connect(Vertx vertx, String host, int port, RemotingLinkOptions options) {
    ContextInternal context = ((VertxInternal) vertx).getOrCreateContext();
    if (!context.isEventLoopContext()) {
      throw new IllegalStateException("a remoting link belongs on an event loop");
    }
    NetClient client = vertx.createNetClient(new NetClientOptions()
        .setTcpNoDelay(true)
        .setTcpKeepAlive(false)
        .setIdleTimeout(0)
        .setConnectTimeout(options.connectTimeoutMs()));
    Future<NetSocket> connected = client.connect(port, host);
    return connected
        .map(socket -> new RemotingLink(vertx, context, client, (NetSocketInternal) socket, options))
        .onFailure(failure -> client.close());
  }

  /**
   * Sends a request, with an opaque of this link's own count.
   *
   * @return its answer, whatever the code; fails when none came within {@code timeoutMs} or the link ended
   */
  public Future<RemotingCommand> request(RemotingCommand command, long timeoutMs) {
    return connection.request(command, timeoutMs);
  }

  /** Sends a request that is not answered. */
  public void oneway(RemotingCommand command) {
    connection.write(command);
  }

  /** Completes when the link ended, whoever ended it. */
  public Future<Void> closeFuture() {
    return ended.future();
  }

  /** Ends the link after what was sent has left. */
  public void close() {
    connection.close("the link is not needed any more");
  }

  private void sweep(long nowNs, WireLoop loop) {
    loop.refusals().sweep(nowNs);
    connection.sweep(nowNs);
  }

  private void closed() {
    vertx.cancelTimer(sweepTimer);
    client.close();
    ended.complete();
  }
}
