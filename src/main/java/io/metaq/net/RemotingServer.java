package io.metaq.net;

import io.metaq.model.OwnedBy;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Listens for peers of the remoting protocol on behalf of one verticle instance: all calls come on its event loop and must be made
 * there. Instances on several loops that listen on the same port share the connections among them.
 */
@OwnedBy("the event loop it was made on")
public final class RemotingServer {
  private static final int BACKLOG = 1024;
  private static final long SWEEP_MS = 250;
  /** Each connection is looked at once in so many ticks: ten thousand idle ones every time would cost a few per cent of a core. */
  private static final int SWEEP_TICKS = 4;
  private static final long CLOSE_GRACE_MS = 2_000;
  private static final long UNTIL_CLOSED_DAYS = 365;

  private final Vertx vertx;
  private final RemotingServerOptions options;
  private final FrameHandler handler;
  private final WireLoop loop;
  private final NetServer server;
  private final Map<Long, RemotingConnection> connections = new LinkedHashMap<>();
  /** Those of the sweep that is going on, and the next one's index. */
  private List<RemotingConnection> swept = List.of();
  private int nextSwept;
  private long sweepTimer = -1;
  private Future<Void> ended;

  private RemotingServer(Vertx vertx, ContextInternal context, RemotingServerOptions options, FrameHandler handler) {
    this.vertx = vertx;
    this.options = options;
    this.handler = handler;
    this.loop = new WireLoop(context, options.limits(), options.clock());
    this.server = vertx.createNetServer(new NetServerOptions()
        .setTcpNoDelay(true)
        .setTcpKeepAlive(false)
        .setReuseAddress(true)
        .setAcceptBacklog(BACKLOG)
        .setIdleTimeout(0));
  }

  /**
   * Listens; to be called on an event loop, in a verticle's start.
   *
   * @return the server once it accepts; fails when the address cannot be had
   */
  public static Future<RemotingServer> listen(Vertx vertx, RemotingServerOptions options, FrameHandler handler) {
    ContextInternal context = ((VertxInternal) vertx).getOrCreateContext();
    if (!context.isEventLoopContext()) {
      throw new IllegalStateException("a remoting server belongs on an event loop");
    }
    return new RemotingServer(vertx, context, options, handler).listen();
  }

  private Future<RemotingServer> listen() {
    return server.connectHandler(this::accept).listen(options.port(), options.host()).map(listening -> {
      sweepTimer = vertx.setPeriodic(SWEEP_MS, tick -> sweep());
      return this;
    });
  }

  /** The port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** The connections of this instance, in the order they came; a view. */
  public Collection<Connection> connections() {
    return Collections.unmodifiableCollection(connections.values());
  }

  /**
   * Takes this instance off the port: no further connections, those that are there go on. The port is free once the last instance did
   * so.
   */
  public Future<Void> stopAccepting() {
    if (ended == null) {
      // Vert.x has no word for this: a shutdown closes the port now and the connections after the grace, unless they ended before.
      ended = server.shutdown(UNTIL_CLOSED_DAYS, TimeUnit.DAYS);
    }
    return loop.context().succeededFuture();
  }

  /** Stops accepting and closes every connection after what was written to it has left; a peer that does not take it is cut off. */
  public Future<Void> close() {
    stopAccepting();
    new ArrayList<>(connections.values()).forEach(connection -> connection.close("this server stops"));
    long graceTimer = vertx.setTimer(CLOSE_GRACE_MS, late -> new ArrayList<>(connections.values()).forEach(RemotingConnection::abort));
    Promise<Void> closed = loop.context().promise();
    ended.onComplete(closed);
    return closed.future().onComplete(done -> {
      vertx.cancelTimer(graceTimer);
      vertx.cancelTimer(sweepTimer);
    });
  }

  private void accept(NetSocket accepted) {
    NetSocketInternal socket = (NetSocketInternal) accepted;
    if (ended != null || connections.size() >= options.maxConnections()) {
      if (ended == null) {
        loop.refusals().refused(Refusal.TOO_MANY, socket.remoteAddress().toString(), "at most " + options.maxConnections());
      }
      socket.channelHandlerContext().close();
      return;
    }
    ChannelHandlerContext vertxHandler = socket.channelHandlerContext();
    RemotingConnection connection = new RemotingConnection(loop, vertxHandler.channel(), BigFrames.PROCESS, handler);
    connections.put(connection.id(), connection);
    connection.start(vertxHandler.name(), () -> connections.remove(connection.id()));
  }

  private void sweep() {
    long nowNs = options.clock().nanos();
    loop.refusals().sweep(nowNs);
    if (nextSwept == swept.size()) {
      swept = new ArrayList<>(connections.values());
      nextSwept = 0;
    }
    int to = Math.min(swept.size(), nextSwept + swept.size() / SWEEP_TICKS + 1);
    while (nextSwept < to) {
      swept.get(nextSwept++).sweep(nowNs);
    }
  }
}
