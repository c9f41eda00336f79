package io.metaq.bus;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;

/**
 * Buffers for records too long for a batch's own one. The last one given back is kept for the next, because making and collecting a
 * direct buffer costs more than the append of what it holds.
 *
 * <p>Bound: one buffer of at most {@value #KEPT_BYTES} bytes; longer ones are left to the collector.
 */
@OwnedBy("the sender whose batches use it")
public final class GiantBuffers {
  static final int KEPT_BYTES = 2 * 1024 * 1024;

  private static final int STEP_BYTES = 256 * 1024;

  private ByteBuffer spare;

  /** A direct buffer of at least {@code size} bytes. */
  ByteBuffer take(int size) {
    ByteBuffer kept = spare;
    spare = null;
    if (kept != null && kept.capacity() >= size) {
      return kept;
    }
    return ByteBuffer.allocateDirect((size + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES);
  }

  void giveBack(ByteBuffer giant) {
    if (giant.capacity() <= KEPT_BYTES) {
      spare = giant;
    }
  }
}
