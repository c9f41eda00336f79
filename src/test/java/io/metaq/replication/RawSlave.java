package io.metaq.replication;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** A slave made of a socket: it says exactly what the test says. */
final class RawSlave implements AutoCloseable {
  /** One transfer. */
  record Transfer(long phyOffset, byte[] body) {}

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  RawSlave(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout((int) TestNode.PATIENCE_MS);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  void report(long phyOffset) throws IOException {
    out.writeLong(phyOffset);
    out.flush();
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  Transfer receive() throws IOException {
    long phyOffset = in.readLong();
    byte[] body = new byte[in.readInt()];
    in.readFully(body);
    return new Transfer(phyOffset, body);
  }

  /** Receives up to a position without a gap. */
  byte[] receive(long from, long to) throws IOException {
    byte[] all = new byte[(int) (to - from)];
    long at = from;
    while (at < to) {
      Transfer transfer = receive();
      if (transfer.phyOffset() != at) {
        throw new AssertionError("got bytes of " + transfer.phyOffset() + ", expected those of " + at);
      }
      System.arraycopy(transfer.body(), 0, all, (int) (at - from), transfer.body().length);
      at += transfer.body().length;
    }
    return all;
  }

  /** Whether the master ended the connection. */
  boolean isRefused() {
    try {
      return in.read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
