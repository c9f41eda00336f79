package io.metaq.client;

import io.metaq.codec.remoting.ByteSink;
import io.metaq.model.OwnedBy;
import io.vertx.core.buffer.Buffer;

/**
 * What a connection writes next. To grow anew in each round would cost more than all else that a send does here, so its array is kept for the
 * next round, while it is no more than {@value #KEPT_TIMES} times as large as the last rounds needed; what is not needed any more is given
 * back within seconds.
 */
@OwnedBy("its client's context")
final class WriteBuffer {
  static final int FIRST_BYTES = 4096;
  static final int KEPT_TIMES = 4;

  private ByteSink sink = new ByteSink(FIRST_BYTES);
  private int neededBytes = FIRST_BYTES;

  /** Where to write to, until the next {@link #take}. */
  ByteSink sink() {
    return sink;
  }

  /** A copy of what was written since the last time. */
  Buffer take() {
    Buffer bytes = Buffer.buffer(sink.length()).appendBytes(sink.array(), 0, sink.length());
    recycle();
    return bytes;
  }

  /** Call now and then: a time in which nothing is written is a round that needs nothing. */
  void rest() {
    if (sink.length() == 0) {
      recycle();
    }
  }

  /** Length of the array that is kept. */
  int capacityBytes() {
    return sink.array().length;
  }

  private void recycle() {
    neededBytes = Math.max(FIRST_BYTES, Math.max(sink.length(), neededBytes - neededBytes / 8));
    if (sink.array().length > KEPT_TIMES * (long) neededBytes) {
      sink = new ByteSink(neededBytes);
    } else {
      sink.clear();
    }
  }
}
