package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory outside of the heap for answers that are copied.
 *
 * <p>Bound: {@value #MOST} pieces of {@value #BYTES} bytes, each made when it is first wanted and kept. Reads that are under way hold them,
 * and readers that do not take what they are sent; who finds none left does without.
 */
@OwnedBy("nobody: counted atomically")
final class ReadBuffers {
  /** The longest answer, but for one of a single record. */
  static final int BYTES = StoreView.MAX_TRANSFER_BYTES;
  static final int MOST = 32;

  private final ConcurrentLinkedQueue<ReadBuffer> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger made = new AtomicInteger();

  /** A piece that is given back by its release; empty when all are lent. */
  Optional<ReadBuffer> take() {
    ReadBuffer spare = free.poll();
    if (spare != null) {
      return Optional.of(spare);
    }
    if (made.getAndUpdate(count -> Math.min(MOST, count + 1)) == MOST) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ReadBuffer(ByteBuffer.allocateDirect(BYTES), free::add));
    } catch (OutOfMemoryError allUsed) {
      // By others; they may give some back.
      made.decrementAndGet();
      return Optional.empty();
    }
  }
}
