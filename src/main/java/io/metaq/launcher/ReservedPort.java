package io.metaq.launcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A free port, held until the server that shall have it listens. Several instances of a server share a port only when they are told
 * its number, so 0 must become one before the first of them listens. The holder is bound but does not listen, which keeps others from
 * being given the port and lets a server with SO_REUSEADDR have it.
 */
final class ReservedPort implements AutoCloseable {
  private static final int TRIES = 100;

  private final List<SocketChannel> holders;
  private final int port;

  private ReservedPort(List<SocketChannel> holders, int port) {
    this.holders = holders;
    this.port = port;
  }

  /** The wanted port, or any free one for 0. A wanted one is not held: its server shall tell when it is taken. */
  static ReservedPort of(String host, int wanted) throws IOException {
    if (wanted != 0) {
      return new ReservedPort(List.of(), wanted);
    }
    SocketChannel holder = bound(host, 0, true);
    return new ReservedPort(List.of(holder), portOf(holder));
  }

  /**
   * Any free port for a server that listens {@code below} it, too: that one is held as well, so that it is not another's who was given it
   * and does not listen yet. Where no such two are found, one alone.
   */
  static ReservedPort withOneBelow(String host, int below) throws IOException {
    List<SocketChannel> passedOver = new ArrayList<>();
    try {
      for (int tries = 0; tries < TRIES; tries++) {
        SocketChannel upper = bound(host, 0, true);
        passedOver.add(upper);
        int port = portOf(upper);
        try {
          // A server with SO_REUSEADDR would get one that another holds, and this does not.
          bound(host, port - below, false).close();
          SocketChannel lower = bound(host, port - below, true);
          passedOver.remove(upper);
          return new ReservedPort(List.of(upper, lower), port);
        } catch (IOException taken) {
          // The next may be better.
        }
      }
    } finally {
      for (SocketChannel holder : passedOver) {
        holder.close();
      }
    }
    return of(host, 0);
  }

  /** Whether a server that listens there now would most likely have the port; that server has the last word. */
  static boolean looksFree(String host, int port) {
    try (SocketChannel tried = bound(host, port, true)) {
      return true;
    } catch (IOException | RuntimeException unusable) {
      return false;
    }
  }

  private static SocketChannel bound(String host, int port, boolean lent) throws IOException {
    SocketChannel holder = SocketChannel.open();
    try {
      holder.setOption(StandardSocketOptions.SO_REUSEADDR, lent);
      return holder.bind(new InetSocketAddress(host, port));
    } catch (IOException | RuntimeException failure) {
      holder.close();
      throw failure;
    }
  }

  private static int portOf(SocketChannel holder) throws IOException {
    return ((InetSocketAddress) holder.getLocalAddress()).getPort();
  }

  int port() {
    return port;
  }

  /** Lets go of the port; the server has it. */
  @Override
  public void close() throws IOException {
    for (SocketChannel holder : holders) {
      holder.close();
    }
  }
}
