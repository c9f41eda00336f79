package io.metaq.launcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * A free port, held until the server that shall have it listens. Several instances of a server share a port only when they are told
 * its number, so 0 must become one before the first of them listens. The holder is bound but does not listen, which keeps others from
 * being given the port and lets a server with SO_REUSEADDR have it.
 */
final class ReservedPort implements AutoCloseable {
  private final SocketChannel holder;
  private final int port;

  private ReservedPort(SocketChannel holder, int port) {
    this.holder = holder;
    this.port = port;
  }

  /** The wanted port, or any free one for 0. A wanted one is not held: its server shall tell when it is taken. */
  static ReservedPort of(String host, int wanted) throws IOException {
    SocketChannel holder = SocketChannel.open();
    try {
      if (wanted != 0) {
        return new ReservedPort(holder, wanted);
      }
      holder.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      holder.bind(new InetSocketAddress(host, 0));
      return new ReservedPort(holder, ((InetSocketAddress) holder.getLocalAddress()).getPort());
    } catch (IOException | RuntimeException failure) {
      holder.close();
      throw failure;
    }
  }

  int port() {
    return port;
  }

  /** Lets go of the port; the server has it. */
  @Override
  public void close() throws IOException {
    holder.close();
  }
}
