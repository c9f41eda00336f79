package io.metaq.net;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.SharedBytes;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One accepted connection, as the room that serves it sees it. Confined to its event loop. What is written in one loop round leaves as
 * one socket write; nothing is written after {@link #close}.
 */
public interface Connection {
  /** Unique in this process. */
  long id();

  /** {@code ip:port} of the peer, for people and logs. */
  String remote();

  /** The peer's address as a stored record holds it: 4 or 16 bytes of IP, then the port as i32; 8 or 20 bytes. Do not change. */
  byte[] remoteBytes();

  /** Writes one response or one-way request, header and body; takes the header type from the command. */
  void write(RemotingCommand command);

  /**
   * Sends a request to the peer, with an opaque of this connection's own count.
   *
   * @return its answer, whatever the code; fails when none came within {@code timeoutMs} or the connection ended
   */
  Future<RemotingCommand> request(RemotingCommand command, long timeoutMs);

  /** Writes bytes that are already a whole frame or the head of one; copied. */
  void write(byte[] bytes, int from, int length);

  /** Writes bytes from position to limit; copied. */
  void write(ByteBuffer bytes);

  /** Writes shared bytes without copying them; each is released when it has left (or the connection ended). */
  void writeShared(List<? extends SharedBytes> parts);

  /** Bytes written that the peer has not taken yet. */
  long unsentBytes();

  /** Stops reading until {@link #resumeReading}; calls are counted, the last resume counts. */
  void pauseReading();

  void resumeReading();

  boolean isOpen();

  /** Closes after what was written so far has left, or at a deadline when the peer does not take it; {@code reason} goes to the log. */
  void close(String reason);

  /** Whatever the room keeps for this connection, null until set. */
  Object attachment();

  void attach(Object value);
}
