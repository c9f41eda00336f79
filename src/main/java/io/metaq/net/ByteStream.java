package io.metaq.net;

import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.model.SharedFile;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that carries bytes without frames of the remoting protocol, in either direction. Incoming bytes are handed on as the
 * socket read them, outgoing ones leave without a copy where they are {@link SharedBytes}, and without a look at them where they are a {@link SharedFile}.
 *
 * <p>Bound: the writer asks {@link #writable()} before it writes; what it writes beyond that is kept all the same.
 */
@OwnedBy("the event loop it was made on")
public final class ByteStream {
  private static final Logger log = LoggerFactory.getLogger(ByteStream.class);
  /** Shared bytes up to this length are copied behind what stands in front of them: a gather entry would cost more than the copy. */
  private static final int COPIED_SHARE_BYTES = 2048;
  private static final int SMALLEST_CHUNK_BYTES = 256;
  /** One read takes so much, between these bounds, as the reads before suggest: a log that is far ahead comes in few and large parts. */
  private static final int LEAST_READ_BYTES = 1024;
  private static final int FIRST_READ_BYTES = 2048;
  private static final int MOST_READ_BYTES = 256 * 1024;

  /** What its user hears, on the event loop. */
  public interface Listener {
    /** Bytes came in; they are valid during the call only, from position to limit. */
    void read(ByteBuffer bytes);

    /** It is {@link #writable()} again. */
    void drained();

    /** It ended, whoever ended it; the last call. */
    void closed();
  }

  private final ChannelHandlerContext netty;
  private final Channel channel;
  private final String remote;
  private final RefusalLog refusals;
  private final int unsentLimitBytes;
  private final boolean takesFiles;
  private ByteBuf out;
  /** Of files; Netty counts what lies in memory. */
  private int unsentFileBytes;
  private Listener listener;
  private boolean open = true;

  ByteStream(NetSocketInternal socket, int unsentLimitBytes, boolean takesFiles, RefusalLog refusals) {
    this.refusals = refusals;
    this.unsentLimitBytes = unsentLimitBytes;
    this.takesFiles = takesFiles;
    this.netty = socket.channelHandlerContext();
    this.channel = netty.channel();
    InetSocketAddress address = (InetSocketAddress) channel.remoteAddress();
    this.remote = address.getAddress().getHostAddress() + ':' + address.getPort();
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(unsentLimitBytes / 2, unsentLimitBytes));
    channel.config().setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, FIRST_READ_BYTES, MOST_READ_BYTES));
  }

  /** Takes over the socket; to be called before its first read. */
  void start(ContextInternal context, NetSocketInternal socket, Listener hearing) {
    listener = hearing;
    channel.pipeline().addBefore(netty.name(), "metaq", new Events(context));
    socket.exceptionHandler(failure -> log.debug("connection failed remote={}", remote, failure));
    socket.closeHandler(ended -> {
      open = false;
      if (out != null) {
        out.release();
        out = null;
      }
      listener.closed();
    });
  }

  /** {@code ip:port} of the peer, for people and logs. */
  public String remote() {
    return remote;
  }

  public boolean isOpen() {
    return open;
  }

  /** Whether less is unsent than the limit, so that more may be written. */
  public boolean writable() {
    return open && channel.isWritable() && unsentFileBytes < unsentLimitBytes;
  }

  /** Whether {@link #writeFile} can be used: not where the transport has no file regions, as Vert.x says of io_uring. */
  public boolean takesFiles() {
    return takesFiles;
  }

  /** Gathers bytes from position to limit for the next {@link #flush}; copied. */
  public void write(ByteBuffer bytes) {
    if (open) {
      room(bytes.remaining()).writeBytes(bytes);
    }
  }

  /** Gathers shared bytes; released when they have left, or the connection ended. */
  public void write(SharedBytes part) {
    ByteBuffer bytes = part.bytes();
    if (!open) {
      part.release();
    } else if (bytes.remaining() <= COPIED_SHARE_BYTES) {
      room(bytes.remaining()).writeBytes(bytes.duplicate());
      part.release();
    } else {
      push();
      netty.write(Unpooled.wrappedBuffer(bytes)).addListener(left -> part.release());
    }
  }

  /**
   * Gathers a part of a file; released when it has left, or the connection ended. The bytes should be in memory, for the loop waits for
   * them otherwise. A file that ends too early ends the connection. Only where it {@link #takesFiles()}.
   */
  public void writeFile(SharedFile part) {
    if (!open) {
      part.release();
      return;
    }
    try {
      FileChannel file = part.channel();
      LentRegion region = new LentRegion(file, part);
      push();
      unsentFileBytes += part.size();
      netty.write(region).addListener(left -> fileLeft(part, file, left.isSuccess()));
    } catch (IOException failure) {
      part.release();
      log.warn("a file cannot be sent remote={}", remote, failure);
      close();
    }
  }

  private void fileLeft(SharedFile part, FileChannel file, boolean whole) {
    int size = part.size();
    if (!whole && endsTooEarly(part, file)) {
      log.warn("a file is too short to be sent as it should be, the connection ends remote={} place={} bytes={}", remote, part.place(), size);
    }
    boolean much = unsentFileBytes >= unsentLimitBytes / 2;
    unsentFileBytes -= size;
    if (open && much && unsentFileBytes < unsentLimitBytes / 2) {
      listener.drained();
    }
  }

  private static boolean endsTooEarly(SharedFile part, FileChannel file) {
    try {
      return file.size() < part.place() + part.size();
    } catch (IOException closed) {
      return false;
    }
  }

  /** Sends what was gathered. */
  public void flush() {
    if (open) {
      push();
      netty.flush();
    }
  }

  /** Stops or resumes reading; what was read already still comes. */
  public void reading(boolean wanted) {
    if (open) {
      channel.config().setAutoRead(wanted);
    }
  }

  /** Ends it and says why in the log, without letting strangers fill that; {@code detail} begins with a verb. */
  public void refuse(String detail) {
    if (open) {
      refusals.refused(Refusal.REPLICATION, remote, detail);
      close();
    }
  }

  /** Ends it, whatever is unsent. */
  public void close() {
    if (open) {
      open = false;
      netty.close();
    }
  }

  private ByteBuf room(int more) {
    if (out == null) {
      out = channel.alloc().directBuffer(Math.max(more, SMALLEST_CHUNK_BYTES));
    }
    return out.ensureWritable(more);
  }

  private void push() {
    if (out != null) {
      ByteBuf full = out;
      out = null;
      netty.write(full, netty.voidPromise());
    }
  }

  /** Netty's own would close the file in the end. */
  private static final class LentRegion extends DefaultFileRegion {
    private final SharedFile part;

    LentRegion(FileChannel file, SharedFile part) {
      super(file, part.place(), part.size());
      this.part = part;
    }

    @Override
    protected void deallocate() {
      part.release();
    }
  }

  /** Takes what the socket reads, as it is, before Vert.x copies it; everything else goes on to Vert.x. */
  private final class Events extends ChannelInboundHandlerAdapter {
    private final ContextInternal context;

    Events(ContextInternal context) {
      this.context = context;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      context.emit((ByteBuf) message, this::read);
    }

    private void read(ByteBuf bytes) {
      try {
        if (open) {
          listener.read(bytes.nioBuffer());
        }
      } finally {
        bytes.release();
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      if (channel.isWritable()) {
        context.emit(listener, Listener::drained);
      }
      ctx.fireChannelWritabilityChanged();
    }
  }
}
