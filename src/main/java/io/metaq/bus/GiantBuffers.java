package io.metaq.bus;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Buffers for records too long for a batch's own one. Those given back are kept for the next, because making and collecting a direct
 * buffer costs more than the append of what it holds, and the collector, which sees only their small handles, may let gigabytes of them
 * gather before it runs.
 *
 * <p>Bound: a 64th of the heap's limit, at least 8 MiB, are kept, the latest ones; fewer after a while where the sender calls {@link #trim}.
 */
@OwnedBy("the sender whose batches use it")
public final class GiantBuffers {
  /** What connections with bodies of a megabyte have with the writer at a time is some 20 MiB for a loop. */
  static final long KEPT_BYTES = Math.max(8 * 1024 * 1024, Runtime.getRuntime().maxMemory() / 64);

  private static final int STEP_BYTES = 256 * 1024;

  /** Latest last. */
  private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>();
  private final long keptBytes;
  private long spareBytes;

  public GiantBuffers() {
    this(KEPT_BYTES);
  }

  GiantBuffers(long keptBytes) {
    this.keptBytes = keptBytes;
  }

  /** A direct buffer of at least {@code size} bytes. */
  ByteBuffer take(int size) {
    for (Iterator<ByteBuffer> latest = spare.descendingIterator(); latest.hasNext(); ) {
      ByteBuffer kept = latest.next();
      if (kept.capacity() >= size) {
        latest.remove();
        spareBytes -= kept.capacity();
        return kept;
      }
    }
    if (!spare.isEmpty()) {
      // So that there are never more than were in use at once.
      drop();
    }
    return ByteBuffer.allocateDirect((size + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES);
  }

  void giveBack(ByteBuffer giant) {
    spare.addLast(giant);
    spareBytes += giant.capacity();
    while (spareBytes > keptBytes) {
      drop();
    }
  }

  /** Lets go of one buffer, as long as there is more than one; to be called now and then. */
  public void trim() {
    if (spare.size() > 1) {
      drop();
    }
  }

  private void drop() {
    spareBytes -= spare.removeFirst().capacity();
  }
}
