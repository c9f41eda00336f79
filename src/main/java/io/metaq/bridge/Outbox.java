package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;

/**
 * What goes out over one WebSocket. A peer that asks and does not read is not read either: its requests stop while so many bytes wait.
 * They stop, too, while there is no room for more of them in the process, see {@link IncomingBytes}.
 */
@OwnedBy("BridgeVerticle")
final class Outbox {
  private static final long MOST_BYTES = 1 << 20;

  private final ServerWebSocket socket;
  private long unwrittenBytes;
  private boolean noRoom;
  private boolean paused;
  private boolean closed;

  Outbox(ServerWebSocket socket) {
    this.socket = socket;
  }

  /** Completes when the network has taken it. */
  Future<Void> send(JsonObject frame) {
    return send(frame.encode());
  }

  /** As {@link #send(JsonObject)}, for a frame that is text already. */
  Future<Void> send(String text) {
    if (closed) {
      return Future.failedFuture(Fault.UNAVAILABLE.because("the connection is closed"));
    }
    unwrittenBytes += text.length();
    Future<Void> written = socket.writeTextMessage(text);
    written.onComplete(done -> written(text.length()));
    holdReading();
    return written;
  }

  private void written(int bytes) {
    unwrittenBytes -= bytes;
    holdReading();
  }

  /** Whether there is no room for what the peer sends. */
  void holdReading(boolean noRoom) {
    this.noRoom = noRoom;
    holdReading();
  }

  /** Whether the peer is not read because others have taken the room; then nothing is heard of it, well as it may be. */
  boolean waitsForRoom() {
    return noRoom;
  }

  private void holdReading() {
    if (!paused && (noRoom || unwrittenBytes > MOST_BYTES)) {
      paused = true;
      socket.pause();
    } else if (paused && !noRoom && unwrittenBytes < MOST_BYTES / 2 && !closed) {
      paused = false;
      socket.resume();
    }
  }

  void close() {
    closed = true;
  }
}
