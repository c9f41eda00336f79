package io.metaq.it.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A way between two processes that can be as bad as a network: slow, narrow, cut in the middle of a frame, or silent in one
 * direction or both, when nothing arrives any more and neither side is told. What was on its way while it was silent arrives afterwards,
 * as TCP has it.
 */
final class Relay implements AutoCloseable {
  /** Directions, by who hears: the server behind the relay, or the client that connected to it. */
  enum Way { TO_SERVER, TO_CLIENT }

  private static final int CHUNK_BYTES = 16 * 1024;
  private static final long POLL_NANOS = 5_000_000;
  private static final long UNLIMITED = Long.MAX_VALUE;

  private final ServerSocket server;
  private final InetSocketAddress target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytesToCut = new AtomicLong(UNLIMITED);
  private final AtomicLong cuts = new AtomicLong();
  private volatile Set<Way> silent = EnumSet.noneOf(Way.class);
  private volatile long bytesPerS = UNLIMITED;
  private volatile long delayNanos;

  private Relay(ServerSocket server, InetSocketAddress target) {
    this.server = server;
    this.target = target;
  }

  /** Listens on one address and leads to another. */
  static Relay open(InetSocketAddress listen, InetSocketAddress target) throws IOException {
    ServerSocket server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(listen);
    Relay relay = new Relay(server, target);
    start("relay " + listen, relay::accept);
    return relay;
  }

  int port() {
    return server.getLocalPort();
  }

  /** Lets nothing through in these directions, from now on. */
  void silence(Set<Way> ways) {
    silent = ways.isEmpty() ? EnumSet.noneOf(Way.class) : EnumSet.copyOf(ways);
  }

  /** Ends silence, delay and limit. */
  void heal() {
    delayNanos = 0;
    bytesPerS = UNLIMITED;
    silence(Set.of());
  }

  /** Each direction of each connection carries so much. */
  void limit(long bytesInASecond) {
    bytesPerS = bytesInASecond;
  }

  /** Each chunk comes so much later, and those behind it, too. */
  void delay(long millis) {
    delayNanos = millis * 1_000_000;
  }

  /** Ends every connection once so many more bytes went to clients. */
  void cutAfter(long bytesToClients) {
    bytesToCut.set(bytesToClients);
  }

  /** How often {@link #cutAfter} has struck. */
  long cuts() {
    return cuts.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        sockets.add(client);
        start("relay to " + target, () -> serve(client));
      }
    } catch (IOException closed) {
      sockets.forEach(Relay::close);
    }
  }

  private void serve(Socket client) {
    Socket behind = new Socket();
    sockets.add(behind);
    try {
      awaitPassage(Way.TO_SERVER, client);
      client.setTcpNoDelay(true);
      behind.setTcpNoDelay(true);
      behind.connect(target);
      start("relay back from " + target, () -> pump(behind, client, Way.TO_CLIENT));
      pump(client, behind, Way.TO_SERVER);
    } catch (IOException unreachable) {
      end(client, behind);
    }
  }

  private void pump(Socket from, Socket to, Way way) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        awaitPassage(way, to);
        LockSupport.parkNanos(delayNanos);
        int passing = way == Way.TO_CLIENT ? beforeCut(read) : read;
        out.write(chunk, 0, passing);
        if (passing < read) {
          cuts.incrementAndGet();
          sockets.forEach(Relay::close);
        }
        if (bytesPerS != UNLIMITED) {
          LockSupport.parkNanos(read * 1_000_000_000L / bytesPerS);
        }
      }
      awaitPassage(way, to);
    } catch (IOException ended) {
      // One side is gone; the other is told below.
    }
    end(from, to);
  }

  /** How many of these bytes still pass; the limit is for one cut. */
  private int beforeCut(int bytes) {
    long left = bytesToCut.get();
    if (left == UNLIMITED) {
      return bytes;
    }
    if (left >= bytes) {
      bytesToCut.addAndGet(-bytes);
      return bytes;
    }
    bytesToCut.set(UNLIMITED);
    return (int) left;
  }

  private void awaitPassage(Way way, Socket until) throws IOException {
    while (silent.contains(way)) {
      if (until.isClosed() || server.isClosed()) {
        throw new IOException("closed while silent");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private void end(Socket one, Socket other) {
    close(one);
    close(other);
    sockets.remove(one);
    sockets.remove(other);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    sockets.forEach(Relay::close);
  }
}
