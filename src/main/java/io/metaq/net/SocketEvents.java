package io.metaq.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;

/**
 * Takes what the socket reads, as it is, before Vert.x copies it or counts it in queues of its own; everything else goes on to Vert.x.
 */
final class SocketEvents extends ChannelInboundHandlerAdapter {
  private final ContextInternal context;
  private final RemotingConnection connection;
  private final Handler<ByteBuf> read;

  SocketEvents(ContextInternal context, RemotingConnection connection) {
    this.context = context;
    this.connection = connection;
    this.read = connection::read;
  }

  @Override
  public void channelRead(ChannelHandlerContext netty, Object message) {
    context.emit((ByteBuf) message, read);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext netty) {
    connection.writabilityChanged();
    netty.fireChannelWritabilityChanged();
  }
}
