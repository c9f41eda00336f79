package io.metaq.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a channel, told to its connection. Stands where the handler of Vert.x stood; Vert.x still counts the channel, so that
 * a server's or client's end ends it, but tells it nothing.
 */
final class SocketEvents extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(SocketEvents.class);

  private final ContextInternal context;
  private final RemotingConnection connection;
  private final Runnable onClosed;
  private final Handler<ByteBuf> read;

  SocketEvents(ContextInternal context, RemotingConnection connection, Runnable onClosed) {
    this.context = context;
    this.connection = connection;
    this.onClosed = onClosed;
    this.read = connection::read;
  }

  @Override
  public void channelRead(ChannelHandlerContext netty, Object message) {
    context.emit((ByteBuf) message, read);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext netty) {
    connection.writabilityChanged();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext netty, Throwable failure) {
    log.debug("connection failed remote={}", connection.remote(), failure);
    netty.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext netty) {
    context.emit(onClosed, connection::closed);
  }
}
