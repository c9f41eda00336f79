import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * The load of {@code regions}: one connection, on which an event loop answers with a head of 200 bytes and then up to 256 KB of records
 * that do not lie side by side, as of a topic of several queues; the reader throws away what comes and asks for nothing.
 *
 * <pre>
 *   java -cp NETTY Regions.java FILE MEGABYTES
 * </pre>
 */
public final class Regions {
  private static final int[] RECORD_BYTES = {512, 1 << 10, 1536, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20};
  private static final int ANSWER_BYTES = 256 << 10;
  private static final int MOST_RECORDS = 32;
  private static final int HEAD_BYTES = 200;
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int UNSENT_BYTES = 512 << 10;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private enum Way { COPIED, READ, SLICES, REGIONS }

  private record Figures(double megabytesPerSecond, double cpuUsPerAnswer) {}

  private final FileChannel file;
  private final int length;
  private final Channel socket;
  private MappedByteBuffer mapping;

  private Regions(FileChannel file, int length, Channel socket) {
    this.file = file;
    this.length = length;
    this.socket = socket;
  }

  public static void main(String[] args) throws Exception {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    Path path = Path.of(args[0]);
    int length = Integer.parseInt(args[1]) << 20;
    fill(path, length);
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    Channel server = new ServerBootstrap().group(loop).channel(EpollServerSocketChannel.class)
        .childHandler(new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(UNSENT_BYTES / 2, UNSENT_BYTES));
            accepted.complete(channel);
          }
        }).bind("127.0.0.1", 0).sync().channel();
    Thread reader = new Thread(() -> drain((InetSocketAddress) server.localAddress()), "reader");
    reader.setDaemon(true);
    reader.start();
    try (FileChannel file = FileChannel.open(path)) {
      new Regions(file, length, accepted.get()).measure();
    }
    loop.shutdownGracefully();
    System.exit(0);
  }

  private static void fill(Path path, int length) throws IOException {
    Files.deleteIfExists(path);
    byte[] piece = new byte[1 << 20];
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      for (int at = 0; at < length; at += piece.length) {
        file.write(piece);
      }
    }
  }

  private static void drain(InetSocketAddress address) {
    ByteBuffer piece = ByteBuffer.allocateDirect(1 << 20);
    try (SocketChannel channel = SocketChannel.open(address)) {
      while (channel.read(piece.clear()) >= 0) {
        // Nobody wants it.
      }
    } catch (IOException end) {
      // The measurement is over.
    }
  }

  private void measure() throws Exception {
    System.out.println("| records of, bytes | way | first look: MB/s | loop us/answer | later: MB/s | loop us/answer |");
    System.out.println("|---|---|---|---|---|---|");
    map();
    for (Way way : Way.values()) {
      run(way, 4 << 10);
      run(way, 64 << 10);
    }
    for (int recordBytes : RECORD_BYTES) {
      for (Way way : Way.values()) {
        map();
        Figures first = run(way, recordBytes);
        Figures later = run(way, recordBytes);
        System.out.printf(Locale.ROOT, "| %,d | %s | %,.0f | %.1f | %,.0f | %.1f |%n", recordBytes, way.name().toLowerCase(Locale.ROOT),
            first.megabytesPerSecond(), first.cpuUsPerAnswer(), later.megabytesPerSecond(), later.cpuUsPerAnswer());
      }
    }
  }

  /** A mapping that has shown no page yet. */
  private void map() throws IOException {
    mapping = file.map(FileChannel.MapMode.READ_ONLY, 0, length);
  }

  private Figures run(Way way, int recordBytes) throws Exception {
    CompletableFuture<Figures> done = new CompletableFuture<>();
    Writer writer = new Writer(way, recordBytes, done);
    socket.eventLoop().execute(() -> {
      socket.pipeline().addLast(writer);
      writer.begin();
    });
    return done.get();
  }

  /** Goes over every other record of the file, then the others, while the socket takes it. */
  private final class Writer extends ChannelInboundHandlerAdapter {
    private final Way way;
    private final int recordBytes;
    private final CompletableFuture<Figures> done;
    private int at;
    private int pass;
    private long answers;
    private long sent;
    private long beginNs;
    private long beginCpuNs;

    Writer(Way way, int recordBytes, CompletableFuture<Figures> done) {
      this.way = way;
      this.recordBytes = recordBytes;
      this.done = done;
    }

    void begin() {
      beginNs = System.nanoTime();
      beginCpuNs = THREADS.getCurrentThreadCpuTime();
      write();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (context.channel().isWritable()) {
        write();
      }
    }

    private void write() {
      try {
        while (socket.isWritable() && pass < 2) {
          answer();
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
      if (pass == 2) {
        pass++;
        socket.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(left -> end());
      }
    }

    private void answer() throws IOException {
      ByteBuf out = room(null, HEAD_BYTES);
      out.writeZero(HEAD_BYTES);
      int bytes = 0;
      for (int i = 0; i < MOST_RECORDS && pass < 2 && (i == 0 || bytes + recordBytes <= ANSWER_BYTES); i++) {
        if (way == Way.COPIED) {
          out = room(out, recordBytes);
          out.writeBytes(mapping.slice(at, recordBytes));
        } else if (way == Way.READ) {
          out = room(out, recordBytes);
          out.writeBytes(file, at, recordBytes);
        } else {
          if (out != null) {
            socket.write(out, socket.voidPromise());
            out = null;
          }
          socket.write(way == Way.SLICES
              ? Unpooled.wrappedBuffer(mapping.slice(at, recordBytes))
              : new DefaultFileRegion(file, at, recordBytes).retain(), socket.voidPromise());
        }
        bytes += recordBytes;
        step();
      }
      if (out != null) {
        socket.write(out, socket.voidPromise());
      }
      socket.flush();
      answers++;
      sent += bytes;
    }

    /** As RemotingConnection gathers: a buffer that has 64 KB is handed on, and the next begins as large as the last answer wanted it. */
    private ByteBuf room(ByteBuf out, int more) {
      if (out != null && out.readableBytes() + more <= CHUNK_BYTES) {
        return out.ensureWritable(more);
      }
      if (out != null) {
        socket.write(out, socket.voidPromise());
      }
      int copied = way == Way.COPIED || way == Way.READ ? HEAD_BYTES + MOST_RECORDS * recordBytes : HEAD_BYTES;
      return socket.alloc().directBuffer(Math.max(more, Math.min(CHUNK_BYTES, copied)));
    }

    private void step() {
      at += 2 * recordBytes;
      if (at + recordBytes > length) {
        pass++;
        at = recordBytes;
      }
    }

    private void end() {
      double seconds = (System.nanoTime() - beginNs) / 1e9;
      double cpuUs = (THREADS.getCurrentThreadCpuTime() - beginCpuNs) / 1e3;
      socket.pipeline().remove(this);
      done.complete(new Figures(sent / seconds / 1e6, cpuUs / answers));
    }
  }
}
