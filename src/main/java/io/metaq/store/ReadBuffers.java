package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Memory outside of the heap for answers that are copied.
 *
 * <p>Bound: {@value #MOST} pieces of {@value #BYTES} bytes, each made when it is first wanted and kept. Reads that are under way hold them,
 * and readers that do not take what they are sent; who finds none left does without. Where memory is short, those that are there stay the only ones.
 */
@OwnedBy("nobody: counted atomically")
final class ReadBuffers {
  /** The longest answer, but for one of a single record. */
  static final int BYTES = StoreView.MAX_TRANSFER_BYTES;
  static final int MOST = 32;

  private final ConcurrentLinkedQueue<ReadBuffer> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger made = new AtomicInteger();
  private final IntFunction<ByteBuffer> memory;

  ReadBuffers() {
    this(ByteBuffer::allocateDirect);
  }

  /** @param memory gives so many bytes */
  ReadBuffers(IntFunction<ByteBuffer> memory) {
    this.memory = memory;
  }

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
      return Optional.of(new ReadBuffer(memory.apply(BYTES), free::add));
    } catch (OutOfMemoryError allUsed) {
      // By others. To ask again would take half a second each time: the JDK waits for what collections free.
      made.set(MOST);
      return Optional.empty();
    }
  }
}
