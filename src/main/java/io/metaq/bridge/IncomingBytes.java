package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/**
 * How much of what was sent here is in memory, over all connections: bodies of requests, from their first byte until they are answered,
 * and messages of WebSockets that wait for their receipts. What would pass the bound is not taken: a body is refused, and a WebSocket is
 * not read until half is free.
 */
@OwnedBy("BridgeVerticle")
final class IncomingBytes {
  private final long bound;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private long held;

  IncomingBytes(long bound) {
    this.bound = bound;
  }

  /** @return false when there is no room: nothing is taken then */
  boolean take(long bytes) {
    if (held + bytes > bound) {
      return false;
    }
    held += bytes;
    return true;
  }

  /** Something that is here already, whether or not there is room. */
  void add(long bytes) {
    held += bytes;
  }

  /** What was taken or added is done with. */
  void release(long bytes) {
    held -= bytes;
    // One after the other: what each of them sends may take the room that was free.
    while (held <= bound / 2 && !waiting.isEmpty()) {
      waiting.poll().run();
    }
  }

  boolean isFull() {
    return held >= bound;
  }

  /** Called once, when half is free. */
  void whenHalfFree(Runnable goOn) {
    waiting.add(goOn);
  }

  long bound() {
    return bound;
  }

  long held() {
    return held;
  }
}
