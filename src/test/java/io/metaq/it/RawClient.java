package io.metaq.it;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** A blocking connection of the remoting protocol: frames as tests wish them, also wrong ones. */
public final class RawClient implements AutoCloseable {

  private static final int READ_TIMEOUT_MS = 60_000;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final Map<Integer, RawFrame> early = new HashMap<>();
  private int nextOpaque = 1;

  private RawClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
    this.out = socket.getOutputStream();
  }

  public static RawClient connect(int port) throws IOException {
    return connect(port, 0);
  }

  /** With a receive buffer of a given size; 0 is the system's choice. */
  public static RawClient connect(int port, int receiveBufferBytes) throws IOException {
    Socket socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(READ_TIMEOUT_MS);
    socket.connect(new InetSocketAddress("127.0.0.1", port), READ_TIMEOUT_MS);
    return new RawClient(socket);
  }

  /** Over a connection that is there already. */
  public static RawClient over(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(READ_TIMEOUT_MS);
    return new RawClient(socket);
  }

  /** Sends a request and waits for its answer; answers to others are kept for their callers. */
  public RawFrame call(RawFrame request) throws IOException {
    return await(send(request));
  }

  /** Sends a request and returns its opaque. */
  public int send(RawFrame request) throws IOException {
    int opaque = nextOpaque++;
    out.write(request.opaque(opaque).encode());
    return opaque;
  }

  /** The answer to the request of this opaque. */
  public RawFrame await(int opaque) throws IOException {
    RawFrame answer = early.remove(opaque);
    while (answer == null) {
      RawFrame frame = receive();
      if (frame.opaque() == opaque && (frame.flag() & 1) == 1) {
        answer = frame;
      } else {
        early.put(frame.opaque(), frame);
      }
    }
    return answer;
  }

  /** The next frame, whatever it is. */
  public RawFrame receive() throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return RawFrame.decode(ByteBuffer.wrap(frame));
  }

  /** Waits for a request of the other side of this code; answers to own requests are kept for their callers. */
  public RawFrame awaitRequest(int code) throws IOException {
    RawFrame frame = receive();
    while (frame.code() != code || (frame.flag() & 1) == 1) {
      if ((frame.flag() & 1) == 1) {
        early.put(frame.opaque(), frame);
      }
      frame = receive();
    }
    return frame;
  }

  public void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  /** All bytes up to the end of the connection, which the other side must bring about. */
  public byte[] readToEnd() throws IOException {
    return in.readAllBytes();
  }

  /** True when the other side closes or resets the connection; its bytes before that are dropped. */
  public boolean endedByPeer() throws IOException {
    try {
      in.readAllBytes();
      return true;
    } catch (EOFException | SocketException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
