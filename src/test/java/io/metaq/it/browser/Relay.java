package io.metaq.it.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A network between a browser and a server that can be cut, and can lose what the server says. */
final class Relay implements AutoCloseable {
  private final ServerSocket entry;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean answersLost;

  Relay(int target) throws IOException {
    this.target = target;
    this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return entry.getLocalPort();
  }

  /** Resets every connection there is; new ones are let through. */
  void cut() {
    for (Socket socket : open) {
      end(socket);
    }
  }

  /** From now on nothing comes back from the server, without anybody being told; of connections made later, too. */
  void loseAnswers(boolean lost) {
    answersLost = lost;
  }

  private void accept() throws IOException {
    while (true) {
      Socket page = entry.accept();
      open.add(page);
      try {
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(server);
        start(() -> pump(page, server, false));
        start(() -> pump(server, page, true));
      } catch (IOException refused) {
        end(page);
      }
    }
  }

  private void pump(Socket from, Socket to, boolean answers) {
    try (from; to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[64 << 10];
      // A connection that has lost something has lost it for good.
      boolean lost = false;
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        lost |= answers && answersLost;
        if (!lost) {
          out.write(bytes, 0, n);
        }
      }
    } catch (IOException cut) {
      // by one side or by the test
    } finally {
      end(from);
      end(to);
    }
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException closed) {
      // already
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (IOException closed) {
        // the end of the relay
      }
    }, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    entry.close();
    cut();
  }
}
