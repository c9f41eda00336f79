package io.metaq.net;

import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.metaq.model.SharedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection in either direction. Incoming bytes go to the {@link FrameAssembler}; outgoing bytes gather in one pooled buffer that
 * the loop's tick sends.
 *
 * <p>Bytes that left here but were not taken by the peer are counted by Netty. Above the limit no further frame of this peer is handed
 * on or read, so what it makes us hold is the limit plus the answers of frames already handed on.
 */
@OwnedBy("its event loop")
final class RemotingConnection implements Connection, FrameAssembler.Receiver {
  private static final Logger log = LoggerFactory.getLogger(RemotingConnection.class);
  private static final AtomicLong IDS = new AtomicLong();

  /** A buffer is handed to the socket when it has so much, and a fresh one begun: growing it further would copy. */
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int SMALLEST_CHUNK_BYTES = 512;
  /** Shared bytes up to this length are copied: an own buffer and gather entry would cost more than the copy. */
  private static final int COPIED_SHARE_BYTES = 2048;

  private final long id = IDS.incrementAndGet();
  private final WireLoop loop;
  private final FrameHandler handler;
  private final Channel channel;
  private final String remote;
  private final byte[] remoteBytes;
  private final FrameAssembler assembler;
  private final PendingRequests pending = new PendingRequests();
  private Object attachment;
  private boolean open = true;

  // Reading: stopped while anybody paused it, while too much is unsent, while a ticket is waited for.
  private int pauses;
  private boolean unsentAboveLimit;
  private boolean reading = true;
  private boolean resuming;

  // Writing.
  private ByteBuf out;
  private int outHint = SMALLEST_CHUNK_BYTES;
  private boolean flushing;

  // What the sweep looks at; times in ns.
  private boolean moved;
  private long lastMoved;
  private long aboveLimitSince;
  private long closingSince;
  private BigFrames.Ticket sweptTicket;
  private long sweptTicketSince;

  RemotingConnection(WireLoop loop, Channel channel, BigFrames bigFrames, FrameHandler handler) {
    this.loop = loop;
    this.handler = handler;
    this.channel = channel;
    InetSocketAddress address = (InetSocketAddress) channel.remoteAddress();
    this.remote = address.getAddress().getHostAddress() + ':' + address.getPort();
    this.remoteBytes = HostBytes.of(address);
    this.assembler = new FrameAssembler(this, loop.view(), loop.limits().maxFrameBytes(), bigFrames, channel.alloc());
    this.lastMoved = loop.clock().nanos();
  }

  /**
   * Takes the channel over from Vert.x; to be called before its first read. What Vert.x keeps for a socket is of no use here and more
   * than half of what an idle connection would cost (ADR 0030).
   */
  void start(String vertxHandler, Runnable onClosed) {
    int limitBytes = loop.limits().unsentLimitBytes();
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(limitBytes / 2, limitBytes));
    channel.pipeline().replace(vertxHandler, "metaq", new SocketEvents(loop.context(), this, onClosed));
    handler.opened(this);
  }

  // Incoming

  /** One read of the socket; the buffer is ours now. */
  void read(ByteBuf bytes) {
    moved = true;
    try {
      assembler.read(bytes);
    } catch (RuntimeException | Error failure) {
      failed(failure);
    }
    updateReading();
  }

  /** Frames were not all handed on, perhaps for want of memory: with the next bytes those that were would be handed on again. */
  private void failed(Throwable failure) {
    log.error("connection closed: what came over it could not be dealt with remote={}", remote, failure);
    abort();
  }

  @Override
  public boolean ready() {
    return pauses == 0 && !unsentAboveLimit && open;
  }

  @Override
  public void frame(FrameView frame) {
    if (frame.isResponse()) {
      if (pending.awaits(frame.opaque())) {
        answered(frame);
      }
      return;
    }
    try {
      handler.request(this, frame);
    } catch (HeaderException e) {
      failed(frame, e.getMessage());
    } catch (RuntimeException | Error e) {
      log.error("a request failed code={} remote={}", frame.code(), remote, e);
      failed(frame, "the request failed: " + e);
    }
  }

  private void answered(FrameView frame) {
    try {
      pending.complete(frame.command());
    } catch (HeaderException e) {
      refuse(Refusal.HEADER, e.getMessage());
    }
  }

  private void failed(FrameView frame, String remark) {
    if (!frame.oneway()) {
      RemotingCommand request = RemotingCommand.decoded(frame.code(), RemotingCommand.LANGUAGE, RemotingCommand.VERSION,
          frame.opaque(), 0, frame.type());
      write(request.response(ResultCode.SYSTEM_ERROR, remark));
    }
  }

  @Override
  public void refuse(Refusal refusal, String detail) {
    if (open) {
      loop.refusals().refused(refusal, remote, detail);
      closeAfter(FirstBytes.lastWords(refusal));
    }
  }

  @Override
  public void ticketGranted() {
    loop.context().runOnContext(granted -> resume());
  }

  @Override
  public void pauseReading() {
    pauses++;
    updateReading();
  }

  @Override
  public void resumeReading() {
    if (pauses > 0 && --pauses == 0) {
      resumeLater();
    }
  }

  /** The unsent bytes crossed the limit upwards, or half of it downwards. */
  void writabilityChanged() {
    boolean above = !channel.isWritable();
    if (above == unsentAboveLimit) {
      return;
    }
    unsentAboveLimit = above;
    if (above) {
      aboveLimitSince = loop.clock().nanos();
      updateReading();
    } else {
      resumeLater();
    }
  }

  /** Not at once: frames would be handed on in the middle of whatever the caller is doing. */
  private void resumeLater() {
    if (!resuming) {
      resuming = true;
      loop.context().runOnContext(later -> resume());
    }
  }

  private void resume() {
    resuming = false;
    try {
      assembler.cut();
    } catch (RuntimeException | Error failure) {
      failed(failure);
    }
    updateReading();
  }

  /** Lets the socket read exactly when what it brings could be handed on. */
  private void updateReading() {
    boolean wanted = ready() && !assembler.waitsForTicket() && !assembler.holdsInput();
    if (wanted != reading && open) {
      reading = wanted;
      channel.config().setAutoRead(wanted);
    }
  }

  // Outgoing

  @Override
  public void write(RemotingCommand command) {
    ByteSink sink = loop.sink();
    HeaderCodec.encodeHead(command, sink);
    write(sink.array(), 0, sink.length());
    // Not by way of the sink, which would keep the size of the biggest body.
    write(command.body(), 0, command.body().length);
  }

  @Override
  public Future<RemotingCommand> request(RemotingCommand command, long timeoutMs) {
    if (!open) {
      return loop.context().failedFuture(connectionClosed());
    }
    Promise<RemotingCommand> promise = loop.context().promise();
    pending.add(command, promise, timeoutMs, loop.clock().nanos());
    write(command);
    return promise.future();
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    if (open) {
      room(length).writeBytes(bytes, from, length);
    }
  }

  @Override
  public void write(ByteBuffer bytes) {
    if (open) {
      room(bytes.remaining()).writeBytes(bytes);
    }
  }

  @Override
  public void writeShared(List<? extends SharedBytes> parts) {
    int written = 0;
    try {
      while (written < parts.size()) {
        writeShared(parts.get(written));
        written++;
      }
    } finally {
      if (written < parts.size()) {
        // Memory is short: half an answer must not be followed by another.
        parts.subList(written, parts.size()).forEach(SharedBytes::release);
        abort();
      }
    }
  }

  private void writeShared(SharedBytes part) {
    if (!open) {
      part.release();
    } else if (part.size() <= COPIED_SHARE_BYTES) {
      copy(part);
      part.release();
    } else {
      push();
      channel.write(Unpooled.wrappedBuffer(part.bytes())).addListener(left -> part.release());
      flushLater();
    }
  }

  private void copy(SharedBytes part) {
    int size = part.size();
    ByteBuf room = room(size);
    part.copyTo(room.internalNioBuffer(room.writerIndex(), size));
    room.writerIndex(room.writerIndex() + size);
  }

  /** The gathering buffer with room for {@code more} bytes. */
  private ByteBuf room(int more) {
    if (out != null && out.writableBytes() < more) {
      if (out.readableBytes() + more > CHUNK_BYTES) {
        push();
        outHint = CHUNK_BYTES;
      } else {
        out.ensureWritable(more);
      }
    }
    if (out == null) {
      out = channel.alloc().directBuffer(Math.max(more, outHint));
      flushLater();
    }
    return out;
  }

  /** Hands the gathered bytes to the socket, which keeps them until the flush. */
  private void push() {
    if (out != null) {
      ByteBuf full = out;
      out = null;
      channel.write(full, channel.voidPromise());
    }
  }

  private void flushLater() {
    if (!flushing) {
      flushing = true;
      loop.flushLater(this);
    }
  }

  /** Called by the tick. */
  void flush() {
    flushing = false;
    if (out != null) {
      outHint = Math.max(SMALLEST_CHUNK_BYTES, Math.min(out.readableBytes(), CHUNK_BYTES));
      push();
    }
    channel.flush();
    moved = true;
  }

  @Override
  public long unsentBytes() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return (out == null ? 0 : out.readableBytes()) + (unsent == null ? 0 : unsent.totalPendingWriteBytes());
  }

  // The end

  @Override
  public void close(String reason) {
    if (open) {
      log.info("closing connection remote={} reason={}", remote, reason);
      closeAfter(Unpooled.EMPTY_BUFFER);
    }
  }

  private void closeAfter(ByteBuf lastWords) {
    push();
    open = false;
    closingSince = loop.clock().nanos();
    assembler.end();
    // With reading on, the end of the stream is noticed also when the peer takes nothing.
    channel.config().setAutoRead(true);
    channel.writeAndFlush(lastWords).addListener(left -> channel.close());
  }

  /** Ends the connection whatever is unsent. */
  private void drop(Refusal refusal, String detail) {
    loop.refusals().refused(refusal, remote, detail);
    abort();
  }

  /** As {@link #drop}, when the reason is already known. */
  void abort() {
    open = false;
    assembler.end();
    channel.close();
  }

  /** The channel has ended, whoever ended it. */
  void closed(Runnable onClosed) {
    open = false;
    assembler.end();
    if (out != null) {
      out.release();
      out = null;
    }
    onClosed.run();
    pending.failAll(connectionClosed());
    handler.closed(this);
  }

  private VertxException connectionClosed() {
    return VertxException.noStackTrace("the connection to " + remote + " ended");
  }

  /** Looks for what took too long; called about once a second. */
  void sweep(long nowNs) {
    pending.sweep(nowNs);
    long stalledTimeoutNs = loop.limits().stalledTimeoutNs();
    if (!open) {
      if (nowNs - closingSince > stalledTimeoutNs) {
        channel.close();
      }
    } else if (unsentAboveLimit && nowNs - aboveLimitSince > stalledTimeoutNs) {
      drop(Refusal.NOT_READING, unsentBytes() + " bytes unsent");
    } else if (stalledInBigFrame(nowNs, stalledTimeoutNs)) {
      drop(Refusal.UNFINISHED_FRAME, "");
    } else if (idle(nowNs)) {
      drop(Refusal.IDLE, "");
    }
  }

  private boolean stalledInBigFrame(long nowNs, long timeoutNs) {
    BigFrames.Ticket held = reading ? assembler.heldTicket().orElse(null) : null;
    if (held == null || held != sweptTicket) {
      sweptTicket = held;
      sweptTicketSince = nowNs;
    }
    return held != null && nowNs - sweptTicketSince > timeoutNs;
  }

  /** A connection we do not read from is not idle; what it has to say waits. */
  private boolean idle(long nowNs) {
    if (moved || !reading) {
      moved = false;
      lastMoved = nowNs;
    }
    return nowNs - lastMoved > loop.limits().idleTimeoutNs();
  }

  // Who it is

  @Override
  public long id() {
    return id;
  }

  @Override
  public String remote() {
    return remote;
  }

  @Override
  public byte[] remoteBytes() {
    return remoteBytes;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public Object attachment() {
    return attachment;
  }

  @Override
  public void attach(Object value) {
    attachment = value;
  }

  @Override
  public String toString() {
    return "connection " + id + " of " + remote;
  }
}
