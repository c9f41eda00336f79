package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * One response of Server-Sent Events. Each event's id is its reader's whole position; a comment line tells both sides that the other is
 * there; a reader that takes nothing for long is dropped, as every connection on which nothing moves.
 */
@OwnedBy("BridgeVerticle")
final class EventStream implements Outlet {
  private static final int RETRY_MS = 2_000;

  private final Vertx vertx;
  private final HttpServerResponse response;
  private final long commentMs;
  private final Room room;
  private Reading reading;
  private long timer = -1;
  private boolean closed;

  EventStream(Vertx vertx, HttpServerResponse response, long commentMs, Room room) {
    this.vertx = vertx;
    this.response = response;
    this.commentMs = commentMs;
    this.room = room;
    response.closeHandler(gone -> close());
  }

  /** Tells the head and where reading begins; messages may follow. */
  void begin(Reading source) {
    reading = source;
    if (closed) {
      source.stop();
      return;
    }
    response.write("retry: " + RETRY_MS + "\n" + (source.position().isEmpty() ? "" : "id: " + source.position() + "\n") + "\n");
    timer = vertx.setPeriodic(commentMs, tick -> response.write(":\n\n"));
    room.add(Long.MAX_VALUE >> 1);
    source.more();
  }

  /** The headers of every event stream. */
  static void head(HttpServerResponse response) {
    response.setChunked(true)
        .putHeader("Content-Type", "text/event-stream")
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Content-Type-Options", "nosniff")
        // Proxies that gather answers would hold events back.
        .putHeader("X-Accel-Buffering", "no");
  }

  @Override
  public Future<Void> message(Item item) {
    return closed ? Future.failedFuture(Fault.UNAVAILABLE.because("the reader is gone"))
        : response.write(event(item));
  }

  @Override
  public void failed(Throwable cause) {
    if (!closed) {
      BridgeException problem = BridgeException.of(cause).orElseGet(() -> Fault.INTERNAL.because("reading failed"));
      response.end(Buffer.buffer("event: problem\ndata: ").appendBuffer(Answer.problem(problem).body()).appendString("\n\n"));
      close();
    }
  }

  private static String event(Item item) {
    return "event: message\nid: " + item.position() + "\ndata: " + item.message().json() + "\n\n";
  }

  private void close() {
    if (!closed) {
      closed = true;
      vertx.cancelTimer(timer);
      if (reading != null) {
        reading.stop();
      }
    }
  }
}
