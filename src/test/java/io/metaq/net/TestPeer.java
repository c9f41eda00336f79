package io.metaq.net;

import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/** The other end of a connection, blocking, with a time-out on every read. */
public final class TestPeer implements AutoCloseable {
  private static final int READ_TIMEOUT_MS = 60_000;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  public TestPeer(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Over a connection that is there already. */
  public TestPeer(Socket connected) throws IOException {
    socket = connected;
    socket.setSoTimeout(READ_TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  public static byte[] frame(RemotingCommand command) {
    ByteSink sink = new ByteSink(256);
    HeaderCodec.encode(command, sink);
    return sink.toByteArray();
  }

  public void send(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  public void send(RemotingCommand command) throws IOException {
    send(frame(command));
  }

  public RemotingCommand receive() throws IOException {
    int length = in.readInt();
    int word = in.readInt();
    byte[] header = in.readNBytes(word & 0xFFFFFF);
    byte[] body = in.readNBytes(length - 4 - header.length);
    return HeaderCodec.decode(header, 0, header.length, SerializeType.of(word >>> 24).orElseThrow()).body(body);
  }

  /** Everything up to the end of the stream, which must come; a reset counts as the end. */
  public byte[] receiveToEnd() throws IOException {
    try {
      return in.readAllBytes();
    } catch (java.net.SocketException reset) {
      return new byte[0];
    }
  }

  public int localPort() {
    return socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
