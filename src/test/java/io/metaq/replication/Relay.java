package io.metaq.replication;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between a slave and its master; cuts the connection behind so many bytes from the master, or garbles one of them. */
final class Relay implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  /** Bytes of one connection that may pass. */
  volatile long cutBehind = Long.MAX_VALUE;
  /** Which byte of a connection is garbled, -1 for none. */
  volatile long garbled = -1;
  volatile int connections;
  /** How many connections are let through; the others are closed at once, and counted. */
  volatile int most = Integer.MAX_VALUE;
  volatile int sentAway;

  Relay(int target) throws IOException {
    this.target = target;
    thread(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket slave = server.accept();
        if (connections >= most) {
          sentAway++;
          slave.close();
          continue;
        }
        Socket master = new Socket("127.0.0.1", target);
        sockets.add(slave);
        sockets.add(master);
        connections++;
        thread(() -> copy(slave, master, Long.MAX_VALUE, -1));
        thread(() -> copy(master, slave, cutBehind, garbled));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void copy(Socket from, Socket to, long most, long garbledAt) {
    try (from; to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[8192];
      long passed = 0;
      while (passed < most) {
        int count = in.read(bytes, 0, (int) Math.min(bytes.length, most - passed));
        if (count < 0) {
          return;
        }
        if (garbledAt >= passed && garbledAt < passed + count) {
          bytes[(int) (garbledAt - passed)] ^= 0x40;
        }
        out.write(bytes, 0, count);
        passed += count;
      }
    } catch (IOException closed) {
      // The other direction ended it.
    }
  }

  private static void thread(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
