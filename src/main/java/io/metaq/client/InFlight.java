package io.metaq.client;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/** Bounds what is sent and not yet answered, by number and by bytes. What is beyond waits its turn; a single message always fits. */
@OwnedBy("its client's context")
final class InFlight {
  private final int maxCount;
  private final long maxBytes;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private int count;
  private long bytes;

  private record Waiting(int size, Runnable start) {}

  InFlight(int maxCount, long maxBytes) {
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
  }

  /** Runs {@code start} as soon as there is room, in the order of the calls; {@link #leave} follows. */
  void enter(int size, Runnable start) {
    if (waiting.isEmpty() && fits(size)) {
      admit(size, start);
    } else {
      waiting.add(new Waiting(size, start));
    }
  }

  /** One has its answer. */
  void leave(int size) {
    count--;
    bytes -= size;
    while (!waiting.isEmpty() && fits(waiting.peek().size)) {
      Waiting next = waiting.poll();
      admit(next.size, next.start);
    }
  }

  int count() {
    return count;
  }

  private boolean fits(int size) {
    return count == 0 || count < maxCount && bytes + size <= maxBytes;
  }

  private void admit(int size, Runnable start) {
    count++;
    bytes += size;
    start.run();
  }
}
